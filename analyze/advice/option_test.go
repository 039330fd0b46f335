package advice

import (
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
