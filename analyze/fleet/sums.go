package fleet

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// sums are the tables while they grow.
type sums struct {
	causes, drivers, versions, clusters tally
	phases                              map[model.PhaseID][]float64
	remedies, prevent                   worths
	volumes                             map[[2]string]*model.FleetVolume
}

// tally counts incidents by a name.
type tally map[string]*model.FleetCount

func newSums() sums {
	return sums{
		causes: tally{}, drivers: tally{}, versions: tally{}, clusters: tally{},
		phases: map[model.PhaseID][]float64{}, remedies: worths{}, prevent: worths{}, volumes: map[[2]string]*model.FleetVolume{},
	}
}

// entry is the value of a key, which is new when there is none.
func entry[K comparable, V any](m map[K]*V, key K, fresh V) *V {
	if m[key] == nil {
		m[key] = &fresh
	}
	return m[key]
}

func (t tally) add(name, page string, isHandover bool, lost model.Range) {
	c := entry(t, name, model.FleetCount{Name: name})
	c.Reports = append(c.Reports, page)
	if isHandover {
		c.Handovers++
		return
	}
	c.Incidents++
	c.SecondsLost = plus(c.SecondsLost, lost)
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

func plus(a, b model.Range) model.Range {
	return model.Range{Best: a.Best + b.Best, Min: a.Min + b.Min, Max: a.Max + b.Max}
}

// add counts one incident.
func (s *sums) add(r record, out *model.Fleet) {
	in := r.incident
	cause := ""
	if len(in.Causes) > 0 {
		cause = in.Causes[0].ID
	}
	lost, benign := in.Span.Seconds, cause == model.CauseHandover
	s.causes.add(cause, r.page, benign, lost)
	s.drivers.add(in.Volume.Driver, r.page, benign, lost)
	s.versions.add(r.version, r.page, benign, lost)
	s.clusters.add(r.cluster, r.page, benign, lost)
	s.addVolume(r, benign, lost)
	if benign {
		out.Handovers++
		return
	}
	out.Incidents++
	out.SecondsLost = plus(out.SecondsLost, lost)
	if in.Span.Open {
		out.Open++
	}
	s.addPhases(in)
	s.addAdvice(in, r.page)
}

// addPhases takes the phases that have ended.
func (s *sums) addPhases(in model.FleetIncident) {
	for i, p := range in.Phases {
		if !in.Span.Open || i < len(in.Phases)-1 {
			s.phases[p.ID] = append(s.phases[p.ID], p.Seconds.Best)
		}
	}
}

// addAdvice counts the first of what is to be done or would have been better, and the first of what prevents the next one.
func (s *sums) addAdvice(in model.FleetIncident, page string) {
	if in.Advice == nil {
		return
	}
	s.remedies.add(slices.Concat(in.Advice.Now, in.Advice.Better), page)
	s.prevent.add(in.Advice.Prevent, page)
}

// worths sums up options by remedy.
type worths map[string]*model.FleetRemedy

// add counts the first of a list.
func (w worths) add(list []model.FleetOption, page string) {
	if len(list) == 0 {
		return
	}
	o := list[0]
	if o.Remedy == "" {
		return // it only finds out
	}
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
	f.SecondsSaved = plus(f.SecondsSaved, *o.Saved)
	if o.DataRisk == model.RiskNone {
		f.SecondsSavedSafe = plus(f.SecondsSavedSafe, *o.Saved)
	}
}

func (s *sums) addVolume(r record, benign bool, lost model.Range) {
	v := r.incident.Volume
	key := [2]string{r.cluster, cmp.Or(v.UniqueName, v.PersistentVolume)}
	name := cmp.Or(v.PersistentVolume, v.UniqueName)
	if v.Claim != nil && v.Claim.Name != "" {
		name = v.Claim.String()
	}
	f := entry(s.volumes, key, model.FleetVolume{Cluster: r.cluster, Volume: name})
	f.Reports = append(f.Reports, r.page)
	if benign {
		f.Handovers++
		return
	}
	f.Incidents++
	f.SecondsLost = plus(f.SecondsLost, lost)
}

// named are the names of reports, each once.
func named(reports []string) []string {
	slices.Sort(reports)
	return append([]string(nil), slices.DeleteFunc(slices.Compact(reports), func(name string) bool { return name == "" })...)
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

func (s *sums) volumeList() []model.FleetVolume {
	out := []model.FleetVolume{}
	for _, v := range s.volumes {
		if v.Incidents+v.Handovers > 1 {
			v.Reports = named(v.Reports)
			out = append(out, *v)
		}
	}
	slices.SortFunc(out, func(a, b model.FleetVolume) int {
		return cmp.Or(cmp.Compare(b.Incidents+b.Handovers, a.Incidents+a.Handovers), cmp.Compare(b.SecondsLost.Best, a.SecondsLost.Best),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Volume, b.Volume))
	})
	return out
}
