package upstream

import (
	"cmp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// Actor is the sender of a request, as far as the user, the client and the field manager show it.
type Actor struct {
	Name   string      // for a sentence, such as "pod GC" or "a person with kubectl"; empty when not recorded
	Person model.Truth // False for a program of the cluster; Unknown for what a person and a script do alike
}

// AnnouncesNodeDeletion: the cloud's node lifecycle controller writes its event DeletingNode before it deletes the Node (1.13–1.36).
func AnnouncesNodeDeletion(component string) bool {
	return component == "cloud-node-lifecycle-controller" || component == "cloud-node-controller"
}

// IsAttachDetachController: its own account or, without --use-service-account-credentials, that of kube-controller-manager.
func IsAttachDetachController(user string) bool {
	return user == accountPrefix+"kube-system:attachdetach-controller" || user == "system:kube-controller-manager"
}

// own are kube-controller-manager's controllers by service account (cmd/kube-controller-manager/names, 1.13–1.36).
var own = map[string]string{
	"attachdetach-controller": "the attach/detach controller", "pod-garbage-collector": "pod GC",
	"taint-eviction-controller": "taint eviction", "node-controller": "the node lifecycle controller",
	"replicaset-controller": "the ReplicaSet controller", "deployment-controller": "the Deployment controller",
	"statefulset-controller": "the StatefulSet controller", "daemon-set-controller": "the DaemonSet controller",
	"job-controller": "the Job controller", "namespace-controller": "the namespace controller",
	"generic-garbage-collector": "the garbage collector", "horizontal-pod-autoscaler": "the horizontal pod autoscaler",
	"ttl-controller": "the TTL controller",
}

// programs act on pods, nodes and VolumeAttachments; by user, service account, program of the user agent or field manager.
var programs = map[string]string{
	"system:kube-scheduler": "the scheduler", "kube-scheduler": "the scheduler",
	"system:kube-controller-manager": "kube-controller-manager", "kube-controller-manager": "kube-controller-manager",
	"system:apiserver": "the API server", "kubelet": "a kubelet",
	"cloud-node-lifecycle-controller": "the cloud node lifecycle controller", "cloud-node-controller": "the cloud node controller",
	"system:cloud-controller-manager": "the cloud controller manager", "trident_orchestrator": "Trident",
}

// ExternalAttacher is the name of the one program that may take the finalizer off a VolumeAttachment.
const ExternalAttacher = "the external-attacher"

// families are programs whose accounts and agents may carry a suffix, such as csi-attacher-4.12.0.
var families = named{
	{"csi-attacher", ExternalAttacher}, {"external-attacher", ExternalAttacher},
	{"longhorn", "Longhorn"}, {"piraeus-ha-controller", "the Piraeus HA controller"}, {"linstor-ha-controller", "the Piraeus HA controller"},
	{"podmon", "podmon (CSM resiliency)"}, {"self-node-remediation", "self node remediation (medik8s)"},
	{"node-healthcheck", "node health check (medik8s)"}, {"fence-agents-remediation", "fence agents remediation (medik8s)"},
	{"kube-fencing", "kube-fencing"}, {"trident", "Trident"},
	{"karpenter", "Karpenter"}, {"cluster-autoscaler", "the cluster autoscaler"}, {"descheduler", "the descheduler"},
	{"machine-api-controllers", "the machine API"}, {"machine-controller-manager", "the machine controller manager"},
	{"cloud-controller-manager", "the cloud controller manager"}, {"aws-cloud-controller-manager", "the cloud controller manager"},
	{"azure-cloud-controller-manager", "the cloud controller manager"}, {"gcp-cloud-controller-manager", "the cloud controller manager"},
	{"openstack-cloud-controller-manager", "the cloud controller manager"},
}

// interactive are clients that a person works with. A script may use the first two as well.
var interactive = named{
	{"kubectl", "kubectl"}, {"oc", "oc"}, {"k9s", "k9s"}, {"Lens", "Lens"}, {"OpenLens", "OpenLens"}, {"freelens", "Freelens"},
	{"headlamp", "Headlamp"}, {"Mozilla", "a browser"},
}

// automation are parts of the names of users under which scripts run interactive clients.
var automation = []string{"bot", "jenkins", "gitlab", "github", "argocd", "flux", "terraform", "ansible", "pipeline", "cron", "deploy",
	"automation", "controller", "operator", "service", "svc", "ci-", "-ci"}

// accountPrefix begins the user name of a service account; what follows is namespace and name.
const accountPrefix = "system:serviceaccount:"

// ActorOf identifies a user with a client (user agent or field manager). A person needs a user of their own with an interactive client;
// a controller needs a known account or program, or a service account with a client of its own.
func ActorOf(user, agent string) Actor {
	program, _, _ := strings.Cut(agent, "/") // without its version
	if name, behind, through := strings.Cut(user, " (through "); through {
		actor := ActorOf(name, agent)
		actor.Name += " through " + strings.TrimSuffix(behind, ")")
		return actor
	}
	switch {
	case user == "" && program == "":
		return Actor{Person: model.Unknown}
	case user == "":
		return managerOf(program)
	case strings.HasPrefix(user, accountPrefix):
		return accountOf(strings.TrimPrefix(user, accountPrefix), program)
	case strings.HasPrefix(user, "system:node:"):
		return Actor{"the kubelet of " + strings.TrimPrefix(user, "system:node:"), model.False}
	case user == "system:admin" || user == "kube:admin":
		return clientOf(user, program)
	}
	if name := known(user); name != "" {
		return Actor{name, model.False}
	}
	if strings.HasPrefix(user, "system:") || strings.HasPrefix(user, "eks:") || strings.HasPrefix(user, "aks:") {
		return Actor{user, model.Unknown}
	}
	return clientOf(user, program)
}

// managerOf is the actor under a field manager, or under a user agent without a user.
func managerOf(program string) Actor {
	if name := known(program); name != "" {
		return Actor{name, model.False}
	}
	if client := client(program); client != "" {
		return Actor{"an unknown user (" + client + ")", model.Unknown}
	}
	return Actor{program, model.Unknown}
}

// accountOf is the actor under a service account. A shell in a pod and a web page for its users have the account's token too.
func accountOf(account, program string) Actor {
	namespace, name, _ := strings.Cut(account, ":")
	if client := client(program); client != "" {
		return Actor{client + " under the service account " + account, model.Unknown}
	}
	if controller, ok := own[name]; ok && namespace == "kube-system" {
		return Actor{controller, model.False}
	}
	if controller := known(program); controller != "" && program != "kube-controller-manager" {
		return Actor{controller, model.False}
	}
	if controller := known(name); controller != "" {
		return Actor{controller, model.False}
	}
	if program == "" {
		return Actor{"the service account " + account, model.Unknown}
	}
	return Actor{foreign + account, model.False}
}

const foreign = "a program under the service account "

// NotOurs reports that an actor, by its name, is a program of which no rule of Kubernetes tells what it does, as a person's is.
func NotOurs(name string) bool { return strings.HasPrefix(name, foreign) }

// clientOf is a user who is no part of Kubernetes.
func clientOf(user, program string) Actor {
	if name := known(program); name != "" {
		return Actor{name + " (user " + user + ")", model.False}
	}
	client := client(program)
	if slices.ContainsFunc(automation, func(part string) bool { return strings.Contains(strings.ToLower(user), part) }) {
		client = ""
	}
	if client != "" {
		return Actor{"a person with " + client + " (user " + user + ")", model.True}
	}
	if program != "" {
		return Actor{"user " + user + " with " + program, model.Unknown}
	}
	return Actor{"user " + user, model.Unknown}
}

// known is the name of a program of the tables; empty when it is none.
func known(s string) string { return cmp.Or(programs[s], families.of(s, "-.")) }

// client is the interactive client of a program, such as kubectl for kubectl-taint; empty when it is none.
func client(program string) string { return interactive.of(program, "-") }

// named are programs by the beginning of their names.
type named []struct{ prefix, name string }

// of is the name of the program whose beginning is all of a text, or ends before one of some bytes; empty for none.
func (list named) of(s, ends string) string {
	for _, p := range list {
		if rest, ok := strings.CutPrefix(s, p.prefix); ok && (rest == "" || strings.IndexByte(ends, rest[0]) >= 0) {
			return p.name
		}
	}
	return ""
}
