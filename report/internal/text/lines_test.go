package text

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// A quote is cut between words, says that it is cut, and has no header whose time is written already.
func TestQuoteLine(t *testing.T) {
	for _, c := range []struct {
		text      string
		log       bool
		truncated bool
		want      string
	}{
		{"short", false, false, `"short"`}, {"short", false, true, `"short…"`}, {"a \t\n b", false, false, `"a b"`},
		{"exactly eighteen..", false, false, `"exactly eighteen.."`}, {"exactly nineteen...", false, false, `"exactly nineteen.…"`},
		{"onewordoftwentyletters", false, false, `"onewordoftwentyle…"`}, {"abcd efghijklmnopqrstu", false, false, `"abcd efghijklmnop…"`},
		{"I1121 06:12:40.084000       1 x.go:276] started", true, false, `"…started"`}, {"I1121 06:12:40.084000 1 x.go:276] started", false, false, `"I1121 06:12:40.08…"`},
		{"I1121 06:12:40.084000 1 x.go:276] sixteen letters.", true, false, `"…sixteen letters."`},
		{"I1121 06:12:40.084000 1 x.go:276] eighteen letters..", true, false, `"…eighteen letters…"`},
		{"中文中文中文中文中文中", false, false, `"中文中文中文中文…"`},
	} {
		e := model.Evidence{Text: c.text, Truncated: c.truncated}
		if c.log {
			e.Source.Kind = model.SourceLog
		}
		if got := quoteLine(e, 20); got != c.want {
			t.Errorf("%q is %s, want %s", c.text, got, c.want)
		}
	}
}

// A member's title leaves out the node that the group's title names.
func TestMemberTitle(t *testing.T) {
	in := func(node, pv string) *view.IncidentView {
		return &view.IncidentView{Title: "whole", Incident: model.Incident{From: model.Place{Node: node}, To: model.Place{Node: "b"},
			Volume: model.IncidentVolume{PersistentVolume: pv}}}
	}
	of := func(node string, n int) view.GroupView {
		return view.GroupView{Group: model.Group{Node: node}, Members: make([]*view.IncidentView, n)}
	}
	for _, c := range []struct {
		g    view.GroupView
		in   *view.IncidentView
		want string
	}{
		{of("a", 2), in("a", "v"), "v → b"}, {of("a", 2), in("a", ""), "unknown volume → b"}, {of("a", 1), in("a", "v"), "whole"}, {of("c", 2), in("a", "v"), "whole"},
		{of("", 2), in("", "v"), "whole"},
	} {
		if got := memberTitle(c.g, c.in); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// What a screen says, from top to bottom, and what it leaves out of an answer that has it not.
func TestFilled(t *testing.T) {
	first := view.OptionView{Option: model.Option{Remedy: "r"}, Name: "Taint", Worth: "1 min sooner", Risk: "no data risk"}
	at := model.Exactly(model.T.AddDate(300, 0, 0))
	first.At = &at
	timeless := first
	timeless.At = nil
	advice := func(o ...view.OptionView) *view.AdviceView {
		return &view.AdviceView{Options: o, Head: "Better", Nothing: "None."}
	}
	for _, c := range []struct {
		a    view.Answer
		want string
	}{
		{view.Answer{Chip: "CLEAN"}, "CLEAN|"},
		{view.Answer{Chip: "X", Why: "why", Compared: "other", Banners: []string{"T is the report."}, Ignored: []string{"f: empty"}},
			"X||why|other|! Ignored: f: empty"},
		{view.Answer{Chip: "X", Why: "at T+5 s", Banners: []string{"T is the report."}}, "X||at T+5 s|! T is the report."},
		{view.Answer{Chip: "X", Why: "at T−5 s", Banners: []string{"T is the report."}}, "X||at T−5 s|! T is the report."},
		{view.Answer{Chip: "X", Tense: "DO NOW", Steps: []view.StepBlock{{Name: "After", List: []view.Todo{{Text: "look"}}}}}, "X||DO NOW|1 After look"},
		{view.Answer{Chip: "X", Tense: "Better", Advice: advice(first)}, "X||BETTER, " + strings.ToUpper(view.ClockAt(at.At)) + "|  Taint. 1 min sooner; no data risk."},
		{view.Answer{Chip: "X", Tense: "Better", Advice: advice(timeless)}, "X||BETTER|  Taint. 1 min sooner; no data risk."},
		{view.Answer{Chip: "X", Tense: "Now", Open: true, Advice: advice()}, "X||NOW"},
		{view.Answer{Chip: "X", Tense: "Better", Advice: advice()}, "X||BETTER|  None."},
	} {
		s := &layout{columns: 80}
		s.fill(c.a)
		var got []string
		for _, b := range s.blocks {
			for _, l := range b.lines {
				got = append(got, l.text)
			}
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%q, want %q", text, c.want)
		}
	}
}

// Where a screen has no room for all, what matters stays: the answer, what to do, what people did that did harm, and where the rest is.
func TestRanks(t *testing.T) {
	long := func(word string) string { return strings.Repeat(word+" ", 70) }
	a := view.Answer{Chip: "CHIP", Headline: "Headline.", Why: long("why"), Compared: long("compared"), Banners: []string{long("banner")}, About: []string{long("about")},
		Sure: view.Answer{}.Sure, Others: []view.Other{{Text: long("other")}}, Tense: "DO NOW",
		Steps: []view.StepBlock{{Name: "Prove", List: []view.Todo{{Text: long("prove")}}}, {Name: "Act", List: []view.Todo{{Text: long("act")}}},
			{Name: "After", List: []view.Todo{{Text: long("after")}}}}}
	s := &layout{columns: 80}
	s.fill(a)
	var got []string
	for _, b := range s.fitting() {
		got = append(got, strings.Fields(b.lines[0].text + " ?")[0])
	}
	if text := strings.Join(got, " "); text != "CHIP Headline. why compared ! DO 2" {
		t.Errorf("%s", text)
	}
}
