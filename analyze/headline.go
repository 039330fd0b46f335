package analyze

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// How many words the two sentences of a verdict may have.
const (
	headlineWords = 25
	whyWords      = 30
)

func wordCount(s string) int { return len(strings.Fields(s)) }

// blocked is the sentence of a wait of which all is known: who suffers, for how long, and on which node the volume is, or cannot be.
func blocked(c *wait.Case, r *model.Report, i model.Incident) string {
	text := staying(c, r, i)
	if who, _, waits := strings.Cut(text, ": its volume "); waits && i.Causes[0].ID == model.CauseAttachFailing {
		return who + ": its volume " + words.If(i.Span.Open, "cannot") + words.If(!i.Span.Open, "could not") + " be attached to " + c.To
	}
	return text
}

func staying(c *wait.Case, r *model.Report, i model.Incident) string {
	who, node := someone(i), onWhich(c, i)
	lasted, least := words.Seconds(i.Span.Seconds.Best), words.If(!i.Resolved, "at least ")
	collected := r.Bundle.CapturedAt != nil && r.Bundle.CapturedAt.Basis == model.Observed && !i.Span.To.IsZero()
	switch {
	case !i.Span.Open && i.MultiAttach.Ended != nil && i.Span.Down:
		return fmt.Sprintf("%s was down for %s: its volume stayed attached to %s", who, least+lasted, node)
	case !i.Span.Open && i.MultiAttach.Ended != nil && i.Span.StartsAt != model.StartsAtReport:
		return fmt.Sprintf("%s took %s to move: its volume stayed attached to %s", who, least+lasted, node)
	case !i.Span.Open && i.MultiAttach.Ended != nil:
		return fmt.Sprintf("%s waited %s for its volume, which stayed attached to %s", who, lasted, node)
	case !i.Span.Open || !collected:
		return fmt.Sprintf("%s waits for its volume, which is attached to %s; nothing in the bundle shows its end", who, node)
	case i.MultiAttach.Ended != nil:
		return fmt.Sprintf("%s was not Ready at the collection, after %s: its volume had stayed attached to %s", who, lasted, node)
	case i.Causes[0].ID == model.CauseRolloutSurge && i.Workload != nil:
		return fmt.Sprintf("The rollout of %s was still stuck at the collection, after %s: its volume stays attached to %s", who, lasted, node)
	}
	still := words.If(i.Span.Down, "was still down") + words.If(!i.Span.Down, "still waited")
	return fmt.Sprintf("%s %s at the collection, after %s: its volume stays attached to %s", who, still, lasted, node)
}

// down reports that nothing of the workload served: its old pods are proven to have stopped, no other that shares its volume runs, and
// none stopped slowly.
func down(c *wait.Case, i model.Incident) bool {
	runs := []string{model.CauseRolloutSurge, model.CauseSharedClaim, model.CauseAccessMode, model.CauseSlowStop, model.CauseTaintOnLiveNode,
		model.CauseKubeletDown}
	wentOn := func(k model.Cause) bool { return k.Verdict != model.Undecidable && slices.Contains(runs[3:], k.ID) }
	if slices.Contains(runs, i.Causes[0].ID) || slices.ContainsFunc(i.Causes, wentOn) {
		return false
	}
	return i.Span.StartsAt != model.StartsAtReport && len(c.RanOn()) == 0 && c.Stopped()
}

// someone is who suffers: the workload, or of a StatefulSet the pod, else the pod or the claim's user.
func someone(i model.Incident) string {
	switch w := i.Workload; {
	case w == nil || w.Kind == "StatefulSet" && len(i.To.Pods) == 1:
	case w.Kind == "Deployment":
		return w.String()
	default:
		return w.Kind + " " + w.String()
	}
	switch pods := i.To.Pods; {
	case len(pods) > 1:
		return fmt.Sprintf("Pod %s (and %s)", pods[0], words.Plural(len(pods)-1, "other", "others"))
	case len(pods) == 1:
		return "Pod " + pods[0].String()
	case i.Volume.Claim != nil:
		return "The user of PersistentVolumeClaim " + i.Volume.Claim.String()
	}
	return "A pod"
}

// onWhich names the node that had the volume, and says so when it was lost.
func onWhich(c *wait.Case, i model.Incident) string {
	holder, _, taken := c.TakenBy()
	if i.From.Node == "" {
		return "another node"
	}
	if taken {
		return holder.Value().Spec.NodeName + ", where " + holder.Ref.Name + " has it"
	}
	if lostToo(i) && !c.BackReady.Known() && toldBy(c, i) == "" {
		return "the lost node " + i.From.Node
	}
	return i.From.Node
}

// lostToo reports that the loss of the node is a cause, also beside another.
func lostToo(i model.Incident) bool {
	return slices.ContainsFunc(i.Causes, func(k model.Cause) bool { return k.ID == model.CauseNodeDown && k.Verdict != model.Undecidable })
}

// sentences joins texts as far as they fit into a number of words; of a first that is longer, the clauses that fit.
func sentences(texts ...string) string {
	out := ""
	for _, t := range texts {
		t = strings.TrimRight(strings.TrimSpace(t), ".;:,")
		switch {
		case t == "":
		case out == "":
			if t = clauses(t, whyWords); t != "" {
				out = t + "."
			}
		case wordCount(out)+wordCount(t) <= whyWords:
			out += " " + t + "."
		}
	}
	return out
}

// clauseEnd is where a sentence can end early.
var clauseEnd = regexp.MustCompile(`[.;:,] `)

// clauses are the first clauses of a text that fit into so many words, and where not even one does, its first words.
func clauses(text string, limit int) string {
	if wordCount(text) <= limit {
		return text
	}
	ends := clauseEnd.FindAllStringIndex(text, -1)
	for _, marks := range []string{".;", ".;:,"} {
		for _, end := range slices.Backward(ends) {
			if strings.Contains(marks, text[end[0]:end[0]+1]) && wordCount(text[:end[0]]) <= limit && balanced(text[:end[0]]) {
				return text[:end[0]]
			}
		}
	}
	return strings.Join(strings.Fields(text)[:limit-1], " ") + " …"
}

// balanced reports that no bracket and no quotation mark is open at the end of a text.
func balanced(text string) bool {
	return strings.Count(text, "(") == strings.Count(text, ")") && strings.Count(text, `"`)%2 == 0
}

// since dates the beginning, as far as its date is known.
func since(m model.Moment) string {
	at := model.DateTime(m.At)
	switch width := m.Latest.Sub(m.Earliest); {
	case m.Missing() != "":
		return at
	case m.Basis == model.Assumed:
		return at + " (assumed)"
	case width > vagueBegin:
		return at + " (± " + words.Seconds(width.Seconds()/2) + ")"
	}
	return at
}

// byHand is about the first deletion of the blocking attachment by another than the controller, and what came of it.
func byHand(i model.Incident) string {
	for n, l := range i.BlockingAttachment.Lives {
		if l.ByHand != model.True || l.DeletionRequestedAt == nil {
			continue
		}
		text := fmt.Sprintf("%s deleted the VolumeAttachment %s", words.Capital(cmp.Or(l.DeletedBy, "somebody")), within(*l.DeletionRequestedAt))
		if n < len(i.BlockingAttachment.Lives)-1 {
			return text + "; the controller recreated it"
		}
		if i.MultiAttach.Ended != nil {
			return text
		}
		return text + "; nothing shows an attach since"
	}
	return ""
}

// stuck are the sentences of a wait without an attach: which pod, where, how long, and what keeps its replacement away.
func stuck(c *wait.Case, r *model.Report, i model.Incident) (headline, why string) {
	node := "unready "
	if i.Causes[0].ID == model.CauseNodeDown {
		node = "lost "
	}
	pod, where := c.Began.Witness[0].Pod, node+c.From
	headline = fmt.Sprintf("Pod %s is Terminating on %s, and its volume stays attached there", pod, where)
	if captured := r.Bundle.CapturedAt; captured != nil && captured.Basis == model.Observed && !i.Span.To.IsZero() {
		headline = fmt.Sprintf("Pod %s was still %sTerminating on %s at the collection, after %s, and keeps its volume there",
			pod, words.If(i.Span.Down, "down and "), where, words.Seconds(i.Span.Seconds.Best))
	}
	return headline, toCome(c)
}

// toCome is what keeps a replacement away, and what follows: it is never placed on a node that is not Ready.
func toCome(c *wait.Case) string {
	if len(c.NewPods) > 0 {
		return fmt.Sprintf("Its replacement %s has no node yet; once it has one, Multi-Attach follows", wait.PodNames(c.NewPods[:1]))
	}
	if c.OutOfService.Known() && upstream.OutOfServiceDetach(c.World.Version) == upstream.Supported {
		return "Its StatefulSet creates no replacement while the pod object exists; the out-of-service taint lets both go"
	}
	return "Its StatefulSet creates no replacement while the pod object exists; deleting it by force leads to Multi-Attach"
}
