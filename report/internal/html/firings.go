package html

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// alertFired is the kind of a row that tells of an alert; no observation has it.
const alertFired model.Kind = "alert-fired"

// firings are the alerts that fire, one entry for all that one rule begins to fire for at one instant, in the order of time.
func (p *htmlPage) firings() []*entry {
	var out []*entry
	for n, rule := range p.Rules {
		a := rule.Alert
		at := map[time.Time]int{}
		for i, f := range a.Firings {
			place, again := at[f.From]
			if !again {
				place = len(out)
				at[f.From] = place
				out = append(out, p.firingEntry(a, n, i))
			}
			out[place].add(f)
		}
	}
	slices.SortStableFunc(out, func(a, b *entry) int { return a.item.At.At.Compare(b.item.At.At) })
	return out
}

// firingEntry is a rule that begins to fire.
func (p *htmlPage) firingEntry(a model.Alert, n, i int) *entry {
	f := a.Firings[i]
	number := strconv.Itoa(n + 1)
	at := model.Moment{At: f.From, Earliest: f.From, Latest: f.From, Basis: model.Derived}
	origin := words.Shorten(words.OneLine(view.SourceOf(a)), view.LabelColumns)
	text := "alert " + a.Name + " (" + origin + ") fires"
	if strings.HasPrefix(a.Note, "synthesised") {
		text += " over synthesised series"
	}
	return &entry{lane: "alerts", rule: "alert-" + number, name: a.Name, origin: origin, item: model.TimelineItem{ID: "alert-" + number + "-" + strconv.Itoa(i+1), At: at, Kind: alertFired, Text: text}}
}

// add takes the firing for another series. The end is the latest one, and open when one of them is.
func (e *entry) add(f model.Firing) {
	if f.Incident != nil && !slices.Contains(e.item.Incidents, *f.Incident) {
		e.item.Incidents = append(e.item.Incidents, *f.Incident)
	}
	e.open = e.open || f.To == nil
	if f.To != nil && (e.until == nil || e.until.Before(*f.To)) {
		e.until = f.To
	}
}
