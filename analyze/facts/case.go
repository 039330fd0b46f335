package facts

import "github.com/volpost/volpost/model"

// OfPod tests for what is about a pod, by its UID too.
func OfPod(p model.Ref) func(*model.Observation) bool {
	return func(o *model.Observation) bool { return o.Pod.Is(p) }
}
