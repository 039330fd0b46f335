package clock

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// quoted is how much of a quote a problem repeats: its place has the rest.
const quoted = 100

// problem tells of a clock that differs, with both quotes, and whether it is set.
func (o Offset) problem(set bool) model.Problem {
	ahead, word := o.Ahead, "ahead of"
	if ahead < 0 {
		ahead, word = -ahead, "behind"
	}
	by := fmt.Sprintf("is %s %s the other sources, as %s", words.Duration(ahead), word,
		words.Plural(o.Pairs, "pair of records shows", "pairs of records show"))
	then := "Its times are corrected by that, ± " + words.Seconds(o.Uncertainty.Seconds())
	if !set {
		by, then = "contradicts the other sources", "Too little tells by how much it differs: its order with what they say is not certain"
	}
	return model.Problem{Severity: model.Warning, Path: o.Own.Source.Path, Line: o.Own.Source.Line, Message: fmt.Sprintf(
		"the clock of %s %s: %s, but %s (%s). %s", o.name(), by, o.Own.text(), o.Other.text(), place(o.Other.Source), then)}
}

// name is whose clock it is, in words.
func (o Offset) name() string {
	switch {
	case o.Stream == "":
		return o.Writer
	case o.Stream == logs:
		return "the logs"
	case o.Own.Source.Kind == model.SourceLog && strings.HasSuffix(o.Stream, "/"):
		return "this log, and of others beside it,"
	case o.Own.Source.Kind == model.SourceLog:
		return "this log"
	}
	return words.If(o.Writer != "", o.Writer+" in ") + o.Stream + words.If(o.Part != "", " of "+o.Part)
}

// text is what a witness says, with its time.
func (w Witness) text() string {
	text := strings.TrimSpace(w.Quote.Text)
	if text == "" {
		text = w.Says
	}
	return fmt.Sprintf("%q is of %s", words.Shorten(words.OneLine(text), quoted), model.Stamp(w.At))
}

func place(s model.Source) string {
	if s.Line == 0 {
		return s.Path
	}
	return fmt.Sprintf("%s:%d", s.Path, s.Line)
}
