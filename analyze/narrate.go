package analyze

import (
	"cmp"
	"fmt"
	"strconv"
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
	// Who acted, as far as that is known, and the account where that is another name.
	if who := upstream.ActorOf(o.Actor, o.Agent); who.Name != "" {
		text += " by " + who.Name
		if o.Actor != "" && !strings.Contains(who.Name, strings.TrimPrefix(o.Actor, "system:serviceaccount:")) {
			text += " (" + o.Actor + ")"
		}
	}
	return text
}

// phraseOf takes the sentence of an observation's kind, or makes one that needs more than words.
func phraseOf(o *model.Observation) string {
	if text, ok := model.Sentences[o.Kind]; ok {
		return expand(text, o)
	}
	switch o.Kind {
	case model.NodeDeleted:
		return nodeDeletedSentence(o, "Node "+o.Node)
	case model.UnmountFailed: // what the driver answered, without the names of the volume before it
		if path, answer, ok := upstream.BusyMount(o.Detail); ok {
			return "the kubelet" + of(o.Node) + " could not unmount " + path + ": " + answer
		}
		return "the kubelet has not unmounted" + paren(upstream.Answer(o.Detail))
	case model.MultiAttach:
		return multiAttachSentence(o)
	case model.ResizeFailed:
		if o.Claim.Name == "" {
			return expand("the kubelet could not expand a volume of {pod}{why}", o)
		}
		return expand("{claim} could not be expanded{why}", o)
	case model.StorageOperationsCounted:
		return operationsCounted(o)
	}
	about := o.Object // of an Event
	if about.Name == "" {
		about = o.Pod
	}
	return strings.TrimSpace(fmt.Sprintf("%s of %s %s", cmp.Or(o.Detail, "event"), strings.ToLower(cmp.Or(about.Kind, "object")), about))
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

func multiAttachSentence(o *model.Observation) string {
	s := "Multi-Attach: volume " + volumeName(o.Volume) + words.If(o.Node != "", " is wanted on "+o.Node)
	if len(o.Pods) > 0 {
		s += ", used by " + wait.PodNames(o.Pods)
	} else if o.Variant == model.ExclusivelyAttached {
		s += ", exclusively attached"
	}
	return s + words.If(len(o.Holders) > 0, " on "+strings.Join(o.Holders, ", "))
}

// operationsCounted says what the controller's counter of storage operations rose by.
func operationsCounted(o *model.Observation) string {
	operation, rest, _ := strings.Cut(strings.TrimPrefix(o.Detail, "volume_"), " ")
	rest, failed := strings.CutPrefix(rest, "fail-unknown")
	outcome := words.If(failed, "failed") + words.If(!failed, "succeeded")
	return fmt.Sprintf("%s of driver %s %s%s, by the controller's counter",
		words.Plural(o.Count, operation, operation+"es"), o.Attacher, outcome, strings.TrimPrefix(rest, "success"))
}

// expand puts what an observation holds in the place of the words in braces.
func expand(text string, o *model.Observation) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		word, after, _ := strings.Cut(rest, "}")
		word, none, _ := strings.Cut(word, "|")
		b.WriteString(cmp.Or(held(word, o), none))
		text = after
	}
}

// held is what an observation holds, by its word in a phrase.
func held(word string, o *model.Observation) string {
	switch word {
	case "Node":
		return "Node " + o.Node
	case "node":
		return o.Node
	case "a node":
		return cmp.Or(o.Node, "an unnamed node")
	case "of":
		return of(o.Node)
	case "on":
		return on(o.Node)
	case "to":
		return to(o.Node)
	case "pod":
		return "pod " + o.Pod.String()
	case "owner":
		if o.Owner.Name == "" {
			return ""
		}
		return cmp.Or(o.Owner.Kind, "controller") + " " + o.Owner.String() + " " // no name begins a sentence, which gets a capital
	case "object":
		return strings.ToLower(o.Object.Kind) + " " + o.Object.Name
	case "thing":
		return o.Object.Kind + " " + o.Object.String()
	case "full":
		return fullThing(o)
	case "owned":
		return words.If(o.Owner.Name == "", "a ") + strings.TrimSpace("machine "+o.Owner.Name)
	case "machine":
		return words.If(o.Owner.Name != "", ", machine "+o.Owner.Name+",")
	case "volume":
		return "volume " + volumeName(o.Volume)
	case "claim":
		return "claim " + o.Claim.String()
	case "attachment":
		return "VolumeAttachment " + shortAttachment(o.Attachment) + on(o.Node)
	case "controller":
		return cmp.Or(o.Component, "a controller")
	case "driver":
		return o.Attacher
	case "why":
		return paren(o.Detail)
	case "time":
		return words.Spelled(o.Detail)
	case "grace":
		if grace, ok := strings.CutPrefix(o.Detail, "grace "); ok {
			return paren("grace " + words.Spelled(grace))
		}
		return paren(o.Detail)
	case "said":
		_, sentence, _ := strings.Cut(o.Detail, ": ")
		return "“" + sentence + "”"
	case "detail":
		return o.Detail
	case "change":
		return words.If(o.Detail != "restart", cmp.Or(o.Detail, "pod template changed")) + words.If(o.Detail == "restart", "restart of the rollout")
	case "count":
		return strconv.Itoa(o.Count)
	case "runs":
		return words.If(wait.Configured(o), "is configured") + words.If(!wait.Configured(o), "runs")
	case "caller": // of a call: the external-attacher, or the driver, whose calls name no VolumeAttachment
		return words.If(o.Attachment != "", "attacher") + words.If(o.Attachment == "", "CSI driver")
	case "call":
		if o.Attachment == "" {
			return "volume " + volumeName(o.Volume) + on(o.Node)
		}
		return held("attachment", o)
	case "mount":
		return "volume " + volumeName(o.Volume) + mountOf(o)
	case "expanded":
		if o.Claim.Name != "" {
			return "the volume of claim " + o.Claim.String()
		}
		return words.If(!o.Volume.IsZero(), "volume "+volumeName(o.Volume))
	}
	return "{" + word + "}"
}

// mountOf is whose mount of a volume it is.
func mountOf(o *model.Observation) string {
	if o.Detail == model.OfDevice {
		return " (the device)"
	}
	if o.Pod.Name != "" {
		return " for pod " + o.Pod.String()
	}
	return words.If(o.Pod.UID != "", " for the pod with UID "+o.Pod.UID)
}

// fullThing is what a sample of usage is of.
func fullThing(o *model.Observation) string {
	if o.Claim.Name != "" {
		return "the volume of claim " + o.Claim.String() + on(o.Node)
	}
	if o.Pod.Name != "" {
		return "a file system of pod " + o.Pod.String()
	}
	return "volume " + volumeName(o.Volume)
}

// The words that sentences are made of.

// maxDetail keeps an error text in a sentence readable; the evidence has the whole.
const maxDetail = 200

func paren(s string) string {
	s = words.Clip(s, maxDetail)
	return words.If(s != "", " ("+s+")")
}

func to(node string) string { return words.If(node != "", " to "+node) }
func of(node string) string { return words.If(node != "", " of "+node) }
func on(node string) string { return words.If(node != "", " on "+node) }

func volumeName(v model.VolumeID) string {
	return cmp.Or(v.PersistentVolume, v.UniqueName, v.Handle, "(not named)")
}

// shortAttachment keeps 12 digits of a hash; the evidence has the whole.
func shortAttachment(name string) string {
	if len(name) == len("csi-")+64 && strings.HasPrefix(name, "csi-") {
		return name[:len("csi-")+12] + "…"
	}
	return name
}
