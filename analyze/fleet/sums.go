package fleet

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// sums are the tables while they grow.
type sums struct {
	causes, drivers, versions, clusters tally
	volumes                             tally // the names are those of clusters and volumes
	phases                              map[model.PhaseID][]float64
	remedies, prevent                   worths
}

func newSums() sums {
	return sums{
		causes: tally{}, drivers: tally{}, versions: tally{}, clusters: tally{}, volumes: tally{},
		phases: map[model.PhaseID][]float64{}, remedies: worths{}, prevent: worths{},
	}
}

// entry is the value of a key, which is new when there is none.
func entry[K comparable, V any](m map[K]*V, key K, fresh V) *V {
	if m[key] == nil {
		m[key] = &fresh
	}
	return m[key]
}

// named are the names of reports, each once.
func named(reports []string) []string {
	slices.Sort(reports)
	return append([]string(nil), slices.DeleteFunc(slices.Compact(reports), func(name string) bool { return name == "" })...)
}

// tally counts incidents by a name, with what it is in, if that separates two of one name.
type tally map[[2]string]*model.FleetCount

func (t tally) add(key [2]string, name string, r record) {
	c := entry(t, key, model.FleetCount{Name: name})
	c.Reports = append(c.Reports, r.page)
	if r.benign() {
		c.Handovers++
		return
	}
	c.Incidents++
	c.SecondsLost = c.SecondsLost.Plus(r.incident.Span.Seconds)
}

// list is the tally, most time lost first.
func (t tally) list() []model.FleetCount {
	out := make([]model.FleetCount, 0, len(t))
	for _, c := range t {
		c.Reports = named(c.Reports)
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b model.FleetCount) int {
		return cmp.Or(cmp.Compare(b.SecondsLost.Best, a.SecondsLost.Best), cmp.Compare(b.Incidents, a.Incidents),
			cmp.Compare(b.Handovers, a.Handovers), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// cause is the first cause of an incident, "" for none.
func (r record) cause() string {
	if len(r.incident.Causes) == 0 {
		return ""
	}
	return r.incident.Causes[0].ID
}

func (r record) benign() bool { return r.cause() == model.CauseHandover }

// add counts one incident.
func (s *sums) add(r record, out *model.Fleet) {
	in, v := r.incident, r.incident.Volume
	s.causes.add([2]string{r.cause()}, r.cause(), r)
	s.drivers.add([2]string{v.Driver}, v.Driver, r)
	s.versions.add([2]string{r.version}, r.version, r)
	s.clusters.add([2]string{r.cluster}, r.cluster, r)
	name := cmp.Or(v.PersistentVolume, v.UniqueName)
	if v.Claim != nil && v.Claim.Name != "" {
		name = v.Claim.String()
	}
	s.volumes.add([2]string{r.cluster, cmp.Or(v.UniqueName, v.PersistentVolume)}, name, r)
	if r.benign() {
		out.Handovers++
		return
	}
	out.Incidents++
	out.SecondsLost = out.SecondsLost.Plus(in.Span.Seconds)
	if in.Span.Open {
		out.Open++
	}
	for i, p := range in.Phases {
		if !in.Span.Open || i < len(in.Phases)-1 { // it has ended
			s.phases[p.ID] = append(s.phases[p.ID], p.Seconds.Best)
		}
	}
	if in.Advice != nil {
		s.remedies.add(slices.Concat(in.Advice.Now, in.Advice.Better), r.page)
		s.prevent.add(in.Advice.Prevent, r.page)
	}
}

// worths sums up options by remedy.
type worths map[string]*model.FleetRemedy

// add counts the first of a list.
func (w worths) add(list []model.FleetOption, page string) {
	if len(list) == 0 || list[0].Remedy == "" {
		return // it only finds out
	}
	o := list[0]
	f := entry(w, o.Remedy, model.FleetRemedy{ID: o.Remedy})
	f.Helps++
	f.Reports = append(f.Reports, page)
	switch o.DataRisk {
	case model.RiskNone:
		f.Safe++
	case model.RiskOnceProven:
		f.NotProven++
	default:
		f.Unsafe++
	}
	if o.Saved == nil {
		f.Unknown++
		return
	}
	f.SecondsSaved = f.SecondsSaved.Plus(*o.Saved)
	if o.DataRisk == model.RiskNone {
		f.SecondsSavedSafe = f.SecondsSavedSafe.Plus(*o.Saved)
	}
}

// list has first what would have saved most.
func (w worths) list() []model.FleetRemedy {
	out := []model.FleetRemedy{}
	for _, r := range w {
		r.Reports = named(r.Reports)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b model.FleetRemedy) int {
		return cmp.Or(cmp.Compare(b.SecondsSaved.Best, a.SecondsSaved.Best), cmp.Compare(b.Helps, a.Helps), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// phaseOrder is the usual order of the phases; others come last.
var phaseOrder = []model.PhaseID{
	model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease,
	model.PhaseUnmountWait, model.PhaseDetach, model.PhaseUndivided, model.PhaseAttach, model.PhaseMount,
}

func (s *sums) phaseList() []model.FleetPhase {
	out := []model.FleetPhase{}
	for id, list := range s.phases {
		slices.Sort(list)
		p := model.FleetPhase{ID: id, Count: len(list), Median: list[(len(list)-1)/2], P90: list[(len(list)*9+9)/10-1], Max: list[len(list)-1]}
		for _, seconds := range list {
			p.Total += seconds
		}
		out = append(out, p)
	}
	place := func(id model.PhaseID) uint { return uint(slices.Index(phaseOrder, id)) } // of none the largest
	slices.SortFunc(out, func(a, b model.FleetPhase) int {
		return cmp.Or(cmp.Compare(place(a.ID), place(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// volumeList are the volumes with more than one incident or hand-over, most first.
func (s *sums) volumeList() []model.FleetVolume {
	out := []model.FleetVolume{}
	for key, v := range s.volumes {
		if v.Incidents+v.Handovers > 1 {
			out = append(out, model.FleetVolume{Cluster: key[0], Volume: v.Name, Incidents: v.Incidents, Handovers: v.Handovers,
				SecondsLost: v.SecondsLost, Reports: named(v.Reports)})
		}
	}
	slices.SortFunc(out, func(a, b model.FleetVolume) int {
		return cmp.Or(cmp.Compare(b.Incidents+b.Handovers, a.Incidents+a.Handovers), cmp.Compare(b.SecondsLost.Best, a.SecondsLost.Best),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Volume, b.Volume))
	})
	return out
}
