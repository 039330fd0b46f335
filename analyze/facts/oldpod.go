package facts

import "github.com/volpost/volpost/model"

// Family is what the names of a workload's pods have in common: the Deployment, or the name that comes again.
func Family(pod model.Ref) string {
	if deployment, ok := DeploymentName(pod.Name); ok {
		return pod.Namespace + "/" + deployment + "/"
	}
	return pod.Namespace + "/" + pod.Name
}
