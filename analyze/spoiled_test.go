package analyze_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// spoilings make a report tell two stories, one for each rule: the rule has to refuse what they make.
var spoilings = map[string]func(*model.Report){
	"the headline's incident": func(r *model.Report) { r.Verdict.Incident = "i-of-another-report" },
	"two short sentences": func(r *model.Report) {
		r.Verdict.Why = "The claim " + r.Verdict.Headline + " " + r.Verdict.Headline + " " + r.Verdict.Headline
	},
	"each incident is in one group": func(r *model.Report) {
		r.Groups = append(r.Groups, r.Groups[0])
	},
	"a confirmed cause stands": func(r *model.Report) {
		i := &r.Incidents[0]
		i.Causes = []model.Cause{{ID: "node-reclaimed", Verdict: model.Likely, Explains: "release"},
			{ID: "node-down", Verdict: model.Confirmed, Explains: "release"}}
		r.Groups[0].Cause = "node-reclaimed"
	},
	"causes that exclude": func(r *model.Report) {
		i := &r.Incidents[0]
		i.Causes = append(i.Causes, model.Cause{ID: "kubelet-down", Verdict: model.Likely, Explains: "detection"},
			model.Cause{ID: "node-down", Verdict: model.Confirmed, Explains: "eviction"})
	},
	"the lives of an attachment": func(r *model.Report) {
		b := &r.Incidents[0].BlockingAttachment
		b.Lives = append(b.Lives, model.AttachmentLife{CreatedAt: b.Lives[0].CreatedAt})
	},
	"a phase is named by the state": func(r *model.Report) {
		for n := range r.Incidents[0].Phases {
			if p := &r.Incidents[0].Phases[n]; p.ID == model.PhaseUnmountWait {
				p.ID = model.PhaseAttach
			}
		}
	},
	"resolved is neither": func(r *model.Report) { r.Incidents[0].Resolved, r.Incidents[0].Span.Open = true, true },
	"an integrity window": func(r *model.Report) {
		for n := range r.Incidents[0].WhyNotDetached {
			if o := &r.Incidents[0].WhyNotDetached[n]; o.Operand == "unmounted-by-node" {
				at := model.Exactly(time.Unix(1, 0))
				o.Until = &at
			}
		}
		r.Incidents[0].IntegrityWindow = &model.IntegrityWindow{Text: "two writers"}
	},
	"what is not known of the node": func(r *model.Report) {
		for n := range r.Incidents[0].WhyNotDetached {
			if o := &r.Incidents[0].WhyNotDetached[n]; o.Operand == "node-unhealthy" {
				o.Value = model.Unknown
			}
		}
		r.Incidents[0].Model.Outlook = "If nothing is done, the wait never ends: the node is Ready and does not report the unmount."
	},
	"a pod that still exists": func(r *model.Report) {
		r.Graph.Nodes = nil
		r.Incidents[0].Causes[0].Summary = "node-a was not Ready; its pod object still exists and counts as a user."
	},
	"before Multi-Attach nothing": func(r *model.Report) { r.Incidents[0].Kind = model.KindBeforeMultiAttach },
	"what sets the length": func(r *model.Report) {
		for n := range r.Incidents[0].Phases {
			if p := &r.Incidents[0].Phases[n]; p.ID == model.PhaseUnmountWait {
				p.GovernedBy = &model.Governor{Parameter: "terminationGracePeriodSeconds", Value: "30 s"}
			}
		}
	},
	"what a cause misses": func(r *model.Report) {
		r.Incidents[0].Causes[0].Missing = []string{"whether the node was Ready: its events"}
	},
	"at most one operand": func(r *model.Report) {
		for n := range r.Incidents[0].WhyNotDetached {
			r.Incidents[0].WhyNotDetached[n].Decides = true
		}
	},
	"who stops a pod": func(r *model.Report) {
		i := &r.Incidents[0]
		i.Remediations = append(i.Remediations, model.Remediation{ID: "delete-old-pod", Effect: "shortens",
			Commands: []string{"kubectl delete pod -n prod web-0"}})
	},
}

// TestSpoiledReportsAreRefused: each rule refuses the report that breaks it, and the report as it was breaks none.
func TestSpoiledReportsAreRefused(t *testing.T) {
	whole := parseCase(t, "testdata/unmount-stuck/yes-forced-1.23.txtar").report(t)
	if found := contradictions(whole); len(found) > 0 {
		t.Fatalf("the report to spoil contradicts itself: %v", found)
	}
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range storyRules {
		var r model.Report
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		spoiled := false
		for begins, spoil := range spoilings {
			if strings.HasPrefix(rule.name, begins) {
				spoil(&r)
				spoiled = true
			}
		}
		if !spoiled {
			t.Errorf("nothing spoils a report for: %s", rule.name)
		} else if len(rule.look(&r)) == 0 {
			t.Errorf("a report is accepted that breaks: %s", rule.name)
		}
	}
}
