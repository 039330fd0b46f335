package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// How much of what an input shows is said: in a list, and of things that are as they should be by name before they are counted.
const (
	shownMost  = 8
	shownNamed = 3
)

// sight is an object that the input shows, in a state.
type sight struct {
	kind, name string
	state      string // "" where the input only names it
	where      string // the node, with its preposition
	amiss      bool   // it is not as it should be
}

func (s sight) text() string {
	text := strings.TrimSpace(s.kind + " " + s.name)
	if s.state != "" && !strings.HasSuffix(s.name, ":") {
		text += " is"
	}
	return text + words.If(s.state != "", " "+s.state) + s.where
}

// shownVerdict says what an input shows that decides nothing: first that, then what is missing, then the command that would decide.
func shownVerdict(w *facts.World, r *model.Report) model.ReportVerdict {
	list := sights(w.AtCollection())
	out := model.ReportVerdict{Status: model.StatusInsufficient, Shown: shown(list)}
	first, missing := "", "Missing: "+lacking(w)
	for _, text := range out.Shown {
		if next := joined("; ", first, text); wordCount(next) <= headlineWords {
			first = next
		}
	}
	if first == "" && len(r.Findings) > 0 {
		first, _ = faultSentences(w, &r.Findings[0]) // which has passed, or keeps nobody
	}
	if first == "" {
		first = cmp.Or(lastTold(w), onlyNamed(w))
	}
	if first == "" {
		first = "What was read tells no state of a pod, volume, VolumeAttachment or node"
	}
	step, told := decides(list), authored(w)
	if told != "" && len(list) == 0 && authorSays(w, model.SaidNodeOff) {
		step = model.Step{Part: model.StepProve, Text: "see which node is lost", Command: "kubectl get nodes"}
	}
	for _, o := range w.ByKind[model.AttachmentAttached] {
		if ask := upstream.AskStorage(o.Attacher, o.Volume.PersistentVolume); ask != "" && authorSays(w, model.SaidStorageDiffers) {
			step = model.Step{Part: model.StepProve, Command: ask, Text: "see which machine has it for the storage: if none has, and no pod on " + o.Node +
				" uses it, its VolumeAttachment is left behind and may be deleted"}
		}
	}
	if told != "" {
		out.Status, first = model.StatusFault, joined("; ", words.If(len(out.Shown) > 0, first), told)
	}
	out.Headline, out.Steps = words.Capital(first)+".", []model.Step{step}
	tells := "Nothing here says whether a pod waits for a volume"
	if told != "" {
		tells = "That is the author's word alone"
	} else if none := len(w.PodsWithClaims(wait.WaitsForContainers)) == 0; none && listsPods(w) {
		tells = "At the collection no pod waited for its volume; whether one had to before is not recorded"
	}
	out.Why = sentences(tells, missing, besides(r))
	return out
}

// listsPods reports that the bundle has a list of pods: a single saved one says nothing of the others.
func listsPods(w *facts.World) bool {
	return slices.ContainsFunc(w.Snapshot.Lists, func(l model.Listed) bool { return l.Kind == "Pod" })
}

// authorSays reports that an author says a thing.
func authorSays(w *facts.World, what string) bool {
	return slices.ContainsFunc(w.ByKind[model.AuthorSaid], func(o *model.Observation) bool { return strings.HasPrefix(o.Detail, what+": ") })
}

// authored quotes an author who tells of the error, of an attachment that stayed, or of a storage that says otherwise; empty where none
// does.
func authored(w *facts.World) string {
	for _, says := range []string{model.SaidStorageDiffers + ": ", model.SaidMultiAttach + ": ", "multi-attach", model.SaidAttachmentLeft + ": ", model.SaidUnattached + ": ", " attached to "} {
		for _, o := range w.ByKind[model.AuthorSaid] {
			if strings.Contains(strings.ToLower(o.Detail), says) {
				return "the author writes “" + wait.Sentence(o) + "”"
			}
		}
	}
	return ""
}

// shown are the sights in words, what is amiss first. What is as it should be is counted where there is much of it.
func shown(list []sight) []string {
	var out []string
	fine := map[string][]sight{}
	var kinds []string
	for _, s := range list {
		if s.amiss {
			out = append(out, s.text())
			continue
		}
		key := s.kind + "\x00" + s.state
		if fine[key] == nil {
			kinds = append(kinds, key)
		}
		fine[key] = append(fine[key], s)
	}
	if len(out) > shownMost {
		out = append(out[:shownMost:shownMost], fmt.Sprintf("%d more that are not as they should be", len(out)-shownMost))
	}
	for _, key := range kinds {
		if group := fine[key]; len(group) > shownNamed {
			out = append(out, strings.TrimSpace(words.Count(len(group), group[0].kind)+" "+group[0].state))
		} else {
			for _, s := range group {
				out = append(out, s.text())
			}
		}
	}
	return out
}

// sights are the objects of an input with their states, as objects, tables and Events tell them.
func sights(w *facts.World) []sight {
	list := slices.Concat(attachmentSights(w), podSights(w), nodeSights(w), boundSights(w))
	list = append(list, thingSights(w, list)...)
	slices.SortStableFunc(list, func(a, b sight) int { return b2i(b.amiss) - b2i(a.amiss) })
	return list
}

// attachmentSights are the VolumeAttachments, those of one volume together.
func attachmentSights(w *facts.World) []sight {
	type place struct{ node, state string }
	of := map[string][]place{}
	var volumes []string
	add := func(volume, node, state string) {
		if volume == "" || placeholder(volume) {
			return
		}
		if of[volume] == nil {
			volumes = append(volumes, volume)
		}
		n := slices.IndexFunc(of[volume], func(p place) bool { return p.node == node })
		if n < 0 {
			of[volume] = append(of[volume], place{node, state})
		} else if state != "" {
			of[volume][n].state = state
		}
	}
	for _, i := range w.AttachmentsInOrder() {
		if pv, node := w.Attached(i); pv != "" {
			add(pv, node, attachmentState(w, i))
		}
	}
	for _, kind := range []model.Kind{model.AttachSucceeded, model.AttachmentCreated, model.AttachmentAttached,
		model.AttachmentDeletionRequested} {
		for _, o := range w.ByKind[kind] {
			if o.Source.Kind == model.SourceText && o.Node != "" {
				add(volumeOfRow(w, o), o.Node, rowState(o))
			}
		}
	}
	for _, o := range w.ByKind[model.AttachmentSampled] {
		add(o.Volume.PersistentVolume, o.Node, attachedWord)
	}
	var out []sight
	for _, v := range volumes {
		s := sight{kind: "volume", name: v}
		if bare, ok := strings.CutPrefix(v, attachmentPrefix); ok {
			s.kind, s.name = "VolumeAttachment", bare
		}
		if p := of[v][0]; len(of[v]) == 1 {
			s.state, s.amiss = cmp.Or(p.state, words.If(s.kind == "volume", "named by a VolumeAttachment")), p.state != attachedWord && p.state != ""
			s.where = words.If(p.state == attachedWord, " to ") + words.If(p.state != attachedWord, " on ") + p.node
		} else {
			s.kind, s.amiss = words.Count(len(of[v]), "VolumeAttachment")+" of", true
			var parts []string
			for _, p := range of[v] {
				parts = append(parts, strings.TrimSpace(p.node+" "+p.state))
			}
			s.name, s.state = v+":", strings.Join(parts, ", ")
		}
		out = append(out, s)
	}
	return out
}

// attachmentPrefix marks what a row names by its VolumeAttachment alone: its columns do not show the volume.
const attachmentPrefix = "VolumeAttachment/"

// volumeOfRow is the volume of a row about a VolumeAttachment, as another row of it may tell, else the attachment itself.
func volumeOfRow(w *facts.World, o *model.Observation) string {
	if pv := o.Volume.PersistentVolume; pv != "" || o.Attachment == "" {
		return pv
	}
	for _, p := range w.ByKind[model.AttachmentCreated] {
		if p.Attachment == o.Attachment && p.Volume.PersistentVolume != "" {
			return p.Volume.PersistentVolume
		}
	}
	return attachmentPrefix + o.Attachment
}

// attachedWord is the state of a VolumeAttachment that is as it should be.
const attachedWord = "attached"

func attachmentState(w *facts.World, i int) string {
	va := w.Attachments[i].Value()
	if va.DeletionTimestamp != nil {
		return "being detached since " + model.DateTime(va.DeletionTimestamp.Time)
	}
	if va.Status.Attached {
		return attachedWord
	}
	return "not attached"
}

// rowState is what a row or a description says of a VolumeAttachment.
func rowState(o *model.Observation) string {
	switch {
	case o.Kind == model.AttachmentAttached, o.Kind == model.AttachSucceeded:
		return attachedWord
	case o.Kind == model.AttachmentDeletionRequested && o.At.Missing() == "" && !o.At.IsZero():
		return "being detached since " + model.DateTime(o.At.At)
	case o.Kind == model.AttachmentDeletionRequested:
		return "being detached"
	case slices.Contains(strings.Fields(o.Quote.Text), "false"):
		return "not attached"
	}
	return ""
}

// podSights are the pods with claims, and those that rows and Events name.
func podSights(w *facts.World) []sight {
	var out []sight
	seen := map[string]bool{}
	for _, p := range w.PodsWithClaims(func(model.Object[*corev1.Pod]) bool { return true }) {
		seen[p.Ref.String()] = true
		state := waitingFor(p.Value())
		out = append(out, sight{"pod", p.Ref.String(), state, onNode(p.Value().Spec.NodeName), state != "Ready" && state != "Succeeded"})
	}
	at := map[string]int{}
	for _, k := range podWords {
		for _, o := range w.ByKind[k.kind] {
			name := o.Pod.String()
			byObject := seen[name] || o.Source.Kind == model.SourceManifest
			answer := o.Source.Kind == model.SourceText && o.Agent != "" // to a command, which thingSights have in its own words
			unnamed := o.Pod.Name == "" || placeholder(o.Pod.Name)
			if byObject || answer || unnamed {
				continue
			}
			n, known := at[name]
			if !known {
				n, at[name], out = len(out), len(out), append(out, sight{kind: "pod", name: name})
			}
			s := &out[n]
			if k.kind == model.PodUses && s.state == "" && o.Claim.Name != "" {
				s.where += words.If(!strings.Contains(s.where, " with claim "), " with claim "+o.Claim.Name)
			}
			if k.kind == model.PodSchedulingFailed && w.NewestOf(o.Pod, model.PodScheduled) != nil {
				continue // it has a node by now
			}
			s.where = cmp.Or(s.where, onNode(o.Node))
			if s.state == "" && k.state != "" {
				s.state, s.amiss = k.state, k.amiss
				if o.Detail != "" && (k.kind == model.PodNotReady || k.kind == model.PodWaiting) {
					s.state = o.Detail
				}
			}
			if w.Unlisted(o.Pod) {
				s.state, s.where, s.amiss = "", " is not in the last list of pods", false
			}
		}
	}
	return out
}

func onNode(node string) string { return words.If(node != "", " on "+node) }

// waitingFor is the state of a pod, by what its first container waits for where it does.
func waitingFor(p *corev1.Pod) string {
	state := podState(p)
	if state != string(corev1.PodPending) {
		return state
	}
	for _, s := range p.Status.ContainerStatuses {
		if s.State.Waiting != nil && s.State.Waiting.Reason != "" {
			return s.State.Waiting.Reason
		}
	}
	return state
}

// podWords are what statements say of a pod's state, the most telling first.
var podWords = []struct {
	kind  model.Kind
	state string
	amiss bool
}{
	{model.PodDeletionRequested, "Terminating", true}, {model.PodNotReady, "not Ready", true}, {model.PodSchedulingFailed, "not scheduled", true},
	{model.PodWaiting, "waiting", true}, {model.PodReady, "Ready", false}, {model.PodRunning, "Running", false}, {model.PodFinished, "finished", false},
	{model.PodScheduled, "scheduled", false}, {model.PodCreated, "", false}, {model.PodUses, "", false},
}

// nodeSights are the nodes whose readiness the input tells.
func nodeSights(w *facts.World) []sight {
	var out []sight
	for _, name := range w.NodeNames {
		switch word, _ := w.NodeNow(name); word {
		case "":
		case model.StateDeleted:
			out = append(out, sight{kind: "node", name: name, where: " was deleted", amiss: true})
		default:
			out = append(out, sight{kind: "node", name: name, state: string(word), amiss: word != model.StateReady})
		}
	}
	return out
}

// boundSights are claims and volumes by the rows of tables, where no attachment of the volume is shown.
func boundSights(w *facts.World) []sight {
	var out []sight
	for _, o := range w.ByKind[model.VolumeBound] {
		if o.Source.Kind != model.SourceText || o.Claim.Name == "" {
			continue
		}
		of := cmp.Or(words.If(strings.HasPrefix(o.Detail, "Terminating"), ", volume "), " to volume ")
		s := sight{kind: "claim", name: o.Claim.String(), state: cmp.Or(o.Detail, "bound"),
			where: words.If(o.Volume.PersistentVolume != "", of+o.Volume.PersistentVolume), amiss: !slices.Contains(bound, o.Detail)}
		if o.Object.Kind == "PersistentVolume" && s.amiss {
			s.kind, s.name, s.where = "volume", o.Object.Name, " (PersistentVolumeClaim "+o.Claim.String()+")"
		}
		same := func(other sight) bool { return other.where == s.where && other.state == s.state }
		if !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	return out
}

// bound are the states of a claim with a volume, and of a volume with a claim, that are as they should be.
var bound = []string{"Bound", ""}

// decides is the one command whose answer would decide what an input leaves open.
func decides(list []sight) model.Step {
	for _, s := range list {
		waits := s.kind == "pod" && s.amiss
		namespace, name, ok := strings.Cut(s.name, "/")
		if waits && ok && typeable(namespace, name) {
			return model.Step{Part: model.StepProve, Text: "see what pod " + s.name + " waits for",
				Command: "kubectl describe pod -n " + namespace + " " + name}
		}
	}
	for _, s := range list {
		if s.kind == "VolumeAttachment" && s.amiss && named.MatchString(s.name) {
			return model.Step{Part: model.StepProve, Text: "see whether it is still there, and with which error",
				Command: "kubectl describe volumeattachment " + s.name}
		}
	}
	return model.Step{Part: model.StepProve, Text: "see whether a pod waits for a volume, and for which",
		Command: "kubectl get events -A --field-selector reason=FailedAttachVolume"}
}

// starting is a pod that has a claim and a node and no container yet, not long enough to be a finding; nil where there is none.
func starting(w *facts.World) *corev1.Pod {
	for _, p := range w.AtCollection().PodsWithClaims(wait.WaitsForContainers) {
		return p.Value()
	}
	return nil
}

// startingVerdict says of such a pod that it is too early to tell.
func startingVerdict(p *corev1.Pod, r *model.Report) model.ReportVerdict {
	pod := model.PodRef(p.Namespace, p.Name, "")
	out := without(model.StatusInsufficient, fmt.Sprintf("Pod %s was bound to %s and has no container yet", pod, p.Spec.NodeName),
		"That is not long yet: whether it waits for its volume shows later", besides(r))
	if command := get(p.Namespace, "pod", p.Name, " -o wide"); command != "" {
		out.Steps = []model.Step{{Part: model.StepProve, Text: "see whether it has started since", Command: command}}
	}
	return out
}
