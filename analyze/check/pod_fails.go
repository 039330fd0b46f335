package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var podVolumeFails = Check{
	ID: "pod-volume-fails", Severity: "warning", Title: "A pod does not get its volume",
	Remedy: "Repair what the error names; attach and mount are tried again by themselves.",
	Means: `The last that is said of a pod's volume is an error of its attach or mount, and nothing shows that the pod has started since.
A time-out of the kubelet says only that it waits; the error of the attach or of the mount call says for what.`,
	DecidedBy: "A failed attach or mount of a pod, or of a volume that no pod is named for, without a later start of that pod.",
	LeftAlone: `Errors that belong to an incident, that a check not-multi-attach-… names, or that a VolumeAttachment holds: see attach-error;
pods that the objects show to wait for more than five minutes: see pod-not-starting; pods that have started, or are gone.`,
	References: []string{"kubernetes pkg/kubelet/volumemanager/volume_manager.go podAttachAndMountTimeout (2m3s), 1.13–1.36",
		"kubernetes pkg/volume/util/operationexecutor GenerateAttachVolumeFunc, GenerateMountVolumeFunc, 1.13–1.36"},
	Look: lookPodVolumeFails,
}

func lookPodVolumeFails(w *reconstruct.World, cases []*reconstruct.Case, hit func(Hit)) {
	known, still := reportedStateOf(cases), newStanding(w)
	named := slices.ContainsFunc(w.Observed(model.MountFailed), func(o *model.Observation) bool { return !nameless(o) })
	list := outside(w, cases, []model.Kind{model.MountFailed, model.AttachFailed}, func(o *model.Observation) bool {
		return o.Source.Kind != model.SourceManifest && (o.Pod.Name != "" || !o.Volume.IsZero() || nameless(o) && !named) && kindOf(o) == "" &&
			!known.pods[o.Pod.String()] && !toldByObjects(w, o) && !still.passed(o) && !(waitedInVain(o) && attachFailsStill(w, still, o.Pod))
	})
	for _, g := range grouped(list, func(o *model.Observation) string {
		return words.If(o.Pod.Name == "", volumeName(w, o)) + "\x00" + o.Pod.String()
	}) {
		hit(notGot(w, g))
	}
}

// attachFailsStill reports that a look-alike names the error of an attach that a pod waits for: its kubelet's time-out says less.
func attachFailsStill(w *reconstruct.World, still standing, pod model.Ref) bool {
	return pod.Name != "" && slices.ContainsFunc(w.OfPod(pod), func(o *model.Observation) bool {
		return o.Kind == model.AttachFailed && kindOf(o) != "" && !still.passed(o)
	})
}

// nameless reports an error of a mount that was pasted without the names of its pod and its volume.
func nameless(o *model.Observation) bool {
	return o.Kind == model.MountFailed && o.Source.Kind == model.SourceText && o.Pod.Name == "" && o.Volume.IsZero()
}

// notGot is the finding for the errors of one pod, or of one volume.
func notGot(w *reconstruct.World, g []*model.Observation) Hit {
	o := telling(g)
	h := Hit{Objects: affected(w, g), Shown: ends(g)}
	h.Text = subject(w, []*model.Observation{o}) + suffers(w, []*model.Observation{o}) + words.If(o.Node != "", " on "+o.Node)
	if nameless(o) {
		h.Text = "A pod cannot mount its volumes" + words.If(o.Node != "", " on "+o.Node)
	}
	if fault := faultOf(o); fault != "" {
		h.Text += ": " + strings.TrimRight(shorten(fault), ". ")
	}
	h.Text += "."
	if waitedInVain(o) && o.Node != "" {
		h.Remedy = fmt.Sprintf("The time-out names no reason; the kubelet of %s logs it: journalctl -u kubelet | grep %s", o.Node, word(o.Pod.Name))
	}
	if o.Pod.Name == "" || o.Kind != model.MountFailed {
		return h
	}
	if came := w.NewestOf(o.Pod, model.AttachSucceeded); came != nil {
		name := volumeName(w, came)
		h.Objects, h.Shown = withoutRepeats(append(h.Objects, volumeRef(name))), append(h.Shown, came)
		h.Text += fmt.Sprintf(" Volume %s was attached%s.", name, words.If(came.Node != "", " to "+came.Node))
	}
	return h
}

// toldByObjects reports that the objects of the bundle tell the same, which a check of their own does.
func toldByObjects(w *reconstruct.World, o *model.Observation) bool {
	if p, here := w.Pod(o.Pod); here {
		return atLeast(w, boundAt(p)) > startPatience
	}
	v := w.Volumes.Find(o.Volume)
	if v == nil || o.Node == "" {
		return false
	}
	va, ok := w.AttachmentOf(v, o.Node)
	return ok && va.Value().Status.AttachError != nil
}

// telling is the error that says most: the newest of an attach or a call, before one that only says that the kubelet has waited.
func telling(g []*model.Observation) *model.Observation {
	best := g[len(g)-1]
	for _, o := range g {
		if waitedInVain(best) || !waitedInVain(o) {
			best = o
		}
	}
	return best
}

// waitedInVain reports the kubelet's own time-out, which names no reason (volume_manager.go WaitForAttachAndMount, 1.13–1.36).
func waitedInVain(o *model.Observation) bool {
	return containsAny(strings.ToLower(errorOf(o)), []string{"timed out waiting for the condition", "timeout expired waiting for volumes",
		"context deadline exceeded"}) && o.Kind == model.MountFailed
}
