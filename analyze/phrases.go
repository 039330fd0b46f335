package analyze

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
		b.WriteString(held(word, o))
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
		return strings.TrimLeft(o.Owner.String()+" ", " ")
	case "object":
		return strings.ToLower(o.Object.Kind) + " " + o.Object.Name
	case "thing":
		return o.Object.Kind + " " + o.Object.String()
	case "full":
		return fullThing(o)
	case "owned":
		return "machine " + o.Owner.Name
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
	}
	return "{" + word + "}"
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
