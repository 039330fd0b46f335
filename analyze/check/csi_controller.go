package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

var csiController = Check{
	ID: "csi-controller", Severity: "info",
	Title:  "A CSI controller is not set up for the loss of its node",
	Remedy: "Run two replicas with --leader-election on every sidecar, and keep them on different nodes.",
	Doc: Doc{
		Means: `Attaching and detaching go through the external-attacher of the CSI controller. With one replica nothing is attached or detached while its node is
lost, until the pod has been replaced; in the loss of a node that is when it is needed. With several replicas and without leader
election, all of them work on the same VolumeAttachments at once.`,
		DecidedBy: `The replicas of a Deployment or StatefulSet one of whose containers is an external-attacher (by the name of the container or of the
image), and --leader-election in the command or arguments of that container; the default of the flag is false.`,
		LeftAlone: "Controllers that run as a DaemonSet; containers that are started through a shell, or without any argument in sight, as far as the flag goes.",
		References: []string{
			"https://github.com/kubernetes-csi/external-attacher#csi-external-attacher-sidecar-command-line-options",
			"https://kubernetes-csi.github.io/docs/deploying.html",
		},
	},
	Needs: []Need{needWorkloads},
	Look:  lookCSIController,
}

// attachers is what the external-attacher's image and container are called.
var attachers = []string{"csi-attacher", "external-attacher"}

func lookCSIController(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	var out []Hit
	for o := range workloads(w) {
		if o.ref.Kind == "DaemonSet" || o.replicas < 1 {
			continue
		}
		at := slices.IndexFunc(o.spec.Containers, isAttacher)
		if at < 0 {
			continue
		}
		h := Hit{Objects: []model.Ref{o.ref}, Shown: o.cite(o.count, fmt.Sprintf("spec.template.spec.containers[%d].image", at))}
		without := slices.IndexFunc(o.spec.Containers, func(c corev1.Container) bool { return isAttacher(c) && electionOff(c) })
		switch {
		case o.replicas == 1:
			h.Text = fmt.Sprintf("%s has one replica with %s: while its node is lost, nothing is attached or detached until the pod is replaced.", o.name(), o.spec.Containers[at].Name)
		case without >= 0:
			h.Severity = "warning"
			h.Text = fmt.Sprintf("%s has %d replicas, and container %s runs without --leader-election: all of them act at once.", o.name(), o.replicas, o.spec.Containers[without].Name)
			h.Shown = append(h.Shown, o.cite(fmt.Sprintf("spec.template.spec.containers[%d].args", without), fmt.Sprintf("spec.template.spec.containers[%d].args[0]", without))...)
			h.Remedy = fmt.Sprintf("Add --leader-election to container %s of %s.", o.spec.Containers[without].Name, o.name())
		default:
			continue
		}
		out = append(out, h)
	}
	return out
}

// isAttacher goes by the container's name and by the last part of its image without tag and digest.
func isAttacher(c corev1.Container) bool {
	image := c.Image[strings.LastIndexByte(c.Image, '/')+1:]
	image, _, _ = strings.Cut(image, "@")
	image, _, _ = strings.Cut(image, ":")
	return c.Name == "attacher" || slices.ContainsFunc(attachers, func(s string) bool {
		return c.Name == s || image == s || strings.HasSuffix(image, "-"+s)
	})
}

// shells start something else, whose flags the specification does not have.
var shells = []string{"sh", "bash", "ash", "dash"}

// electionOff reports that the arguments are there and do not switch leader election on.
func electionOff(c corev1.Container) bool {
	words := slices.Concat(c.Command, c.Args)
	if len(words) == 0 || slices.Contains(shells, words[0][strings.LastIndexByte(words[0], '/')+1:]) {
		return false
	}
	on := ""
	for _, word := range words {
		flag, value, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if flag == "leader-election" || flag == "enable-leader-election" {
			on = "true"
			if given {
				on = strings.ToLower(strings.Trim(value, `"' `))
			}
		}
	}
	return cmp.Or(on, "false") == "false"
}
