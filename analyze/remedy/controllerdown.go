package remedy

import (
	"fmt"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// controllerFirst is the step before every act that ends in a detach, where rows show that the driver's controller does not run.
func controllerFirst(i *Incident, r *Remedy) []model.Step {
	if alone := i.Case == nil || i.Case.World == nil; alone || !r.Forces || i.Case.Resolved() {
		return nil
	}
	down := wait.ControllerDown(i.Case.World, i.Case.Volume)
	if down == nil {
		return nil
	}
	text := fmt.Sprintf("bring the driver's controller back first: %s, and without it nothing is detached or attached", wait.DownText(down))
	if command := wait.DownCommand(down); command != "" {
		return []model.Step{{Part: model.StepAct, Text: text, Command: command}}
	}
	if down.Pod.Namespace == "" || name(down.Pod.Name) == "" || name(down.Pod.Namespace) == "" {
		return []model.Step{{Part: model.StepAct, Text: text}}
	}
	return []model.Step{{Part: model.StepAct, Text: text,
		Command: command("kubectl", "logs", "-n", down.Pod.Namespace, down.Pod.Name, "--all-containers", "--previous", "--tail=50")}}
}
