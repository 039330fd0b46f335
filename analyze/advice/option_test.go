package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestOffered: what is not known to help is offered where its act has a command; a command that only looks is none.
func TestOffered(t *testing.T) {
	look, act := model.Step{Part: model.StepProve, Command: "kubectl get node n"}, model.Step{Part: model.StepAct, Command: "kubectl taint node n"}
	told := model.Step{Part: model.StepAct, Text: "no command is given: a name is not known"}
	for _, c := range []struct {
		effect string
		steps  []model.Step
		want   bool
	}{
		{model.EffectUndecidable, []model.Step{look, act}, true},
		{model.EffectUndecidable, []model.Step{look, told}, false},
		{model.EffectShortens, []model.Step{look, told}, true},
		{model.EffectNone, []model.Step{look, act}, false},
	} {
		if got := offered(model.Remediation{Effect: c.effect, Steps: c.steps}); got != c.want {
			t.Errorf("%s %v: %t", c.effect, c.steps, got)
		}
	}
}

// TestWorthwhile: of 600 s an option of seconds stands behind one of minutes that risks no more, and is left out there.
func TestWorthwhile(t *testing.T) {
	option := func(saved float64, risk string) model.Option {
		return model.Option{Saved: &model.Range{Best: saved, Min: saved, Max: saved}, DataRisk: risk}
	}
	for _, c := range []struct {
		list []model.Option
		want string
	}{
		{[]model.Option{option(480, model.RiskNone), option(59, model.RiskNone)}, "480"},
		{[]model.Option{option(480, model.RiskNone), option(60, model.RiskNone)}, "480 60"},
		{[]model.Option{option(5, model.RiskNone), option(480, model.RiskNone)}, "480"},
		{[]model.Option{option(5, model.RiskNone), option(480, model.RiskOnceProven)}, "5 480"}, // more risk does not come first
		{[]model.Option{option(5, model.RiskNone), option(4, model.RiskNone)}, "5 4"},
	} {
		var got []string
		for _, o := range worthwhile(c.list, 600) {
			got = append(got, fmt.Sprint(o.Saved.Best))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s, want %s", text, c.want)
		}
	}
}

// TestPreventsWhatIsKnown: an upgrade prevents an error of the version, or brings the taint; where nothing is established it is no answer.
func TestPreventsWhatIsKnown(t *testing.T) {
	for _, s := range situations {
		want := s.name == "error of the version" || s.name == "node lost, no taint"
		if got := slices.Contains(s.prevent, "upgrade-kubernetes"); got != want {
			t.Errorf("%s: an upgrade is offered: %v", s.name, got)
		}
	}
}
