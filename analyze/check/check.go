// Package check looks for what is worth acting on outside the incidents, one check to a file. A finding states what was
// seen; it explains no wait.
package check

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Check is one kind of finding.
type Check struct {
	ID       string
	Severity string // info, warning or critical
	Title    string
	Remedy   string
	Doc      Doc
	// Needs are what the bundle must hold for the check to look at all; without one of them its silence means nothing.
	Needs []Need
	// Look leaves out what belongs to a case.
	Look func(*reconstruct.World, []*reconstruct.Case) []Hit
}

// Doc is what volpost explain prints of a check.
type Doc struct {
	Means      string // what a finding says, and why it is worth acting on
	DecidedBy  string
	LeftAlone  string // what looks alike and is no finding
	References []string
}

// Need is an input that a check cannot do without.
type Need struct {
	What    string // as a noun phrase
	Command string // that collects it
	Met     func(*reconstruct.World) bool
	Holds   []string // the kinds of object, or the components whose logs they are, of which one meets it
}

// Hit is one thing that a check found. An empty Severity or Remedy is that of the check.
type Hit struct {
	Objects          []model.Ref
	Text             string
	Shown            []*model.Observation
	Severity, Remedy string
}

// All are the checks, in the order of the report.
var All = append([]Check{
	forcedDetach, failingDetach,

	// attachments, pods and nodes
	attachedTwice, unreadyNodeAttachment, attachmentNodeGone, attachmentVolumeGone, attachmentWithoutPod, attachmentName,
	attachmentPending, attachError, attachmentDeleting, inUseWithoutPod, attachedWithoutAttachment,
	podTerminating, podNotStarting, statefulSetUnreadyNode, tolerateLost, leaderChurn,

	// claims, volumes and classes
	claimNoClass, claimNoVolume, claimNotProvisioned, claimWaitsForPod, volumeReleased, expansionStuck, volumeNoNode, podVolumeConflict,
	classNoNode, immediateBinding, deletePolicy, volumeFull,

	// workloads and drivers
	surgeExclusive, replicasExclusive, claimShared, handleShared, attachLimit, driverMissing, csiController,
}, append(beliefChecks, lookalikeChecks...)...)

// severities are in the order of the report.
var severities = []string{"critical", "warning", "info"}

// Findings runs every check over a world as it was at the newest collection; the severest come first, then the order of All.
func Findings(w *reconstruct.World, cases []*reconstruct.Case, l *evidence.Ledger) []model.Finding {
	out := []model.Finding{}
	w = w.AtCollection()
	for _, c := range All {
		if len(c.Unmet(w)) > 0 {
			continue
		}
		for _, h := range c.Look(w, cases) {
			out = append(out, model.Finding{
				ID: c.ID, Severity: cmp.Or(h.Severity, c.Severity), Title: c.Title, Objects: h.Objects, Text: h.Text,
				Remedy: cmp.Or(h.Remedy, c.Remedy), Evidence: l.Observations(present(h.Shown)),
			})
		}
	}
	out = withoutRepeated(out)
	slices.SortStableFunc(out, func(a, b model.Finding) int {
		return cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity))
	})
	return out
}

// present drops what could not be quoted.
func present(list []*model.Observation) []*model.Observation {
	return slices.DeleteFunc(slices.Clone(list), func(o *model.Observation) bool { return o == nil })
}

// Unmet are the needs that a world does not meet.
func (c Check) Unmet(w *reconstruct.World) []Need {
	var out []Need
	for _, n := range c.Needs {
		if !n.Met(w) {
			out = append(out, n)
		}
	}
	return out
}

// preciseOf names, for a check that goes by an error's text, the checks that find the same fault in the objects and so know its reason.
var preciseOf = []struct {
	text  string
	exact []string
}{
	{"not-multi-attach-node-affinity", []string{"pod-volume-conflict", "volume-no-node"}},
	{"not-multi-attach-resize", []string{"expansion-stuck"}},
	{"not-multi-attach-limit", []string{"attach-limit"}},
	{"not-multi-attach-driver-not-registered", []string{"driver-missing"}},
}

// withoutRepeated drops findings by text whose pods or claims a finding by objects names too: one fault is one finding.
func withoutRepeated(list []model.Finding) []model.Finding {
	named := map[string]map[model.Ref]bool{}
	for _, f := range list {
		for _, p := range preciseOf {
			if !slices.Contains(p.exact, f.ID) {
				continue
			}
			if named[p.text] == nil {
				named[p.text] = map[model.Ref]bool{}
			}
			for _, o := range f.Objects {
				named[p.text][plainRef(o)] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(f model.Finding) bool {
		users := 0
		for _, o := range f.Objects {
			if o.Kind != "Pod" && o.Kind != "PersistentVolumeClaim" {
				continue
			}
			if users++; !named[f.ID][plainRef(o)] {
				return false
			}
		}
		return users > 0 && named[f.ID] != nil
	})
}

// plainRef is a reference without the UID, which Events often lack.
func plainRef(r model.Ref) model.Ref {
	r.UID = ""
	return r
}
