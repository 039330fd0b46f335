package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Stack is a waterfall in one line: the phases one after another, on a scale that it shares with others.
type Stack struct {
	Name     string // "as it was", or the remedy's number
	Title    string // of the remedy
	Remedy   string // its identifier
	Duration string // from the beginning to Ready, or to the collection
	Parts    []StackPart
	End      float64 // share of the scale at which it ends
	Early    float64 // earliest end
	Late     float64 // latest end
	Open     bool    // still blocked at its end
}

// StackPart is a phase of it, from 0 to 1 of the scale.
type StackPart struct {
	ID       model.PhaseID
	Letter   string
	From, To float64
	Label    string // the letter where it has room
	Duration string
}

// fall is an incident as it was and as it would have been, on one scale.
type fall struct {
	Stacks  []Stack
	Letters []Label       // the phases in use with the letters that stand for them
	Total   time.Duration // that the whole width stands for
}

// phaseLetters stand for a phase where its name has no room.
var phaseLetters = []Label{
	{string(model.PhaseDetection), "d"}, {string(model.PhaseEviction), "e"}, {string(model.PhaseReplacement), "p"},
	{string(model.PhaseScheduling), "s"}, {string(model.PhaseRelease), "r"}, {string(model.PhaseUnmountWait), "w"},
	{string(model.PhaseDetach), "x"}, {string(model.PhaseAttach), "a"}, {string(model.PhaseMount), "m"}, {string(model.PhaseUndivided), "u"},
}

// LetterOf is the letter of a phase; a phase of a later version has none.
func LetterOf(id model.PhaseID) string {
	if letter := Find(phaseLetters, string(id)); letter != string(id) {
		return letter
	}
	return "?"
}

// StackColumns is the width of a stack in text.
const StackColumns = 48

// narrow is the share of the scale below which a phase has no room for its letter.
const narrow = 0.025

// newFall draws an incident and what it would have been under some remedies whose ends are predicted; it is empty where nothing has a length.
func newFall(in model.Incident, remedies []RemedyView) fall {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	for _, r := range remedies {
		total = max(total, r.PredictedEnd.Latest.Sub(from))
	}
	if total <= 0 || len(in.Phases) == 0 {
		return fall{}
	}
	asis := NewStack("as it was", in.Phases, in.Span.To, from, total)
	asis.Open, asis.Duration = in.Span.Open, words.Seconds(in.Span.Seconds.Best)
	if asis.Open {
		asis.Duration += ", open"
	}
	out := fall{Stacks: []Stack{asis}, Total: total}
	for _, r := range remedies {
		name := "would be"
		if r.Number > 0 {
			name = strconv.Itoa(r.Number)
		}
		s := NewStack(name, r.PredictedPhases, *r.PredictedEnd, from, total)
		s.Title, s.Remedy, s.Duration = r.Name, r.ID, words.Seconds(in.Span.From.Until(*r.PredictedEnd).Best)
		out.Stacks = append(out.Stacks, s)
	}
	out.Letters = LettersOf(out.Stacks)
	return out
}

// FallOf is an incident as it was, and as it would have been under one remedy where the replay tells.
func FallOf(in model.Incident, r RemedyView) RemedyViews {
	if r.PredictedEnd == nil || len(r.PredictedPhases) == 0 {
		return RemedyViews{Fall: newFall(in, nil)}
	}
	return RemedyViews{Fall: newFall(in, []RemedyView{r})}
}

// NewStack draws phases on a scale that begins at an instant.
func NewStack(name string, phases []model.Phase, end model.Moment, from time.Time, total time.Duration) Stack {
	s := Stack{Name: name, End: Share(end.At, from, total), Early: Share(end.Earliest, from, total), Late: Share(end.Latest, from, total)}
	for _, p := range phases {
		part := StackPart{ID: p.ID, Letter: LetterOf(p.ID), From: Share(p.From.At, from, total), To: min(Share(p.To.At, from, total), s.End),
			Duration: words.Seconds(p.Seconds.Best)}
		if part.To <= part.From {
			continue
		}
		if part.To-part.From >= narrow {
			part.Label = part.Letter
		}
		s.Parts = append(s.Parts, part)
	}
	return s
}

// LettersOf are the letters in use, in the order of the phases.
func LettersOf(list []Stack) []Label {
	parts := slices.Concat(Each(list, func(s Stack) []StackPart { return s.Parts })...)
	return slices.DeleteFunc(slices.Clone(phaseLetters), func(l Label) bool {
		return !slices.ContainsFunc(parts, func(p StackPart) bool { return string(p.ID) == l.ID() })
	})
}

// Line draws a stack in columns: the letter of the phase in its middle, "~" to the latest end, ">" where the wait went on.
func (s Stack) Line(width int) string {
	var b strings.Builder
	end := min(max(int(s.End*float64(width)+0.5), 1), width)
	late := min(max(int(s.Late*float64(width)+0.5), end), width)
	for column := range width {
		middle := (float64(column) + 0.5) / float64(width)
		switch {
		case column >= late:
			b.WriteByte(' ')
		case column >= end:
			b.WriteByte('~')
		case s.Open && column == end-1:
			b.WriteByte('>')
		default:
			b.WriteString(s.letterAt(middle))
		}
	}
	return b.String()
}

func (s Stack) letterAt(at float64) string {
	for _, p := range s.Parts {
		if at < p.To {
			return p.Letter
		}
	}
	if n := len(s.Parts); n > 0 {
		return s.Parts[n-1].Letter
	}
	return "·"
}

// Legend names the scale and the letters of the lines that are drawn.
func (f fall) Legend() string {
	drawn := ""
	for _, s := range f.Stacks {
		drawn += s.Line(StackColumns)
	}
	var letters []string
	for _, l := range f.Letters {
		if strings.Contains(drawn, l.Text()) {
			letters = append(letters, l.Text()+" "+l.ID())
		}
	}
	return "One column is " + words.Seconds(f.Total.Seconds()/StackColumns) + ": " + strings.Join(letters, ", ") + "; ~ up to the latest end."
}

// Ends says, or "", that the incident as it was ends at what was last seen, and the others when the new pod would be Ready.
func (f fall) Ends() string {
	if len(f.Stacks) == 0 {
		return ""
	}
	last := func(s Stack) model.PhaseID {
		if n := len(s.Parts); n > 0 {
			return s.Parts[n-1].ID
		}
		return ""
	}
	asis := f.Stacks[0]
	if last(asis) == model.PhaseMount || !slices.ContainsFunc(f.Stacks[1:], func(s Stack) bool { return last(s) == model.PhaseMount }) {
		return ""
	}
	if asis.Open {
		return "As it was ends at the collection, the others when the new pod would be Ready."
	}
	return "As it was ends with " + string(last(asis)) +
		", because nothing in the bundle tells when the new pod was Ready; the others end when it would have been."
}

// Wide is a part's share of the scale.
func (p StackPart) Wide() float64 { return p.To - p.From }

// Middle is where its letter stands.
func (p StackPart) Middle() float64 { return (p.From + p.To) / 2 }

// Unsure says that the ends lie so far apart that it shows.
func (s Stack) Unsure() bool { return s.Late-s.Early > narrow/5 }

// Spoken is the stack for who does not see it.
func (s Stack) Spoken() string {
	parts := Each(s.Parts, func(p StackPart) string { return string(p.ID) + " " + p.Duration })
	return cmp.Or(s.Title, s.Name) + ": " + strings.Join(parts, ", ") + "; in all " + s.Duration
}

// PhaseView is one bar of the waterfall. Start and Width are parts of the whole span, from 0 to 1.
type PhaseView struct {
	model.Phase
	Anchor       string
	Name         string // see PhaseName
	Label        string
	Clock        string // when it began; "" where nothing is dated
	Took         string
	Duration     string // with its bounds
	Open         bool   // it had not ended at the collection
	Governor     string // "parameter: value", or ""
	Start, Width float64
	Cites        []string
}

// GovernorText is "parameter: value" of what set the length of a phase, or "".
func GovernorText(p model.Phase) string {
	if p.GovernedBy == nil {
		return ""
	}
	return words.OneLine(p.GovernedBy.Parameter) + words.If(p.GovernedBy.Value != "", ": "+words.OneLine(words.Spelled(p.GovernedBy.Value)))
}

// phaseViews scales the phases to the span.
func phaseViews(v *View, in *IncidentView) []PhaseView {
	from, total := in.Span.From.At, in.Span.To.At.Sub(in.Span.From.At)
	var out []PhaseView
	for n, p := range in.Phases {
		bar := PhaseView{Phase: p, Anchor: in.anchorFor("phase", string(p.ID)), Name: PhaseName(p), Label: PhaseLabel(p), Governor: GovernorText(p),
			Clock: ClockOf(p.From.At), Took: words.Seconds(p.Seconds.Best), Duration: Span(p.Seconds), Open: in.Span.Open && n == len(in.Phases)-1}
		bar.Start = Share(p.From.At, from, total)
		bar.Width = Share(p.To.At, from, total) - bar.Start
		bar.Cites = v.Cited(p.From.Evidence, p.To.Evidence)
		out = append(out, bar)
	}
	return out
}

// Share is where an instant lies in a stretch, held within it.
func Share(at, from time.Time, total time.Duration) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(at.Sub(from))/float64(total)))
}

// Line is a phase as a line of text on the scale of the span. A phase too short for a column still shows as a thin line.
func (b PhaseView) Line() string {
	const barColumns = 32
	start := min(int(b.Start*barColumns+0.5), barColumns-1)
	end := min(int((b.Start+b.Width)*barColumns+0.5), barColumns)
	mark := strings.Repeat("█", max(0, end-start))
	if end <= start || b.Width*barColumns < 0.5 {
		mark, end = "▏", start+1
	}
	return strings.Repeat("·", start) + mark + strings.Repeat("·", barColumns-end)
}
