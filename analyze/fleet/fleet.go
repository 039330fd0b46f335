// Package fleet sums up many reports: incidents by cause, driver, version and cluster, lengths of phases, and what each remedy would have
// saved. It keeps some hundred bytes of each incident.
package fleet

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// Fleet collects reports. The zero value is ready; the order in which reports are added does not matter.
type Fleet struct {
	reports, insufficient, repeated int
	incidents                       map[string]record
	faults                          []model.FleetFault
	skipped                         []model.Problem
}

// record is what is kept of one incident.
type record struct {
	at       time.Time // of the collection
	from     string    // the report
	page     string    // what a reader opens of it
	incident model.FleetIncident
	cluster  string
	version  string
}

// Add takes a report; from names it.
func (f *Fleet) Add(from string, r *model.FleetReport) {
	if f.incidents == nil {
		f.incidents = map[string]record{}
	}
	f.reports++
	switch r.Verdict.Status {
	case model.StatusInsufficient:
		f.insufficient++
	case model.StatusFault:
		f.faults = append(f.faults, model.FleetFault{Report: cmp.Or(r.Page, from), Headline: r.Verdict.Headline})
	}
	for _, in := range r.Incidents {
		now := record{from: from, page: r.Page, incident: in, cluster: clusterOf(r, in), version: minor(r.Bundle.KubernetesVersion)}
		if at := r.Bundle.CapturedAt; at != nil {
			now.at = at.At
		}
		// The identifier is made of volume, node and time; two clusters can share it only where volumes have plain names.
		key := now.cluster + "|" + in.ID
		was, again := f.incidents[key]
		if again {
			f.repeated++
		}
		if !again || now.later(was) {
			f.incidents[key] = now
		}
	}
}

// later reports whether a record is of a later collection, and of two of one time whether its name comes first.
func (r record) later(o record) bool {
	return cmp.Or(r.at.Compare(o.at), cmp.Compare(o.from, r.from)) > 0
}

// Skip notes a file that is no report.
func (f *Fleet) Skip(p model.Problem) { f.skipped = append(f.skipped, p) }

// clusterOf names the cluster of an incident: as the bundle of several clusters does, else by the fingerprint. A report without names is
// one of its own: its pseudonyms, those of its incidents too, are other things in the next.
func clusterOf(r *model.FleetReport, in model.FleetIncident) string {
	if r.Redaction != nil {
		return r.Redaction.Key
	}
	b := r.Bundle
	if in.Cluster != "" || len(b.Identities) == 0 {
		return in.Cluster
	}
	// Both kinds come from one cluster; OpenShift's is there in must-gathers only.
	i := slices.IndexFunc(b.Identities, func(id string) bool { return strings.HasPrefix(id, model.IdentityKubeSystem) })
	return b.Identities[max(i, 0)]
}

// minor is major.minor of a version such as v1.34.3.
func minor(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// Result sums up what was added.
func (f *Fleet) Result(version string) *model.Fleet {
	out := &model.Fleet{
		Schema: model.FleetVersion, Generator: model.Generator{Name: "volpost", Version: version},
		Reports: f.reports, Insufficient: f.insufficient, Repeated: f.repeated, Skipped: append([]model.Problem{}, f.skipped...),
	}
	slices.SortFunc(out.Skipped, func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message))
	})
	out.Faults = slices.SortedFunc(slices.Values(f.faults), func(a, b model.FleetFault) int {
		return cmp.Or(cmp.Compare(a.Report, b.Report), cmp.Compare(a.Headline, b.Headline))
	})
	s := newSums()
	for _, k := range slices.Sorted(maps.Keys(f.incidents)) { // whatever the order of the reports: sums of seconds have to be the same
		s.add(f.incidents[k], out)
	}
	out.Causes, out.Drivers, out.Versions, out.Clusters = s.causes.list(), s.drivers.list(), s.versions.list(), s.clusters.list()
	out.Phases, out.Remedies, out.Prevent, out.Volumes = s.phaseList(), s.remedies.list(), s.prevent.list(), s.volumeList()
	return out
}
