package logfile

import (
	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// writers is who wrote the records of a file, as their wrappers say.
type writers struct {
	last       *envelope.Origin
	all        envelope.Origin // what all records agree in
	mixed      [3]bool         // namespace, pod, container: the records disagree
	oneProcess bool            // k3s and rke2: several components of Kubernetes write as one unit
}

// see takes the origin of one record.
func (w *writers) see(from *envelope.Origin) {
	if from == nil || from == w.last {
		return
	}
	w.last = from
	agree(&w.all.Namespace, from.Namespace, &w.mixed[0])
	agree(&w.all.Pod, from.Pod, &w.mixed[1])
	agree(&w.all.Container, from.Container, &w.mixed[2])
	switch from.Unit {
	case "k3s", "k3s-agent", "rke2", "rke2-server", "rke2-agent", "k0s", "k0scontroller", "kubelite",
		"snap.microk8s.daemon-kubelite", "hyperkube":
		w.oneProcess = true
	}
}

func agree(all *string, one string, mixed *bool) {
	switch {
	case one == "" || *mixed || *all == one:
	case *all == "":
		*all = one
	default:
		*all, *mixed = "", true
	}
}

// name gives the input the identity that all of its records agree in, where its path names none.
func (w *writers) name(in *model.Input) {
	if in.Namespace == "" && in.Pod == "" {
		in.Namespace, in.Pod = w.all.Namespace, w.all.Pod
	}
	if in.Container == "" {
		in.Container = w.all.Container
	}
}

// fill adds the node to a kubelet's statement, and the component to a statement that several in one process may make.
func (w *writers) fill(o *model.Observation, h *logline.Head) {
	if o.Component == componentNames[kubelet] && o.Node == "" && h.From != nil && ofItsNode(o.Kind) {
		o.Node = h.From.Host
	}
	if o.Component == "" && w.oneProcess {
		if c := owner(h.File, h.Text); c >= 0 {
			o.Component = componentNames[c]
		}
	}
}

// ofItsNode recognises the statements that a kubelet makes of its own node only.
func ofItsNode(k model.Kind) bool {
	switch k {
	case model.MountFailed, model.UnmountFailed, model.ResizeFailed, model.KubeletUnwell, model.MountSucceeded, model.UnmountSucceeded,
		model.AttachSeen, model.PodRunning, model.KubeletStarted, model.ContainerDied, model.PodKilling, model.PodRemoved, model.KubeletPaused, model.KubeletCutOff:
		return true
	}
	return false
}
