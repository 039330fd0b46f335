package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// How much a ticket comment shows before it refers to the other formats.
const (
	markdownGroups = 10 // rows of the table of groups
	markdownCauses = 3
	markdownPlaces = 2 // quotes of one cause
)

// writeMarkdown writes a comment for a ticket in GitHub's Markdown: the answer, the waterfall as a table, the causes and
// what would have shortened the incident. It is at most sixty lines for one incident; of several it tells the first.
func writeMarkdown(w io.Writer, r *model.Report) error {
	v, m := newView(r), &markdown{}
	m.line("### " + prose(find(statusLabels, string(v.Verdict.Status))))
	m.line("")
	m.line(prose(v.Verdict.Headline))
	if in := v.primary(); in != nil {
		m.groups(v)
		m.incident(v, in)
	}
	if len(v.Findings) > 0 {
		m.line("")
		m.line(fmt.Sprintf("%s beside the incidents: %s.", capital(count(len(v.Findings), "finding")), prose(findingTitles(v.Findings))))
	}
	m.line("")
	m.line("Evidence gaps: " + prose(v.Gaps.String()) + ". Bundle " + code(or(v.Bundle.Root, "unnamed")) + ", Kubernetes " + prose(or(v.Bundle.KubernetesVersion, "version unknown")) +
		", collected " + prose(collection(v.Bundle.CapturedAt, "at an unknown time")) + ". Times are UTC. " + prose(strings.TrimSpace(v.Generator.Name+" "+v.Generator.Version)) + ".")
	_, err := io.WriteString(w, m.String())
	return err
}

// findingTitles names the first findings.
func findingTitles(list []model.Finding) string {
	const most = 4
	var titles []string
	for _, f := range list {
		if !slices.Contains(titles, f.Title) {
			titles = append(titles, f.Title)
		}
	}
	if more := len(titles) - most; more > 0 {
		titles = append(titles[:most], fmt.Sprintf("and %d more kinds", more))
	}
	return strings.Join(titles, "; ")
}

// markdown collects lines of Markdown.
type markdown struct{ strings.Builder }

func (m *markdown) line(s string) {
	m.WriteString(strings.TrimRight(s, " "))
	m.WriteByte('\n')
}

// row is a row of a table; its cells are Markdown.
func (m *markdown) row(cells ...string) { m.line("| " + strings.Join(cells, " | ") + " |") }

// groups lists the groups when the report has several incidents.
func (m *markdown) groups(v *view) {
	if len(v.Incident) < 2 {
		return
	}
	m.line("")
	m.row("Group", "Incidents")
	m.line("|---|---:|")
	for i, g := range v.Group {
		if i == markdownGroups {
			m.row(fmt.Sprintf("and %d more groups", len(v.Group)-i), "")
			break
		}
		m.row(prose(g.Title), number(int64(len(g.Members))))
	}
}

// incident tells one incident.
func (m *markdown) incident(v *view, in *incidentView) {
	name := "unknown"
	if in.BlockingAttachment.Name != nil {
		name = *in.BlockingAttachment.Name
	}
	m.line("")
	if len(v.Incident) > 1 {
		m.line(fmt.Sprintf("**Incident %d**", in.Number))
		m.line("")
	}
	m.row("Volume", code(volumeName(in.Volume)))
	m.line("|---|---|")
	m.row("Nodes", code(or(in.From.Node, "unknown"))+" → "+code(or(in.To.Node, "unknown")))
	m.row("Blocked by", "VolumeAttachment "+code(name))
	m.row("Multi-Attach lasted", prose(in.Wait))
	m.row("Whole span", prose(spanText(in.Incident)))
	m.causes(v, in)
	m.waterfall(in)
	m.remedies(in)
}

// causes are the first causes, each with the places of its first quotes.
func (m *markdown) causes(v *view, in *incidentView) {
	m.line("")
	for i, c := range in.Cause {
		if i == markdownCauses {
			m.line("- and " + count(len(in.Cause)-i, "more cause"))
			break
		}
		var places []string
		for _, id := range v.cited(c.For) {
			if len(places) == markdownPlaces {
				break
			}
			places = append(places, code(v.short(v.Evidence[v.evidence[id]].Source)))
		}
		text := fmt.Sprintf("- **%s** %s (explains %s): %s", prose(string(c.Verdict)), code(c.ID), prose(c.Explained), prose(c.Summary))
		if len(places) > 0 {
			text += " Evidence: " + strings.Join(places, ", ")
		}
		m.line(text)
	}
}

// waterfall is the phases as a table, with a bar of letters that survives every renderer.
func (m *markdown) waterfall(in *incidentView) {
	if len(in.Bars) == 0 {
		return
	}
	m.line("")
	m.row("Phase", "Duration", "From", "Known", "")
	m.line("|---|---:|---|---|---|")
	for _, b := range in.Bars {
		m.row(prose(string(b.ID)), prose(b.Duration), timeOfDay(b.From), string(b.From.Basis), code(bar(b)))
	}
}
