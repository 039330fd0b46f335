package markdown

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// commentLines is how many lines of a comment stand above its fold.
const commentLines = 25

// answer writes the answer, with each command in a block of its own that can be copied. What has no room is below the fold.
func (m *comment) answer(a view.Answer) {
	steps := m.steps(a)
	if m.panel[0] != "" {
		m.line(m.panel[0])
	}
	m.line(m.heading(m.prose(a.Chip)))
	m.gap().line(m.bold(m.prose(a.Headline)) + words.If(a.Why != "", " "+m.prose(a.Why)))
	m.line("")
	left := commentLines - len(steps) - 8 // the four lines above, a blank one, the panel's end, and the fold's beginning
	for _, l := range m.about(a)[:max(0, min(left, len(m.about(a))))] {
		m.line(m.bullet + l)
	}
	if len(steps) > 0 {
		m.gap().lines(steps)
	}
	if m.panel[1] != "" {
		m.line(m.panel[1])
	}
}

// about are the facts of an answer, the most important ones first.
func (m *comment) about(a view.Answer) []string {
	out := view.Each(a.Banners, func(b string) string { return m.bold("Mind:") + " " + m.prose(b) })
	out = append(out, view.Each(a.Ignored, func(f string) string { return m.bold("Ignored:") + " " + m.prose(f) })...)
	if len(a.About) > 0 {
		out = append(out, m.bold(a.AboutLabel()+":")+" "+m.prose(strings.Join(a.About, "; ")))
	}
	if h := a.Held; h != nil {
		out = append(out, m.bold("What held it:")+" "+m.prose(h.Text()))
	}
	if len(a.Others) > 0 {
		out = append(out, m.bold("Also:")+" "+m.prose(view.Listed(view.OtherTexts(a.Others), 3)))
	}
	if text := a.Sure.Text(); text != "" {
		out = append(out, m.bold("How sure:")+" "+m.prose(text+words.If(len(a.Sure.Missing) > 0, "; missing: "+view.Listed(a.Sure.Missing, 4))))
	} else if len(a.Sure.Missing) > 0 {
		out = append(out, m.bold("Missing:")+" "+m.prose(view.Listed(a.Sure.Missing, 4)))
	}
	if len(a.Bar) > 1 {
		out = append(out, m.bold("Where the time went:")+" "+m.prose(view.BarText(a.Bar)))
	}
	return out
}

// steps are what to do, with the first command of each part.
func (m *comment) steps(a view.Answer) []string {
	var out []string
	if a.Tense != "" {
		out = append(out, m.bold(m.prose(a.Tense)), "")
	}
	number := 0
	for _, part := range []struct {
		name string
		list []view.Step
	}{{"Prove", a.Prove}, {"Act", a.Act}, {"After", a.After}} {
		if len(part.list) == 0 {
			continue
		}
		number++
		first := part.list[0]
		text := fmt.Sprintf("%s %s", m.bold(fmt.Sprintf("%d %s:", number, part.name)), m.prose(first.Text))
		if more := len(part.list) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
		if worth := first.Weighed(); worth != "" {
			text += ". " + m.prose(words.Capital(worth))
		}
		out = append(out, text)
		if first.Command != "" {
			out = append(out, m.fenced("sh", []string{first.Command})...)
		}
	}
	if text := a.NoCommand(); text != "" {
		out = append(out, m.prose(text))
	}
	return out
}

// next writes the commands to run next into a comment.
func (m *comment) next(v *view.View) {
	for n, s := range v.Next() {
		label := "Next, "
		if n > 0 {
			label = "Then, "
		}
		m.gap().line(label + "to decide " + m.prose(s.Decides) + ": " + m.code(s.Command))
		m.line("")
		for _, a := range s.Answers {
			m.line(m.bullet + m.bold(m.prose(a.If)) + ": " + m.prose(a.Then))
		}
	}
}
