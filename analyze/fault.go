package analyze

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// faultOf is the finding that a report without an incident is about: the first that is so at the collection. Nil where there is none.
func faultOf(list []model.Finding) *model.Finding {
	n := slices.IndexFunc(list, func(f model.Finding) bool { return f.Severity != string(model.Info) })
	if n < 0 {
		return nil
	}
	return &list[n]
}

// faultVerdict says what keeps a pod from its volume, or an object from its end: what, where, since when, and what to do.
func faultVerdict(w *facts.World, r *model.Report, f *model.Finding) model.ReportVerdict {
	headline, rest := faultSentences(w, f)
	began := ""
	if f.Since != nil && !happened(f) {
		began = words.If(f.Since.Basis == model.Derived, "At least ") + "since " + since(*f.Since)
	}
	more := 0
	for _, o := range r.Findings {
		more += b2i(o.Severity != string(model.Info))
	}
	also := words.If(more > 1, "Also: "+words.Plural(more-1, "other finding", "other findings"))
	out := model.ReportVerdict{
		Status: model.StatusFault, Open: !happened(f), Headline: headline + ".", Steps: faultSteps(f),
		Why: sentences(takenByHand(w, f), joined(". ", words.Capital(began), rest), also),
	}
	if list := sights(w.AtCollection()); len(list) <= shownMost {
		out.Shown = shown(list)
	}
	return out
}

// takenByHand says of a fault of a pod or a volume what people did that takes a volume from its node without its unmount.
func takenByHand(w *facts.World, f *model.Finding) string {
	o := wait.TakenByHand(w)
	if o == nil || !names(f, "Pod") && !names(f, "PersistentVolume") {
		return ""
	}
	did := authorWrites(o)
	if !o.Deed() {
		did = phraseOf(o)
	}
	ran := words.If(wait.Unanswered(o), "if it was run, ")
	return words.Capital(did) + ": " + ran + "a volume was taken without its unmount, and two machines may have written (data risk)"
}

// happened reports that a finding is of what happened, and of no state that goes on.
func happened(f *model.Finding) bool { return checkOf(f).Happened }

// checkOf is the check that found something, or the zero value.
func checkOf(f *model.Finding) check.Check {
	list := check.All()
	if n := slices.IndexFunc(list, func(c check.Check) bool { return c.ID == f.ID }); n >= 0 {
		return list[n]
	}
	return check.Check{}
}

// wrapped are any code of gRPC, and the words of a kubelet that has waited, which say nothing of what for.
var wrapped = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:rpc error: )?code = \w+ desc = |[Uu]nable to (?:attach or )?mount volumes(?: for pod "[^"]*")?: |, unattached volumes=\[[^\]]*\]| for pod "[^"]*"/"[^"]*"|` +
		`[. ]*list of un[^=]*volumes=[^.]*|\. preemption: .*`)
})

// dated are the times of a finding's text: since when a fault lasts stands beside its headline.
var dated = regexp.MustCompile(` \(last at [^)]*\)|,? at least [0-9][^.,;:]* before the ` +
	`(?:collection|newest time in the bundle, which does not record when it was collected)`)

// sentenceEnd is a full stop before another sentence.
var sentenceEnd = regexp.MustCompile(`\. [A-Z0-9]`)

// faultSentences are the first sentences of a finding that fit into a headline, at least as much of one, and what follows them.
func faultSentences(w *facts.World, f *model.Finding) (headline, rest string) {
	text := wrapped().ReplaceAllString(upstream.Unwrapped(strings.Join(strings.Fields(f.Text), " ")), "")
	rest = withoutHashes(w, f, dated.ReplaceAllString(text, ""))
	for rest != "" {
		first, after := rest, ""
		for _, end := range sentenceEnd.FindAllStringIndex(rest, -1) {
			if balanced(rest[:end[0]]) {
				first, after = rest[:end[0]], rest[end[0]+2:]
				break
			}
		}
		first = strings.TrimRight(first, ".;:, ")
		if headline != "" && wordCount(headline)+wordCount(first) > headlineWords {
			break
		}
		headline, rest = joined(". ", headline, clipped(first)), after
	}
	return headline, rest
}

// untolerated is what a scheduler says of nodes that no pod without a toleration may run on: it decides where nothing else is said.
var untolerated = regexp.MustCompile(`, \d+ node\(s\) had untolerated taint \{[^}]*\}`)

// clipped is a sentence in the words of a headline: what it is about, then the last clauses of the error, which decide, or its first words.
func clipped(text string) string {
	if wordCount(text) > headlineWords {
		text = untolerated.ReplaceAllString(text, "")
	}
	if wordCount(text) <= headlineWords {
		return text
	}
	about, rest, _ := strings.Cut(text, ": ")
	for {
		_, inner, ok := strings.Cut(rest, ": ")
		if !ok {
			break
		}
		rest = inner
		if wordCount(about)+1+wordCount(rest) <= headlineWords && balanced(rest) {
			return about + ": … " + rest
		}
	}
	return strings.TrimRight(strings.Join(strings.Fields(text)[:headlineWords-1], " "), ".;:, ") + " …"
}

// hashedAttachment is a VolumeAttachment by its generated name.
var hashedAttachment = regexp.MustCompile(`VolumeAttachment csi-[0-9a-f]{64}`)

// hash is a generated name of which the beginning is enough.
var hash = regexp.MustCompile(`\b(csi-[0-9a-f]{8})[0-9a-f]{56}\b`)

// generated are names that only machines use: a volume's UID, and the hash in the name of a VolumeAttachment.
var generated = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}`)

// withoutHashes names things as people do: an attachment by its volume and node, a generated volume by its claim, where one is known.
func withoutHashes(w *facts.World, f *model.Finding, text string) string {
	if slices.ContainsFunc(f.Objects, func(o model.Ref) bool { return o.Kind != "VolumeAttachment" && o.Kind != "Node" }) {
		text = hashedAttachment.ReplaceAllString(text, "the VolumeAttachment")
	}
	text = hash.ReplaceAllString(text, "$1…")
	for _, o := range f.Objects {
		v := w.Volumes.Find(model.VolumeID{PersistentVolume: o.Name})
		claimed := v != nil && v.Claim.Name != ""
		if !claimed || o.Kind != "PersistentVolume" || !generated.MatchString(o.Name) {
			continue
		}
		claim := words.If(!strings.Contains(text, " volumes ("), "the volume of claim ") + v.Claim.String()
		text = strings.NewReplacer("Volume "+o.Name, claim, "volume "+o.Name, claim, o.Name, claim).Replace(text)
	}
	if strings.HasPrefix(text, "the ") { // and no name, which has no capital
		return words.Capital(text)
	}
	return text
}

// faultSteps are how to see that a fault is still there, what to do about it, and how to see that it is over.
func faultSteps(f *model.Finding) []model.Step {
	act := model.Step{Part: model.StepAct, Text: strings.TrimSuffix(f.Remedy, ".")}
	if happened(f) {
		return []model.Step{act}
	}
	node := slices.IndexFunc(f.Objects, func(o model.Ref) bool { return o.Kind == "Node" })
	if list, lists := listedBy(f); lists && node >= 0 && typeable("", f.Objects[node].Name) {
		command := get("", "node", f.Objects[node].Name, " -o jsonpath='{.status."+list.field+`}{"\n"}'`)
		return []model.Step{{Part: model.StepProve, Text: "see whether the node still lists the volume as " + list.says, Command: command}, act,
			{Part: model.StepAfter, Text: "see that it no longer does", Command: command}}
	}
	look, text, command := looksAt(f.Objects)
	c, at := checkOf(f), ""
	if !names(f, "VolumeAttachment") && (c.See == check.AttachmentRows || !names(f, "Pod")) {
		look = cmp.Or(ofVolume(c.See, f.Objects), look)
	}
	if c.OnNode != "" {
		look, at = c.OnNode, "on the node of the pod, "
		if node >= 0 {
			at = "on node " + f.Objects[node].Name + ", "
		}
	}
	look = cmp.Or(look, "kubectl get events -A --field-selector type=Warning")
	out := []model.Step{{Part: model.StepProve, Text: at + "see whether it is still so", Command: look}, act}
	if command != "" {
		if f.ID == "not-multi-attach-attachment-missing" {
			text = strings.Replace(text, "the attachment is gone, or", "the attachment is there, and", 1)
		}
		out = append(out, model.Step{Part: model.StepAfter, Text: text, Command: command})
	}
	return out
}

// ofVolume is a command, which of the rows of all attachments shows those of a fault's volume.
func ofVolume(command string, about []model.Ref) string {
	n := slices.IndexFunc(about, func(o model.Ref) bool { return o.Kind == "PersistentVolume" && typeable("", o.Name) })
	if n < 0 || command != check.AttachmentRows {
		return command
	}
	return command + " | grep -e NAME -e " + about[n].Name
}

// listed is a list in the status of a node, and what it says of a volume.
type listed struct{ field, says string }

// listedBy is the list of a node's status that tells whether a fault goes on. A volume of a plugin in the tree has no attachment to look at.
func listedBy(f *model.Finding) (listed, bool) {
	if f.ID == "failing-detach" {
		return listed{"volumesAttached", "attached"}, !names(f, "VolumeAttachment")
	}
	return listed{"volumesInUse", "in use"}, f.ID == "unmount-fails"
}

func names(f *model.Finding, kind string) bool {
	return slices.ContainsFunc(f.Objects, func(o model.Ref) bool { return o.Kind == kind })
}

// lookedAt are the kinds of objects by how much their description tells of a fault, and how to see that it is over.
var lookedAt = []struct {
	kind, resource string
	namespaced     bool
	over           string
}{
	{"Pod", "pod", true, "see that the pod becomes Ready"},
	{"VolumeAttachment", "volumeattachment", false, "see that the attachment is gone, or ATTACHED is true"},
	{"StatefulSet", "statefulset", true, "see that its pods are Ready"}, {"Deployment", "deployment", true, "see that its pods are Ready"},
	{"PersistentVolumeClaim", "pvc", true, "see that the claim is Bound"}, {"Node", "node", false, "see that the node is Ready"},
	{"PersistentVolume", "pv", false, ""}, {"CSINode", "csinode", false, ""}, {"StorageClass", "storageclass", false, ""},
}

// looksAt are the command that describes the object of a fault that tells most, and how to see that the fault is over.
func looksAt(objects []model.Ref) (look, over, overCommand string) {
	for _, k := range lookedAt {
		for _, o := range objects {
			if o.Kind != k.kind || !typeable(o.Namespace, o.Name) {
				continue
			}
			loose := k.namespaced && o.Namespace == ""
			command := "kubectl describe " + k.resource + words.If(k.namespaced, " -n "+o.Namespace) + " " + o.Name
			if loose {
				command = get("", "pod", o.Name, " -o wide") // with -A: the namespace is not known
			}
			look = cmp.Or(look, command)
			if overCommand == "" && k.over != "" && !(loose && k.resource == "pvc") {
				over, overCommand = k.over, get(o.Namespace, k.resource, o.Name, words.If(k.kind == "Pod", " -o wide"))
			}
		}
	}
	return look, over, overCommand
}
