package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// firstScreen is the answer as the page draws it: what one reads in ten seconds.
type firstScreen struct {
	view.Answer
	Page        *htmlPage
	Parts       []splitPart
	WhyAnchor   string // of the conditions of a detach
	WhyCount    int
	CauseAnchor string
	Missing     string // what was not collected
	Also        []view.Other
	MoreAlso    string // what Also has no room for
}

// splitPart is a stretch of the bar with its place, and with the columns of the grid below that name it.
type splitPart struct {
	view.PhaseView
	Column int    // the first of its columns
	Span   int    // how many it has
	Inside string // what is written into it, where it has room
}

const (
	columnsOfNames  = 36    // of the grid in which the stretches are named
	columnsLeast    = 4     // that a name needs
	lettersInColumn = 8     // of what set a stretch's length, for each of its columns
	roomInside      = 0.075 // share of the bar below which a stretch has no room for its duration
	alsoMost        = 3     // other things to look at that the first screen names
	missesMost      = 3     // and of what was not collected
)

func (p *htmlPage) firstScreen() firstScreen {
	f := firstScreen{Answer: p.Answer(), Page: p}
	f.Parts = splitParts(f.Bar)
	if in := f.Incident; in != nil && p.hasPart(in) {
		if why := in.Story().Why; len(why) > 0 {
			f.WhyAnchor, f.WhyCount = in.Anchor+"-why", len(why)
		}
		if cause := in.Story().Cause; len(cause) > 0 {
			f.CauseAnchor = cause[0].Anchor
		}
	}
	f.Missing = view.Listed(f.Sure.Missing, missesMost)
	also := p.also(f)
	f.Also = first(also, min(len(also), alsoMost))
	if more := len(also) - len(f.Also); more > 0 {
		f.MoreAlso = fmt.Sprintf("%d more below.", more)
	}
	return f
}

// also is what else there is to look at; the other volumes of the story that is shown are one thing.
func (p *htmlPage) also(f firstScreen) []view.Other {
	for _, g := range p.Group {
		if !slices.Contains(g.Members, f.Incident) || len(g.Members) == 1 {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(f.Others), func(o view.Other) bool {
			return slices.ContainsFunc(g.Members, func(in *view.IncidentView) bool { return in.Anchor == o.Anchor })
		})
		open := 0
		for _, in := range g.Members {
			if in.Span.Open && in != f.Incident {
				open++
			}
		}
		text := words.Count(len(g.Members)-1, "other volume") + " of the same event"
		text += words.If(open > 0, fmt.Sprintf(", %d still blocked", open))
		return append([]view.Other{{Text: text, Anchor: g.Anchor}}, rest...)
	}
	return f.Others
}

// Known says that there is something to be sure of, or something that is missing.
func (f firstScreen) Known() bool { return f.Sure.Text()+f.Missing != "" }

// Spoken is the bar for who does not see it.
func (f firstScreen) Spoken() string {
	parts := view.Each(f.Parts, func(p splitPart) string { return p.Name + " " + p.Took })
	return "Where the time went: " + strings.Join(parts, ", ")
}

// splitParts places the stretches of a bar. Their names stand below in columns never narrower than a name, so that none collide.
func splitParts(bar []view.PhaseView) []splitPart {
	var out []splitPart
	column := 0
	spans := spansOf(bar)
	for i, b := range bar {
		part := splitPart{PhaseView: b, Column: column, Span: spans[i]}
		if b.Width >= roomInside {
			part.Inside = b.Took
		}
		column += part.Span
		out = append(out, part)
	}
	return out
}

// spansOf divides the columns: each stretch has the least, and what is left goes one by one to the one that lacks most.
func spansOf(bar []view.PhaseView) []int {
	out := make([]int, len(bar))
	left := columnsOfNames
	for i := range out {
		out[i] = min(columnsLeast, columnsOfNames/len(bar))
		left -= out[i]
	}
	for ; left > 0 && len(bar) > 0; left-- {
		most := 0
		lacks := func(i int) float64 { return bar[i].Width*columnsOfNames - float64(out[i]) }
		for i := range bar {
			if lacks(i) > lacks(most) {
				most = i
			}
		}
		out[most]++
	}
	return out
}

// Lead is the shape that leads from the stretch to its name, of a thousand in width and fourteen in height.
func (p splitPart) Lead() string {
	column := func(n int) float64 { return 1000 * float64(n) / columnsOfNames }
	return fmt.Sprintf("%.1f,0 %.1f,0 %.1f,14 %.1f,14", 1000*p.Start, 1000*(p.Start+p.Width), column(p.Column+p.Span)-2, column(p.Column))
}

// Middle is where its duration is written.
func (p splitPart) Middle() float64 { return p.Start + p.Width/2 }

// Brief is what set its length, where it is short enough for its column; the tooltip has it in any case.
func (p splitPart) Brief() string {
	if words.Columns(p.Governor) > lettersInColumn*p.Span {
		return ""
	}
	return p.Governor
}

// Narrow says that its duration has no room on a phone.
func (p splitPart) Narrow() bool { return p.Width < 3*roomInside }

// Class is the stretch's colour as a class of the style sheet.
func (p splitPart) Class() string { return "phase-" + paintClass(p.ID) }

// hasPart reports that an incident has a part of its own in the page.
func (p *htmlPage) hasPart(in *view.IncidentView) bool {
	_, has := p.parts[in]
	return has
}

// paintClass groups the phases by who is waited for: those of one group have one colour.
func paintClass(id model.PhaseID) string {
	switch id {
	case model.PhaseDetection, model.PhaseEviction:
		return "node"
	case model.PhaseReplacement, model.PhaseScheduling:
		return "pod"
	case model.PhaseRelease, model.PhaseUnmountWait, model.PhaseUndivided:
		return "wait"
	case model.PhaseDetach, model.PhaseAttach:
		return "move"
	}
	return "mount"
}
