package analyze_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/model"
)

// rule is something that no report may say beside something else that it says. It looks at the report's values; at words only
// where a sentence is all that there is.
type rule struct {
	name string
	look func(*model.Report) []string
}

// The rules by which one report tells one story.
var storyRules = []rule{
	{"the headline's incident is in the report, its group first, and an open one comes before one that has ended", headlineRule},
	{"two short sentences say who suffers and why, without names that only machines use", sentencesRule},
	{"each incident is in one group, of its cause, or of the cause of others of the same loss", groupRule},
	{"a confirmed cause stands before a weaker one of the same stretch", orderRule},
	{"causes that exclude each other are not both given", exclusionRule},
	{"the lives of an attachment follow each other", livesRule},
	{"a phase is named by the state of the attachment at that time", stateRule},
	{"resolved is neither open nor without an end of the wait", resolvedRule},
	{"an integrity window needs a volume that was mounted when it was taken", windowRule},
	{"what is not known of the node is not Ready in any later sentence", unknownNodeRule},
	{"a pod that still exists is in the bundle", stillExistsRule},
	{"what sets the length of a phase is as long as the phase", governorRule},
	{"what a cause misses is a source, and not only a question", missingRule},
	{"at most one operand is the answer, and it was false", decidesRule},
	{"before Multi-Attach nothing was reported, nothing ended, and no node wants the volume", beforeRule},
	{"who stops a pod that runs says so, and nothing that is unsafe has no risk", riskRule},
}

func headlineRule(r *model.Report) []string {
	var out []string
	real := slices.DeleteFunc(slices.Clone(r.Incidents), func(i model.Incident) bool { return i.Causes[0].ID == "handover" })
	n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
	switch {
	case r.Verdict.Incident == "" && len(real) > 0:
		return []string{"the headline is about no incident"}
	case r.Verdict.Incident == "":
		return nil
	case n < 0:
		return []string{"the headline is about an incident that is not in the report"}
	}
	if open := slices.ContainsFunc(real, func(i model.Incident) bool { return i.Span.Open }); open && !r.Incidents[n].Span.Open {
		out = append(out, "the headline is about an incident that has ended while another is open")
	}
	if len(r.Groups) == 0 || len(r.Groups[0].Incidents) == 0 || r.Groups[0].Incidents[0] != r.Verdict.Incident {
		out = append(out, "the first group does not begin with the headline's incident")
	}
	return out
}

func sentencesRule(r *model.Report) []string {
	var out []string
	for _, s := range []struct {
		what, text string
		limit      int
	}{{"headline", r.Verdict.Headline, 25}, {"why", r.Verdict.Why, 30}} {
		if n := len(strings.Fields(s.text)); n > s.limit {
			out = append(out, fmt.Sprintf("%s of %d words: %s", s.what, n, s.text))
		}
		if s.text != "" && !strings.HasSuffix(s.text, ".") || strings.HasSuffix(s.text, "..") {
			out = append(out, s.what+" does not end: "+s.text)
		}
		n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
		if n >= 0 && r.Incidents[n].Volume.Claim != nil && generatedName.MatchString(s.text) {
			out = append(out, s.what+" has a name that only machines use: "+s.text)
		}
		for _, vague := range []string{"unknown node", "does not tell", "not recorded"} {
			if s.what == "headline" && strings.Contains(s.text, vague) {
				out = append(out, "the headline tells what is not known: "+s.text)
			}
		}
	}
	if r.Verdict.Headline == "" {
		out = append(out, "no headline")
	}
	return out
}

// generatedName is a UID, or the hash of a VolumeAttachment.
var generatedName = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}`)

func groupRule(r *model.Report) []string {
	var out []string
	in := map[string]int{}
	cause := map[string]string{}
	for _, g := range r.Groups {
		for _, id := range g.Incidents {
			in[id]++
			cause[id] = g.Cause
		}
	}
	for _, i := range r.Incidents {
		if in[i.ID] != 1 {
			out = append(out, fmt.Sprintf("%s is in %d groups", i.ID, in[i.ID]))
		}
		own := i.Causes[0].ID
		if cause[i.ID] != own && own != "unknown" {
			out = append(out, fmt.Sprintf("%s has the cause %s in a group of %s", i.ID, own, cause[i.ID]))
		}
	}
	return out
}

func orderRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for n, weak := range i.Causes {
			for _, sure := range i.Causes[n+1:] {
				if weak.ID != "unknown" && sure.Verdict == model.Confirmed && !cause.Settled(weak.Verdict, weak.Missing) && weak.Explains == sure.Explains {
					out = append(out, fmt.Sprintf("%s: %s (%s) stands above %s, which is confirmed", i.ID, weak.ID, weak.Verdict, sure.ID))
				}
			}
		}
	}
	return out
}

func exclusionRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, pair := range [][2]string{{"kubelet-down", "node-down"}, {"handover", "rollout-surge"}, {"handover", "shared-claim"},
			{"rollout-surge", "shared-claim"}} {
			if established(i, pair[0]) && established(i, pair[1]) {
				out = append(out, fmt.Sprintf("%s: both %s and %s", i.ID, pair[0], pair[1]))
			}
		}
	}
	return out
}

func established(i model.Incident, id string) bool {
	return slices.ContainsFunc(i.Causes, func(c model.Cause) bool { return c.ID == id && c.Verdict != model.Undecidable })
}

func livesRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		var before *model.AttachmentLife
		for _, l := range i.BlockingAttachment.Lives {
			if before != nil && (l.CreatedAt == nil || before.GoneAt == nil || before.GoneAt.Earliest.After(l.CreatedAt.Latest)) {
				out = append(out, i.ID+": a life begins before the one before it has ended")
			}
			if l.DeletionRequestedAt != nil && l.GoneAt != nil && l.DeletionRequestedAt.Earliest.After(l.GoneAt.Latest) {
				out = append(out, i.ID+": an attachment is gone before its deletion was requested")
			}
			before = &l
		}
	}
	return out
}

// edge is free at both ends of a phase: its boundaries are moments of other sources.
const edge = 3 * time.Second

func stateRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, p := range i.Phases {
			from, to := p.From.At.Add(edge), p.To.At.Add(-edge)
			if !from.Before(to) {
				continue
			}
			for _, l := range i.BlockingAttachment.Lives {
				surelyThere := (l.CreatedAt == nil || l.CreatedAt.Latest.Before(to)) && l.GoneAt != nil && l.GoneAt.Earliest.After(from)
				surelyGoing := l.DeletionRequestedAt != nil && l.DeletionRequestedAt.Latest.Before(from) && l.GoneAt != nil &&
					l.GoneAt.Earliest.After(to)
				switch {
				case p.ID == model.PhaseAttach && surelyThere && l.GoneAt.Earliest.After(from.Add(edge)):
					out = append(out, fmt.Sprintf("%s: attach begins while the old attachment is there", i.ID))
				case (p.ID == model.PhaseRelease || p.ID == model.PhaseUnmountWait) && surelyGoing:
					out = append(out, fmt.Sprintf("%s: %s while the attachment is being deleted", i.ID, p.ID))
				}
			}
		}
	}
	return out
}

func resolvedRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		if i.Resolved && (i.Span.Open || i.MultiAttach.Ended == nil) {
			out = append(out, i.ID+" is resolved and open, or without an end")
		}
	}
	return out
}

func operandOf(i model.Incident, name string) model.Operand {
	for _, o := range i.WhyNotDetached {
		if o.Operand == name {
			return o
		}
	}
	return model.Operand{}
}

func windowRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		o := operandOf(i, "unmounted-by-node")
		if i.IntegrityWindow != nil && (o.Value == model.True || o.Until != nil) {
			out = append(out, i.ID+": a window of two writers for a volume whose unmount had been reported")
		}
	}
	return out
}

func unknownNodeRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		if operandOf(i, "node-unhealthy").Value != model.Unknown {
			continue
		}
		says := func(where, text string) {
			if strings.Contains(text, "node is Ready") || strings.Contains(text, "node that is Ready:") || strings.Contains(text,
				i.From.Node+" is Ready") && i.From.Node != "" {
				out = append(out, fmt.Sprintf("%s: %s says of a node of which nothing is known: %s", i.ID, where, text))
			}
		}
		if i.Model != nil {
			says("the outlook", i.Model.Outlook)
		}
		for _, m := range i.Remediations {
			says(m.ID, m.Why)
		}
	}
	return out
}

func stillExistsRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		there := slices.ContainsFunc(i.From.Pods, func(p model.Ref) bool {
			return slices.ContainsFunc(r.Graph.Nodes, func(n model.GraphNode) bool {
				return n.Kind == "Pod" && n.Name == p.Name && n.Namespace == p.Namespace && n.Presence == model.InSnapshot
			})
		})
		if there {
			continue
		}
		for _, c := range i.Causes {
			if strings.Contains(c.Summary, "pod object still exists") {
				out = append(out, fmt.Sprintf("%s: %s says that a pod still exists that the bundle does not hold", i.ID, c.ID))
			}
		}
	}
	return out
}

func governorRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, p := range i.Phases {
			if g := p.GovernedBy; g != nil {
				if strings.Contains(g.Value, "healthy node") && p.Seconds.Min > 60 {
					out = append(out, fmt.Sprintf("%s: %s of %.0f s is what a healthy node takes", i.ID, p.ID, p.Seconds.Best))
				}
				d, err := time.ParseDuration(strings.ReplaceAll(strings.TrimSuffix(g.Value, " by default"), " ", ""))
				if err == nil && g.Parameter == "terminationGracePeriodSeconds" && p.Seconds.Best > d.Seconds()+60 {
					out = append(out, fmt.Sprintf("%s: %s of %.0f s is set by %s: %s", i.ID, p.ID, p.Seconds.Best, g.Parameter, g.Value))
				}
			}
		}
	}
	return out
}

// question is how a text begins that asks; behind the colon stands what would answer it.
var question = regexp.MustCompile(`^(that|whether|why|when|what|which|since|how) `)

func missingRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, c := range i.Causes {
			for _, m := range c.Missing {
				_, source, _ := strings.Cut(m, ": ")
				if question.MatchString(m) && (source == "" || question.MatchString(source) || strings.HasPrefix(source, "it")) {
					out = append(out, fmt.Sprintf("%s: %s misses what no source is named for: %s", i.ID, c.ID, m))
				}
			}
		}
	}
	return out
}

func decidesRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		n := 0
		for _, o := range i.WhyNotDetached {
			if o.Decides {
				n++
			}
			if o.Decides && o.Value != model.False {
				out = append(out, fmt.Sprintf("%s: %s is the answer and was %s", i.ID, o.Operand, o.Value))
			}
		}
		if n > 1 {
			out = append(out, fmt.Sprintf("%s: %d operands are the answer", i.ID, n))
		}
	}
	return out
}

func riskRule(r *model.Report) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			if m.Effect == "not-applicable" {
				continue
			}
			if m.Safety.State == "unsafe" && (m.DataRisk == "none" || m.DataRisk == "none-once-proven") {
				out = append(out, fmt.Sprintf("%s: %s is unsafe, and its data risk is %s", i.ID, m.ID, m.DataRisk))
			}
			stops := slices.ContainsFunc(m.Commands, func(c string) bool {
				return strings.HasPrefix(c, "kubectl delete pod") || strings.HasPrefix(c, "kubectl scale") && strings.HasSuffix(c, "=0")
			})
			if stops && len(m.SideEffects) == 0 {
				out = append(out, fmt.Sprintf("%s: %s stops a pod and has no side effect", i.ID, m.ID))
			}
		}
	}
	return out
}

func beforeRule(r *model.Report) []string {
	early := []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling}
	var out []string
	for _, i := range r.Incidents {
		if i.Kind != model.KindBeforeMultiAttach {
			continue
		}
		late := slices.ContainsFunc(i.Phases, func(p model.Phase) bool { return !slices.Contains(early, p.ID) })
		if late || i.MultiAttach.Reports > 0 || i.MultiAttach.Ended != nil || i.Resolved || !i.Span.Open || i.To.Node != "" ||
			i.BlockingAttachment.DeletionRequestedAt != nil {
			out = append(out, i.ID+" is before Multi-Attach, and something tells of what comes after it")
		}
		for _, other := range r.Incidents {
			if other.ID != i.ID && other.Span.Open && other.Volume.UniqueName == i.Volume.UniqueName {
				out = append(out, i.ID+" is before Multi-Attach, and "+other.ID+" is open for the same volume")
			}
		}
	}
	return out
}

// contradictions are the violations of all rules.
func contradictions(r *model.Report) []string {
	var out []string
	for _, rule := range storyRules {
		for _, text := range rule.look(r) {
			out = append(out, text+" ("+rule.name+")")
		}
	}
	return out
}

// TestCasesDoNotContradictThemselves holds the rules against every case.
func TestCasesDoNotContradictThemselves(t *testing.T) {
	for _, c := range cases(t) {
		for _, text := range contradictions(c.report(t)) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}
