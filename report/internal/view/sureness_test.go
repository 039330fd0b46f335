package view

import (
	"testing"

	"github.com/volpost/volpost/model"
)

// What is missing is named by its source, and one source alone by its file.
func TestSureness(t *testing.T) {
	for missing, want := range map[string]string{
		"whether the node was Ready: the Node object, or its events":                         "the Node object, or its events",
		"the kubelet's log of node-a, which would say what holds the mount":                  "the kubelet's log of node-a",
		"proof that the machine was off, such as the cloud's: a dead kubelet looks the same": "proof that the machine was off",
		"when it went":                      "when it went",
		"the log; it would say: everything": "the log",
	} {
		if got := source(missing); got != want {
			t.Errorf("%s: %q, want %q", missing, got, want)
		}
	}
	for _, c := range []struct {
		s    sureness
		want string
	}{
		{sureness{}, ""},
		{sureness{Verdict: string(model.Confirmed)}, "confirmed"},
		{sureness{Verdict: string(model.Undecidable), Sources: []string{"a/b/events.yaml"}}, "cannot tell from events.yaml alone"},
		{sureness{Verdict: string(model.Likely), Sources: []string{"a", "b"}}, "likely from 2 sources"},
	} {
		if got := c.s.Text(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
	for used, want := range map[int]string{0: "cannot tell from describe.txt alone", 1: "cannot tell"} {
		r := &model.Report{
			Bundle:    model.Bundle{Inputs: []model.Input{{Path: "describe.txt", Used: 1}, {Path: "va.txt", Used: used}}},
			Incidents: []model.Incident{{Causes: []model.Cause{{Verdict: model.Undecidable, For: []string{"e-1"}}}}},
			Evidence:  []model.Evidence{{ID: "e-1", Source: model.Source{Path: "describe.txt"}}},
		}
		v := Of(r, func(s string) string { return s }, nil)
		if got := v.sureness(v.Incident[0]).Text(); got != want {
			t.Errorf("another file has %d: %q, want %q", used, got, want)
		}
	}
}

// A node that the storage alone names is not said to have a VolumeAttachment; that of a wait for a detach is.
func TestHeldByTheStorage(t *testing.T) {
	for kind, want := range map[model.IncidentKind]bool{model.KindStorageRefuses: false, "": true} {
		in := &IncidentView{Incident: model.Incident{Kind: kind, From: model.Place{Node: "node-a"}}}
		if got := heldBy(in) != nil; got != want {
			t.Errorf("%q: %v", kind, got)
		}
	}
}

// Of an attachment's object that is in the bundle it is said that nobody had requested its deletion; of its name alone, or beside what the
// controller waited for, it is not.
func TestHeldUnasked(t *testing.T) {
	name, asked := "csi-1", &model.Moment{}
	object := model.BlockingAttachment{Name: &name, UID: "u-1"}
	requested, named := object, object
	requested.DeletionRequestedAt, named.UID = asked, ""
	for _, c := range []struct {
		b    model.BlockingAttachment
		why  []model.Operand
		want bool
	}{
		{object, nil, true}, {requested, nil, false}, {named, nil, false},
		{object, []model.Operand{{Decides: true, Text: "The pod runs."}}, false},
	} {
		in := &IncidentView{Incident: model.Incident{BlockingAttachment: c.b, WhyNotDetached: c.why}}
		if got := heldBy(in).Unasked; (got != "") != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
