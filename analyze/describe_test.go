package analyze_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// describe writes a report as the cases want it: the status, then one line for each incident, each followed by the
// details that the case asks for. A detail line belongs to the incident line above it:
//
//	operand NAME VALUE     the value of an operand of the controller's decision
//	phases ID=SECONDS …    the phases that tile the span
//	reports N VARIANT      how often Multi-Attach was reported, and which text came first
//	verified BOOL          whether the attachment's name was compared with the hash
//	pods OLD → NEW         the pods on both sides
//	integrity FROM to TO   the window in which the old node may have written, and what is said of it
//	risk ID CLASS TEXT; …  what a remedy puts at risk of the data, and its side effects
//	says TEXT              a part of the first cause's summary
//	lives …                each object that had the blocking attachment's name
//	operand-text NAME TEXT a part of what is said of an operand
//	done TIME ACT (EFFECT) each act with its bounds and what it came to
//	missing TEXT           a part of what the incident's causes miss, or of what the bundle lacks
//
// and above the first incident:
//
//	clock PATH YEAR BASIS  a part of how the year of an input was found
//	zone PATH TEXT         the same of its zone, and
//	ages PATH TEXT         of from when its ages count back
//	collected HOW TIME     when the bundle was collected, and how that is known
//	headline TEXT          a part of the verdict's first sentence
//	problem TEXT           a part of what could not be read or understood
//	groups CAUSE@NODE:N …  the groups and how many incidents each has
//	findings ID:SEVERITY … all findings
//	why TEXT               a part of the sentence below it
//	shown TEXT; …          what the verdict says that the input shows
//	steps PART COMMAND; …  the verdict's own steps: a command, or the text where there is none
//
// A case of a check ends with each finding of that check in full, and with the IDs of the others:
//
//	finding ID SEVERITY OBJECT …
//	  TEXT
//	  remedy: REMEDY
//	  quotes PATH:LINE …
//	also ID …
//
// and a case of a remedy has, below each incident, what is said of it:
//
//	remedy ID EFFECT SAFETY [used] at=TIME end=TIME saved=BEST(MIN–MAX) phases=ID,…
//	  WHY
//	  needs YES|NO|UNKNOWN: TEXT
//	  $ COMMAND
func describe(r *model.Report, c oneCase) string {
	want := c.want
	var b strings.Builder
	fmt.Fprintf(&b, "status %s\n", r.Verdict.Status)
	asked := details(want)
	for _, line := range asked[0] {
		fmt.Fprintln(&b, ofReport(r, line))
	}
	for n, i := range r.Incidents {
		fmt.Fprintln(&b, incidentLine(i))
		if c.remedy != "" {
			b.WriteString(remedyOf(i, c.remedy))
		}
		if n+1 >= len(asked) {
			continue
		}
		for _, line := range asked[n+1] {
			fmt.Fprintln(&b, ofIncident(r, i, line))
		}
	}
	if c.check != "" {
		b.WriteString(findings(r, c.check))
	}
	return b.String()
}

// details are the optional lines of a want section by the incident that they belong to; those of the report come first.
func details(want string) [][]string {
	out := [][]string{nil}
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "status "), strings.HasPrefix(line, "finding "), strings.HasPrefix(line, "  "), strings.HasPrefix(line,
			"also "),
			strings.HasPrefix(line, "remedy "):
		case strings.HasPrefix(line, "volume="):
			out = append(out, nil)
		default:
			out[len(out)-1] = append(out[len(out)-1], line)
		}
	}
	return out
}

// phaseName is a phase's identifier, with those that an undivided stretch may consist of.
func phaseName(p model.Phase) string {
	name := string(p.ID)
	for n, id := range p.Undivided {
		name += string([]rune{'(', '+'}[min(n, 1)]) + string(id)
	}
	if len(p.Undivided) > 0 {
		name += ")"
	}
	return name
}

func incidentLine(i model.Incident) string {
	var causes []string
	for _, c := range i.Causes {
		causes = append(causes, fmt.Sprintf("%s:%s:%s", c.ID, c.Verdict, c.Explains))
	}
	a := i.BlockingAttachment
	name := "none"
	if a.Name != nil {
		name = shortName(*a.Name)
	}
	return fmt.Sprintf("volume=%s from=%s to=%s began=%s ended=%s attachment=%s(%s) resolved=%v causes=%s",
		orDash(i.Volume.PersistentVolume, i.Volume.UniqueName), orDash(i.From.Node), orDash(i.To.Node),
		moment(&i.MultiAttach.Began, "2006-01-02T15:04:05.999999"), moment(i.MultiAttach.Ended, "15:04:05.999999"),
		name, a.NameBasis, i.Resolved, strings.Join(causes, ","))
}

// shortName cuts the 64 hex digits of a derived name to eight, which tell apart the few of a case.
func shortName(name string) string {
	if hash, ok := strings.CutPrefix(name, "csi-"); ok && len(hash) == 64 {
		return "csi-" + hash[:8]
	}
	return name
}

// moment is the best estimate, the width of the interval where it has one, and the basis where it is weak.
func moment(m *model.Moment, layout string) string {
	if m == nil {
		return "-"
	}
	s := m.At.Format(layout)
	if m.Missing() != "" {
		s = strings.ReplaceAll(model.DateTime(m.At), " ", "-")
	}
	if w := m.Latest.Sub(m.Earliest); w > 0 {
		s += "~" + w.Round(time.Millisecond).String()
	}
	if m.Basis == model.Assumed {
		s += "?"
	}
	return s
}

func ofReport(r *model.Report, line string) string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "clock":
		path, year, _ := strings.Cut(rest, " ")
		i := slices.IndexFunc(r.Bundle.Inputs, func(in model.Input) bool { return in.Path == path })
		if i >= 0 && r.Bundle.Inputs[i].Clock != nil && !strings.Contains(r.Bundle.Inputs[i].Clock.Year, year) {
			return "clock " + path + " " + r.Bundle.Inputs[i].Clock.Year
		}
		if i < 0 || r.Bundle.Inputs[i].Clock == nil {
			return "clock " + path + " none"
		}
		return line
	case "zone", "ages":
		path, part, _ := strings.Cut(rest, " ")
		i := slices.IndexFunc(r.Bundle.Inputs, func(in model.Input) bool { return in.Path == path && in.Clock != nil })
		if i < 0 {
			return word + " " + path + " none"
		}
		text := r.Bundle.Inputs[i].Clock.Zone
		if word == "ages" {
			text = r.Bundle.Inputs[i].Clock.Ages
		}
		return textLine(word+" "+path, part, []string{text})
	case "collected":
		return strings.TrimSpace("collected " + string(r.Bundle.CapturedHow) + " " + moment(r.Bundle.CapturedAt, "2006-01-02T15:04:05"))
	case "shown":
		return "shown " + strings.Join(r.Verdict.Shown, "; ")
	case "steps":
		var out []string
		for _, s := range r.Verdict.Steps {
			out = append(out, string(s.Part)+" "+cmp.Or(s.Command, s.Text))
		}
		return "steps " + strings.Join(out, "; ")
	case "headline":
		return textLine(word, rest, []string{r.Verdict.Headline})
	case "why":
		return textLine(word, rest, []string{r.Verdict.Why})
	case "problem":
		var all []string
		for _, p := range r.Bundle.Problems {
			all = append(all, p.Message)
		}
		return textLine(word, rest, all)
	case "groups":
		out := "groups"
		for _, g := range r.Groups {
			out += fmt.Sprintf(" %s@%s:%d", g.Cause, orDash(g.Node), len(g.Incidents))
		}
		return out
	case "findings":
		out := "findings"
		for _, f := range r.Findings {
			out += " " + f.ID + ":" + f.Severity
		}
		return out
	}
	return "not understood: " + line
}

func ofIncident(r *model.Report, i model.Incident, line string) string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "operand":
		name, _, _ := strings.Cut(rest, " ")
		for _, o := range i.WhyNotDetached {
			if o.Operand == name {
				return fmt.Sprintf("operand %s %s", name, o.Value)
			}
		}
		return "operand " + name + " is not asked"
	case "operand-text":
		name, part, _ := strings.Cut(rest, " ")
		for _, o := range i.WhyNotDetached {
			if o.Operand == name {
				return textLine(word+" "+name, part, []string{o.Text})
			}
		}
		return "operand " + name + " is not asked"
	case "lives":
		out := "lives"
		for _, l := range i.BlockingAttachment.Lives {
			out += fmt.Sprintf(" [%s from=%s asked=%s gone=%s by-hand=%s%s]", orDash(l.UID), moment(l.CreatedAt, "15:04:05"),
				moment(l.DeletionRequestedAt, "15:04:05"),
				moment(l.GoneAt, "15:04:05"), l.ByHand, l.DeletedBy)
		}
		return out
	case "phases":
		out := "phases"
		for _, p := range i.Phases {
			out += fmt.Sprintf(" %s=%.1f", phaseName(p), p.Seconds.Best)
		}
		return out
	case "governor":
		phase, _, _ := strings.Cut(rest, " ")
		for _, p := range i.Phases {
			if string(p.ID) == phase && p.GovernedBy != nil {
				return fmt.Sprintf("governor %s %s=%s %s", phase, p.GovernedBy.Parameter, p.GovernedBy.Value, p.GovernedBy.Basis)
			}
		}
		return "governor " + phase + " none"
	case "reports":
		return fmt.Sprintf("reports %d %s", i.MultiAttach.Reports, i.MultiAttach.Variant)
	case "verified":
		if v := i.BlockingAttachment.HashVerified; v != nil {
			return fmt.Sprintf("verified %v", *v)
		}
		return "verified -"
	case "pods":
		return fmt.Sprintf("pods %s → %s", refs(i.From.Pods), refs(i.To.Pods))
	case "owned":
		if i.Workload == nil {
			return "owned -"
		}
		return "owned " + i.Workload.Key()
	case "claimed":
		if i.Volume.Claim == nil {
			return "claimed -"
		}
		return "claimed " + i.Volume.Claim.String()
	case "absent":
		return "absent " + orDash(i.BlockingAttachment.NoneBecause) + " | " + r.Verdict.Headline
	case "linked":
		return "linked " + orDash(strings.Join(links(r, rest), "; "))
	case "integrity":
		w := i.IntegrityWindow
		if w == nil {
			return "integrity -"
		}
		writers := ""
		if w.RanOn {
			writers = ", two writers"
		}
		return fmt.Sprintf("integrity %s to %s%s: %s", moment(&w.From, "15:04:05"), moment(w.To, "15:04:05"), writers, w.Text)
	case "risk":
		return ofRisk(i, rest)
	case "says":
		return textLine(word, rest, []string{i.Causes[0].Summary})
	case "next":
		var all []string
		for _, n := range i.Next {
			all = append(all, n.Command)
		}
		return textLine(word, rest, all)
	case "done":
		out := "done"
		for _, d := range i.Advice.Done {
			out += fmt.Sprintf(" [%s %s (%s)]", d.At.Clock(model.TimeOfDay), d.What, d.Effect)
		}
		return out
	case "missing":
		var all []string
		for _, c := range i.Causes {
			all = append(all, c.Missing...)
		}
		for _, n := range r.Bundle.NotCollected {
			all = append(all, n.What)
		}
		return textLine(word, rest, all)
	}
	return "not understood: " + line
}

// links are the edges of the graph of one relation, such as uses; the line names it first.
func links(r *model.Report, rest string) []string {
	relation, _, _ := strings.Cut(rest, ";")
	out := []string{relation}
	for _, e := range r.Graph.Edges {
		if e.Relation == relation {
			out = append(out, e.From+" → "+e.To)
		}
	}
	return out
}

// textLine repeats the line when one of the texts holds what it asks for, else it shows the texts.
func textLine(word, part string, texts []string) string {
	if part != "" && slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, part) }) {
		return word + " " + part
	}
	return word + " " + strings.Join(texts, " | ")
}

func refs(list []model.Ref) string {
	var out []string
	for _, r := range list {
		s := r.String()
		if r.UID != "" {
			s += ":" + r.UID
		}
		out = append(out, s)
	}
	return orDash(strings.Join(out, ","))
}

func orDash(candidates ...string) string {
	for _, s := range candidates {
		if s != "" {
			return s
		}
	}
	return "-"
}
