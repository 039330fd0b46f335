package analyze

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// sentence puts an observation into words.
func sentence(o *model.Observation) string {
	text := phraseOf(o)
	switch later := o.Last.At.After(o.At.At); {
	case later && o.Source.Kind == model.SourceMetric:
		text += " until " + model.TimeOfDay(o.Last.At) // a state, seen at each scrape between
	case later && o.Count > 1:
		text += fmt.Sprintf(" (%d times until %s)", o.Count, model.TimeOfDay(o.Last.At))
	case o.Count > 1:
		text += fmt.Sprintf(" (%d times)", o.Count)
	}
	return text + by(o)
}

// by names who acted: what is known of the actor, and the account where that is another name.
func by(o *model.Observation) string {
	who := upstream.ActorOf(o.Actor, o.Agent)
	if who.Name == "" {
		return ""
	}
	text := " by " + who.Name
	if o.Actor != "" && !strings.Contains(who.Name, strings.TrimPrefix(o.Actor, "system:serviceaccount:")) {
		text += " (" + o.Actor + ")"
	}
	return text
}

// phraseOf takes the sentence from the table of phrases, or makes one that needs more than words.
func phraseOf(o *model.Observation) string {
	if text, ok := model.Sentences[o.Kind]; ok {
		return expand(text, o)
	}
	switch o.Kind {
	case model.NodeDeleted:
		return nodeDeletedSentence(o, "Node "+o.Node)
	case model.AttachSeen, model.MountSucceeded, model.UnmountSucceeded:
		return mountSentence(o)
	case model.UnmountFailed:
		return unmountFailed(o)
	case model.WorkloadScaled, model.StrategyChanged:
		return o.Object.String() + ": " + cmp.Or(o.Detail, "scaled")
	case model.WorkloadChanged:
		if o.Detail == "restart" {
			return o.Object.String() + ": restart of the rollout"
		}
		return o.Object.String() + ": " + cmp.Or(o.Detail, "pod template changed")
	case model.MultiAttach:
		return multiAttachSentence(o, "volume "+volumeName(o.Volume))
	case model.DetachForcedTimeout:
		return expand("detach of {volume} from {node} forced: ", o) +
			words.Spelled(cmp.Or(o.Detail, upstream.MaxWaitForUnmount.String())) + " expired without an unmount"
	case model.OperationTimeout:
		return cmp.Or(o.Detail, "operation") + expand(" of {volume}{to} timed out waiting for the attacher", o)
	case model.ResizeFailed:
		if o.Claim.Name == "" {
			return expand("the kubelet could not expand a volume of {pod}{why}", o)
		}
		return expand("{claim} could not be expanded{why}", o)
	case model.ResizePending:
		return "the back end has expanded " + expanded(o) + paren(o.Detail)
	case model.AttacherAttaching, model.AttacherAttached, model.AttacherDetaching, model.AttacherDetached, model.AttacherFailed:
		return callSentence(o)
	case model.ProcessFlag:
		if wait.Configured(o) {
			return expand("{controller} is configured with {detail}", o)
		}
		return expand("{controller} runs with {detail}", o)
	case model.ForcedDetachesCounted:
		return fmt.Sprintf("the controller's counter of forced detaches rose by %d%s", o.Count, paren(o.Detail))
	case model.StorageOperationsCounted:
		return operationsCounted(o)
	}
	return eventSentence(o)
}

// nodeDeletedSentence says by whom or by whose word: only the request itself is the deletion.
func nodeDeletedSentence(o *model.Observation, n string) string {
	if o.Source.Kind == model.SourceAudit {
		return n + " was deleted"
	}
	if upstream.AnnouncesNodeDeletion(o.Component) {
		return "the cloud node lifecycle controller deletes " + n
	}
	return cmp.Or(o.Component, "the controller") + " noticed that " + n + " was deleted"
}

// unmountFailed says why an unmount failed: what the driver answered, without the names of the volume before it.
func unmountFailed(o *model.Observation) string {
	if path, answer, ok := upstream.BusyMount(o.Detail); ok {
		return "the kubelet" + of(o.Node) + " could not unmount " + path + ": " + answer
	}
	return "the kubelet has not unmounted" + paren(upstream.Answer(o.Detail))
}

// mountSentence says what a kubelet has mounted or unmounted.
func mountSentence(o *model.Observation) string {
	verb := map[model.Kind]string{
		model.AttachSeen: " found attached ", model.MountSucceeded: " mounted ", model.UnmountSucceeded: " unmounted ",
	}[o.Kind]
	s := "the kubelet" + of(o.Node) + verb + "volume " + volumeName(o.Volume)
	if o.Detail == model.OfDevice {
		return s + " (the device)"
	}
	if o.Pod.Name != "" {
		return s + " for pod " + o.Pod.String()
	}
	if o.Pod.UID != "" {
		return s + " for the pod with UID " + o.Pod.UID
	}
	return s
}

func multiAttachSentence(o *model.Observation, v string) string {
	s := "Multi-Attach: " + v + words.If(o.Node != "", " is wanted on "+o.Node)
	if len(o.Pods) > 0 {
		s += ", used by " + wait.PodNames(o.Pods)
	} else if o.Variant == model.ExclusivelyAttached {
		s += ", exclusively attached"
	}
	if len(o.Holders) > 0 {
		s += " on " + strings.Join(o.Holders, ", ")
	}
	return s
}

// expanded names what an expansion is of, as far as its source does.
func expanded(o *model.Observation) string {
	if o.Claim.Name != "" {
		return "the volume of claim " + o.Claim.String()
	}
	if !o.Volume.IsZero() {
		return "volume " + volumeName(o.Volume)
	}
	return "a volume that is not named"
}

// callSentence is about one call, of the external-attacher or of the driver.
func callSentence(o *model.Observation) string {
	who, what := "the attacher ", "{attachment}"
	if o.Attachment == "" {
		who, what = "the CSI driver ", "{volume}{on}"
	}
	verb := map[model.Kind]string{
		model.AttacherAttaching: "attaches ", model.AttacherAttached: "attached ", model.AttacherDetaching: "detaches ",
		model.AttacherDetached: "detached ",
	}[o.Kind]
	if verb == "" {
		return who + "failed on " + expand(what+"{why}", o)
	}
	return who + verb + expand(what, o)
}

// operationsCounted says what the controller's counter of storage operations rose by.
func operationsCounted(o *model.Observation) string {
	operation, rest, _ := strings.Cut(strings.TrimPrefix(o.Detail, "volume_"), " ")
	outcome := "succeeded"
	if failed := strings.TrimPrefix(rest, "fail-unknown"); failed != rest {
		outcome, rest = "failed", failed
	}
	return fmt.Sprintf("%s of driver %s %s%s, by the controller's counter",
		words.Plural(o.Count, operation, operation+"es"), o.Attacher, outcome,
		strings.TrimPrefix(rest, "success"))
}

func eventSentence(o *model.Observation) string {
	about := o.Object
	if about.Name == "" {
		about = o.Pod
	}
	return strings.TrimSpace(fmt.Sprintf("%s of %s %s", cmp.Or(o.Detail, "event"), strings.ToLower(cmp.Or(about.Kind, "object")), about))
}
