// Package check looks for what is worth acting on outside the incidents, a file to a subject. A finding states what was seen, no reason.
package check

import (
	"cmp"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// Check is one kind of finding. docs/checks.md says of each what it means, what decides it, and what looks alike and is left alone.
type Check struct {
	ID       string
	Severity string // info, warning or critical
	Title    string
	Remedy   string
	Happened bool // what it finds happened, and is no state that goes on
	// Needs are what the bundle must hold for the check to look at all; without one of them its silence means nothing.
	Needs []Need
	// Look leaves out what belongs to a case.
	Look func(w *facts.World, cases []*reconstruct.Case, hit func(Hit))
}

// Hit is one thing that a check found. An empty Severity or Remedy is that of the check.
type Hit struct {
	Objects          []model.Ref
	Text             string
	Shown            []*model.Observation
	Severity, Remedy string
	Since            metav1.Time // from when it was so at the latest, as an object has it; zero where what is shown dates it, or nothing does
}

// All are the checks, in the order of the report.
func All() []Check { return slices.Clone(all) }

var all = append([]Check{
	// pods that wait, and what keeps their volumes; the first of the severest is the headline of a report without an incident
	podNotStarting, attachError, podVolumeFails, podTerminating, rowsTerminating, unmountFails, statefulSetUnreadyNode, failingDetach, attachmentDeleting, attachmentPending, rowsAttachmentPending,

	// attachments and nodes
	attachedTwice, rowsAttachedTwice, unreadyNodeAttachment, rowsUnreadyNode, attachmentNodeGone, rowsNodeGone, attachmentVolumeGone, attachmentWithoutPod,
	inUseWithoutPod, attachedWithoutAttachment, rowsNotStarting, forcedDetach, tolerateLost,

	// claims, volumes and classes
	claimNoClass, claimNoVolume, claimNotProvisioned, claimToldUnprovisioned, claimToldUnexpanded, claimWaitsForPod, volumeReleased, expansionStuck, volumeNoNode, podVolumeConflict,
	classNoNode, immediateBinding, deletePolicy, volumeFull,

	// workloads and drivers
	surgeExclusive, replicasExclusive, claimShared, handleShared, attachLimit, driverMissing, csiController,

	// popular accounts
	statefulSetReplaces, evictionTimeout, forcedAfterLoss, nodeDeletionDetaches, attachmentDeletionFrees, secondAttachment,
}, lookalikeChecks...)

// severities are in the order of the report.
var severities = []string{"critical", "warning", "info"}

// Findings runs every check over a world as it was at the newest collection; the severest come first, then the order of All.
func Findings(w *facts.World, cases []*reconstruct.Case, l *evidence.Ledger) []model.Finding {
	out := []model.Finding{}
	w = w.AtCollection()
	for _, c := range all {
		if len(c.Unmet(w)) > 0 {
			continue
		}
		c.Look(w, cases, func(h Hit) {
			out = append(out, model.Finding{
				ID: c.ID, Severity: cmp.Or(h.Severity, c.Severity), Title: c.Title, Objects: h.Objects, Text: h.Text,
				Remedy: cmp.Or(h.Remedy, c.Remedy), Since: h.since(), Evidence: l.Observations(present(h.Shown)),
			})
		})
	}
	out = withoutRepeated(out)
	slices.SortStableFunc(out, func(a, b model.Finding) int {
		return cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity))
	})
	return out
}

// since is when what was found is known to have been so: by the object's own time, else by the first dated statement that is shown.
func (h Hit) since() *model.Moment {
	if !h.Since.IsZero() {
		m := model.WholeSecond(h.Since.Time)
		return &m
	}
	var out *model.Moment
	for _, o := range present(h.Shown) {
		if !o.At.IsZero() && o.At.Missing() == "" && o.At.Basis != model.Assumed && (out == nil || o.At.At.Before(out.At)) {
			m := o.At
			out = &m
		}
	}
	return out
}

// present drops what could not be quoted.
func present(list []*model.Observation) []*model.Observation {
	return only(list, func(o *model.Observation) bool { return o != nil })
}

// Unmet are the needs that a world does not meet.
func (c Check) Unmet(w *facts.World) []Need {
	return only(c.Needs, func(n Need) bool { return !n.Met(w) })
}

// preciseOf names, for a check that goes by an error's text, the checks that find the same fault in the objects and so know its reason.
var preciseOf = map[string][]string{
	"not-multi-attach-node-affinity":         {podVolumeConflict.ID, volumeNoNode.ID},
	"not-multi-attach-resize":                {expansionStuck.ID},
	"not-multi-attach-limit":                 {attachLimit.ID},
	"not-multi-attach-driver-not-registered": {driverMissing.ID},
	"not-multi-attach-mount":                 {podNotStarting.ID},
}

// withoutRepeated drops findings by text whose pods or claims a finding by objects names too: one fault is one finding.
func withoutRepeated(list []model.Finding) []model.Finding {
	type about struct {
		check string
		model.Ref
	}
	named, exact := map[about]bool{}, slices.Concat(slices.Collect(maps.Values(preciseOf))...)
	for _, f := range only(list, func(f model.Finding) bool { return slices.Contains(exact, f.ID) }) {
		for _, o := range f.Objects {
			named[about{f.ID, plainRef(o)}] = true
		}
	}
	return slices.DeleteFunc(list, func(f model.Finding) bool {
		users := only(f.Objects, func(o model.Ref) bool { return o.Kind == "Pod" || o.Kind == "PersistentVolumeClaim" })
		return len(users) > 0 && !slices.ContainsFunc(users, func(o model.Ref) bool {
			return !slices.ContainsFunc(preciseOf[f.ID], func(id string) bool { return named[about{id, plainRef(o)}] })
		})
	})
}

// plainRef is a reference without the UID, which Events often lack.
func plainRef(r model.Ref) model.Ref {
	r.UID = ""
	return r
}
