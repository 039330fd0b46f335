package view

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// second is so many seconds after the first instant of these tests.
func second(s float64) model.Moment {
	return model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC).Add(time.Duration(s * float64(time.Second))))
}

// advised is an incident of 600 s whose old Node was deleted 100 s after its beginning; a taint would have been better then.
func advised() *model.Report {
	act, ready, nothing := second(100), second(120), 0
	taint := model.Remediation{ID: "out-of-service-taint", Title: "Taint", Effect: model.EffectNotApplicable, Kind: model.Reactive,
		DataRisk: model.RiskOnceProven, Why: "There is nothing to taint.",
		Safety: model.Safety{Needs: []model.Need{{Text: "n no longer writes: the machine is off, or its access is cut.", Met: model.NotKnown}}}}
	used := model.Remediation{ID: "delete-node", Title: "Delete", Effect: model.EffectShortens, Kind: model.Reactive, WasUsed: true}
	end := second(590)
	grace := model.Remediation{ID: "faster-node-detection", Title: "Sooner", Effect: model.EffectShortens, Kind: model.Preventive,
		SavedSeconds: &model.Range{Best: 10, Min: 10, Max: 10}, PredictedEnd: &end, DataRisk: model.RiskNone,
		PredictedPhases: []model.Phase{{ID: model.PhaseRelease, From: second(0), To: end, Seconds: model.Range{Best: 590}}}}
	better := model.Option{Remedy: "out-of-service-taint", Title: "Taint n out of service", At: &act, Anchor: model.AnchorAct, InsteadOf: &nothing,
		Saved: &model.Range{Best: 480, Min: 470, Max: 490}, ReadyAt: &ready, DataRisk: model.RiskOnceProven, Effort: model.EffortCommand}
	wait := []model.Phase{{ID: model.PhaseRelease, From: second(0), To: second(200), Seconds: model.Range{Best: 200}},
		{ID: model.PhaseMount, From: second(200), To: second(600), Seconds: model.Range{Best: 400}}}
	in := model.Incident{ID: "i", Phases: wait, Remediations: []model.Remediation{grace, used, taint},
		Span: model.Span{From: second(0), To: second(600), Seconds: model.Range{Best: 600, Min: 600, Max: 600}, StartsAt: "last-heartbeat"},
		Advice: &model.Advice{Better: []model.Option{better}, Floor: &model.Range{Best: 60, Min: 60, Max: 60},
			Done: []model.DoneAct{{What: "Node n was deleted", Remedy: &used.ID, At: &act, Effect: model.ActLengthened,
				Saved: &model.Range{Best: -30, Min: -40, Max: -20}}}}}
	ended := second(590)
	in.MultiAttach.Began, in.MultiAttach.Ended = second(50), &ended
	for n := range 6 {
		at := float64(50 + 100*n)
		in.Advice.Curve = append(in.Advice.Curve, model.CurvePoint{Act: second(at), Ready: second(min(at+20, 600))})
	}
	return &model.Report{Verdict: model.ReportVerdict{Status: model.StatusIncident, Incident: "i"}, Incidents: []model.Incident{in}}
}

// Headline, table, bars and steps have the remedy, the moment and the seconds of the advice, whatever the remediation says of itself.
func TestAdviceIsOneEverywhere(t *testing.T) {
	v := New(advised())
	in := v.Incident[0]
	first, helps := in.Advice().First(), in.Story().Remedies.Helps
	if want := "Taint n out of service instead"; first.Name != want || helps[0].ID != first.Remedy {
		t.Errorf("%q, and the table begins with %q", first.Name, helps[0].ID)
	}
	if want := "8 min sooner (7 min 50 s–8 min 10 s): Ready at 10:02:00 if done at 10:01:40"; first.Effect() != want || helps[0].Sentence != want+"." {
		t.Errorf("%q, and in the table %q", first.Effect(), helps[0].Sentence)
	}
	if first.Risk != "no data risk if the machine is verified off" {
		t.Errorf("risk %q", first.Risk)
	}
	if len(helps) != 2 || helps[1].ID != "faster-node-detection" || helps[1].Number != 0 { // what was used is told as an act
		t.Errorf("the other remedies are %v", helps)
	}
	stack := in.Story().Remedies.Fall.Stacks[1]
	if stack.Duration != "2 min" || len(stack.Parts) != 2 || stack.Parts[1].ID != model.PhaseUndivided {
		t.Errorf("its bar is %+v", stack)
	}
	a := v.Answer()
	if a.Tense != "Better at that moment" || a.Advice.Floor != "No action could have made it shorter than 1 min." {
		t.Errorf("%q, %q", a.Tense, a.Advice.Floor)
	}
	for _, h := range helps {
		if h.WasUsed && h.Sentence != "10:01:40 Node n was deleted, by an unknown user: made it longer; cost 30 s (20 s–40 s)." {
			t.Errorf("what was used: %q", h.Sentence)
		}
	}
}

// Without advice, as in a report of an earlier version, nothing of it is said and the order is the old one.
func TestNoAdvice(t *testing.T) {
	r := advised()
	r.Incidents[0].Advice = nil
	v := New(r)
	if a := v.Answer(); a.Advice != nil || a.Advice.First() != nil || v.Incident[0].Story().Remedies.Advised {
		t.Errorf("%+v", a.Advice)
	}
}

// TestNothing: that no act is known is said of a wait whose cause is known; of another nothing can be told.
func TestNothing(t *testing.T) {
	for verdict, want := range map[model.Verdict]string{model.Likely: "No safe act is known", model.Undecidable: "What would have ended it sooner is not known"} {
		r := advised()
		r.Incidents[0].Causes = []model.Cause{{ID: model.CauseUnknown, Verdict: verdict}}
		if got := New(r).Incident[0].Advice().Nothing; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", verdict, got)
		}
	}
}

// An act that harmed stays in a short list, wherever it stands; the order is that of time.
func TestShownActs(t *testing.T) {
	a := AdviceView{}
	for n := range 6 {
		a.Done = append(a.Done, DoneView{Text: string(rune('a' + n)), DoneAct: model.DoneAct{Effect: model.ActNone}})
	}
	a.Done[4].DoneAct.Effect = model.ActCaused
	var got []string
	for _, d := range a.Shown(3) {
		got = append(got, d.Text)
	}
	if strings.Join(got, "") != "abe" || a.MoreActs(3) != "3 more" || a.MoreActs(6) != "" {
		t.Errorf("%q", got)
	}
}

// What is to be done now is told by how soon it is over; a saving that cannot be told says why.
func TestWorthOfAnOption(t *testing.T) {
	in := New(advised()).Incident[0]
	ready := second(615)
	in.Span.To.Earliest, in.Span.To.Latest = in.Span.To.At.Add(-5*time.Second), in.Span.To.At.Add(5*time.Second) // now is one moment
	for _, c := range []struct {
		option model.Option
		want   string
	}{
		{model.Option{Anchor: model.AnchorCollection, ReadyAt: &ready, Why: "It never ends."}, "Ready in 15 s if done now"},
		{model.Option{Anchor: model.AnchorBefore, Why: "Nothing tells."}, "saving not known: nothing tells"},
		{model.Option{Why: "Withheld: it turns on a node. Nothing tells its state; its Lease would."}, "saving not known: nothing tells its state"},
		{model.Option{Anchor: model.AnchorBefore, Saved: &model.Range{}}, "saves nothing here"},
		{model.Option{Anchor: model.AnchorBefore, Saved: &model.Range{Best: -5, Min: -5, Max: -5}}, "5 s later"},
		{model.Option{Anchor: model.AnchorBefore, Saved: &model.Range{Best: 5, Min: 5, Max: 5}}, "5 s sooner"},
	} {
		o := in.optionView(c.option)
		if got := o.Effect(); got != c.want || o.Told() == strings.HasPrefix(got, "saving not known") {
			t.Errorf("%q, want %q; told: %v", got, c.want, o.Told())
		}
	}
}

// The curve has its marks in the order of time, letters that do not collide, and its first and last number in words.
func TestCurve(t *testing.T) {
	c := New(advised()).Incident[0].Advice().Curve
	var marks []string
	for _, m := range c.Marks {
		marks = append(marks, m.Letter+m.Kind+strings.Repeat("+", m.Row))
	}
	if got := strings.Join(marks, " "); got != "Aoption Bdone+ Cend" {
		t.Errorf("marks %s", got)
	}
	if c.Marks[0].Y != 0.2 || c.Asis != 1 || c.Floor != 0.1 || c.Points[0].X != 0 || c.Lasted != "10 min" {
		t.Errorf("%+v", c)
	}
	if text := c.Numbers(); !strings.HasPrefix(text, "Done at 10:00:50: moving 1 min 10 s; ") || !strings.HasSuffix(text, "at 10:09:10: moving 9 min 30 s.") {
		t.Error(text)
	}
	r := advised()
	r.Incidents[0].Span.Open = true
	last := &r.Incidents[0].Advice.Curve[5].Ready
	last.Latest = last.At.Add(time.Minute)
	if c := New(r).Incident[0].Advice().Curve; c.Asis != 0 || c.Top != "9 min 30 s" || strings.Contains(c.Spoken(), "as it was") {
		t.Errorf("of an open incident %+v", c)
	}
	r.Incidents[0].Advice.Curve = r.Incidents[0].Advice.Curve[:1]
	if c := New(r).Incident[0].Advice().Curve; c != nil {
		t.Errorf("of one point %+v", c)
	}
}

// What else there is says whether it has ended; what prevents a next wait says that its saving is not known.
func TestOthersAndBriefly(t *testing.T) {
	r := advised()
	open, over := r.Incidents[0], r.Incidents[0]
	open.ID, over.ID, open.Span.Open = "open", "over", true
	r.Incidents = append(r.Incidents, over, open)
	got := OtherTexts(New(r).Answer().Others)
	if len(got) != 2 || !strings.HasSuffix(got[0], ", still blocked after 10 min") || !strings.HasSuffix(got[1], ", ended after 10 min") {
		t.Errorf("%q", got)
	}
	in := New(advised()).Incident[0]
	for want, saved := range map[string]*model.Range{"saving not known, setting": nil, "saves 1 min, setting": {Best: 60, Min: 60, Max: 60}} {
		if got := in.optionView(model.Option{Saved: saved, Effort: model.EffortSetting}).Brief(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A short timeline has what bounds a phase once, what was done in the words of the advice, no hash, and its end however short it is.
func TestMilestones(t *testing.T) {
	r := advised()
	in := &r.Incidents[0]
	in.Volume.Claim, in.Volume.PersistentVolume = &model.Ref{Namespace: "shop", Name: "data"}, "pvc-0"
	in.Phases[0].To.Evidence, in.Span.To.Evidence = []string{"e1", "e2"}, nil
	in.Phases[1].To.Evidence, in.Advice.Done[0].Evidence = []string{"e4"}, []string{"e3"}
	item := func(at float64, text, evidence string) {
		r.Timeline = append(r.Timeline, model.TimelineItem{At: second(at), Text: text, Evidence: []string{evidence}, Incidents: []string{"i"}})
	}
	item(100, "an unknown actor deleted n", "e3")
	item(200, "VolumeAttachment csi-0123456789ab… of pvc-0 is gone", "e1")
	item(201, "the same again", "e2")
	item(600, "pod p is Ready", "e4")
	got := func(most int) string {
		texts := Each(New(r).Incident[0].Milestones(most), func(m Milestone) string { return m.Time + " " + m.Text })
		return strings.Join(texts, "\n")
	}
	want := "10:01:40 Node n was deleted, by an unknown user\n10:03:20 VolumeAttachment of data is gone\n"
	if text := got(15); text != want+"10:03:21 The same again\n10:10:00 Pod p is Ready" {
		t.Error(text)
	}
	if text := got(2); text != "10:01:40 Node n was deleted, by an unknown user\n10:10:00 Pod p is Ready" {
		t.Error(text)
	}
}
