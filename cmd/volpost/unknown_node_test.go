package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// forLostNodes are the remedies that need a lost node: on one of which nothing tells, whether they apply is open.
var forLostNodes = []string{"out-of-service-taint", "force-delete-pod", "delete-node", "fence-node", "delete-volume-attachment",
	"force-delete-pod-and-volume-attachment", "topology-spread"}

// thinner are the views in which nothing tells of the nodes of an incident whose nodes are healthy.
var thinner = map[string]func(path string) bool{
	"events":         func(path string) bool { return strings.Contains(filepath.Base(path), "event") },
	"controller log": func(path string) bool { return isLogFile(path) && strings.Contains(path, "controller-manager") },
	"no nodes": func(path string) bool {
		return !strings.Contains(path, "/nodes") && !strings.Contains(path, "prometheus")
	},
}

// TestUnknownNodeStaysUnknown: where a bundle tells nothing of its nodes, no remedy for lost nodes is refused for the reason that
// the node is Ready, and nothing is foretold of a wait that turns on it. What was really done is never refused.
func TestUnknownNodeStaysUnknown(t *testing.T) {
	open := 0
	for _, s := range recordings.Sweep(samples.List()) {
		whole := sampleFiles(t, s.Name)
		for view, keep := range thinner {
			bundle := only(whole, keep)
			if len(bundle) == 0 {
				continue
			}
			_, r := explained(t, bundle, s.Name)
			for _, i := range r.Incidents {
				open += unknownStays(t, s.Name+", "+view, i)
			}
		}
	}
	if open == 0 {
		t.Error("in no view the state of the node is open")
	}
}

// TestUnknownNodeOfRecordings does the same with the recordings that are no samples.
func TestUnknownNodeOfRecordings(t *testing.T) {
	t.Parallel()
	for _, rec := range recorded(t) {
		whole := files(t, rec.bundle)
		for view, keep := range thinner {
			_, r := explained(t, only(whole, keep), rec.name)
			for _, i := range r.Incidents {
				unknownStays(t, rec.name+", "+view, i)
			}
		}
	}
}

// unknownStays judges one incident, and counts it when the state of its node is open.
func unknownStays(t *testing.T, name string, i model.Incident) int {
	t.Helper()
	for _, m := range i.Remediations {
		if m.WasUsed && m.Effect == "not-applicable" {
			t.Errorf("%s: %s was done and is said to have had nothing to act on: %s", name, m.ID, m.Why)
		}
	}
	if nodeIsTold(i) {
		return 0
	}
	for _, m := range i.Remediations {
		if slices.Contains(forLostNodes, m.ID) && !m.WasUsed && m.Effect != "undecidable" && !strings.Contains(m.Why, "gone already") &&
			!strings.Contains(m.Why, "has no VolumeAttachment") {
			t.Errorf("%s: nothing tells of %s, and %s is %s: %s", name, i.From.Node, m.ID, m.Effect, m.Why)
		}
	}
	if i.MultiAttach.Ended == nil && (i.Model.Withheld == "" || strings.Contains(i.Model.Outlook, "never ends")) {
		t.Errorf("%s: nothing tells of %s, and the outlook is %q", name, i.From.Node, i.Model.Outlook)
	}
	return 1
}

// nodeIsTold reports that the report itself has a word on whether the old node was Ready: its health, its report of the unmount,
// or a detach, which needs one of them.
func nodeIsTold(i model.Incident) bool {
	return slices.ContainsFunc(i.WhyNotDetached, func(o model.Operand) bool {
		switch o.Operand {
		case "node-unhealthy", "detach-succeeded":
			return o.Value != "unknown"
		case "unmounted-by-node":
			return o.Value == "true"
		}
		return false
	})
}
