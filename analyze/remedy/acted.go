package remedy

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// taintedBy is the program that put the out-of-service taint on the old node; empty when none did, or it is not known.
func (i *Incident) taintedBy() string {
	for _, a := range i.Scenario.Actions {
		if a.What == reconstruct.TaintedOutOfService && a.Object.Name == i.Case.From && a.ByPerson == model.False && a.By != "" {
			return words.Capital(a.By)
		}
	}
	return ""
}

// newPodObject is a copy of a pod that waited.
func (i *Incident) newPodObject() (*corev1.Pod, bool) {
	for _, ref := range i.Case.NewPods {
		if pod, ok := i.Case.World.Pod(ref); ok {
			return pod.Value(), true
		}
	}
	return nil, false
}

// resource is a kind as kubectl takes it in kind/name.
func resource(kind string) string { return strings.ToLower(kind) }
