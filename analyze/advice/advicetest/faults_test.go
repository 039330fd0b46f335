package advicetest

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

func second(s int) model.Moment {
	return model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC).Add(time.Duration(s) * time.Second))
}

func exactly(s float64) *model.Range { return &model.Range{Best: s, Min: s, Max: s} }

// sound is an incident of 600 s with sound advice: the taint in the place of a forced deletion after 100 s.
func sound() model.Incident {
	taint, force, at, early := "out-of-service-taint", "force-delete-pod", second(100), second(90)
	look := model.Step{Command: "kubectl get node n"}
	over := second(590)
	i := model.Incident{Span: model.Span{From: second(0), To: second(600), Seconds: *exactly(600)}, Causes: []model.Cause{{ID: model.CauseNodeDown}},
		Advice: &model.Advice{Floor: exactly(110), Done: []model.DoneAct{{Remedy: &force, At: &at}}, Now: []model.Option{{Steps: []model.Step{look}}},
			Better: []model.Option{{Remedy: taint, At: &at, Saved: exactly(480)}, {Remedy: force, At: &early, Saved: exactly(10)}}}}
	i.MultiAttach.Ended = &over
	for n := range 6 {
		i.Advice.Curve = append(i.Advice.Curve, model.CurvePoint{Act: second(120 * n), Ready: second(min(120*n+20, 600))})
	}
	return i
}

// TestFaults: each rule of the advice is found to be broken, and the least that breaks none is not.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		change func(*model.Incident)
		want   string
	}{
		{func(*model.Incident) {}, ""},
		{func(i *model.Incident) { i.Span.Open = true }, ""},
		{func(i *model.Incident) { i.Span.Open, i.Advice.Now[0].Steps[0].Command = true, "" }, "no command"},
		{func(i *model.Incident) { i.Span.Open, i.Advice.Now = true, nil }, "no command"},
		{func(i *model.Incident) { i.Span.Open, i.Advice.Now, i.Causes[0].ID = true, nil, model.CauseHandover }, ""},
		{func(i *model.Incident) { i.Advice.Prevent = make([]model.Option, 3) }, ""},
		{func(i *model.Incident) { i.Advice.Prevent = make([]model.Option, 4) }, "4 options prevent"},
		{func(i *model.Incident) { i.Advice.Better[0].DataRisk = model.RiskCertain }, "surely harms"},
		{func(i *model.Incident) { i.Advice.Better[0].Saved = exactly(490) }, ""},
		{func(i *model.Incident) { i.Advice.Better[0].Saved = exactly(492) }, "over the floor"},
		{func(i *model.Incident) { i.Advice.Better[1].At = i.Advice.Done[0].At }, "was done at"},
		{func(i *model.Incident) { i.Advice.Curve = i.Advice.Curve[:4] }, "a curve of 4 points"},
		{func(i *model.Incident) { i.Advice.Curve[5].Ready = second(602) }, "above the incident"},
		{func(i *model.Incident) {
			i.Advice.Curve[5].Ready, i.Model = second(602), &model.ReplayModel{ObservedSeconds: &exactly(602).Best}
		}, ""},
		{func(i *model.Incident) { i.Advice.Curve[5].Act = second(599) }, ""},
		{func(i *model.Incident) { i.Advice.Curve[5].Act = second(598) }, "the curve ends at"},
		{func(i *model.Incident) { i.Advice.Curve[2].Ready = second(239) }, ""},
		{func(i *model.Incident) { i.Advice.Curve[2].Ready = second(238) }, "before the act"},
		{func(i *model.Incident) { i.Advice.Curve[2].Ready = second(500) }, ""},
		{func(i *model.Incident) { i.Advice.Curve[2].Ready = second(501) }, "falls by"},
	} {
		i := sound()
		c.change(&i)
		if got := strings.Join(Faults(i), "; "); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
