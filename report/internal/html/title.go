package html

import (
	"cmp"
	"math"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// titleOf is what a browser's tab and a list of tickets show of a report: "orders-db: volume stuck on worker-1 for 14 min (volpost)".
func titleOf(a view.Answer) string { return titleText(a) + " (volpost)" }

func titleText(a view.Answer) string {
	in := a.Incident
	switch {
	case a.State == view.StateClean:
		return "No stuck volume"
	case in == nil || a.State == view.StateUnknown:
		return "Cannot tell whether a volume was stuck"
	}
	name := cmp.Or(view.VolumeName(in.Volume), "unknown volume")
	if in.Workload != nil && in.Workload.Name != "" {
		name = words.OneLine(in.Workload.Name)
	} else if in.Volume.Claim != nil && in.Volume.Claim.Name != "" {
		name = words.OneLine(in.Volume.Claim.Name)
	}
	text := words.Shorten(name, view.LabelColumns) + ": volume stuck"
	if a.State == view.StateHandover {
		text = words.Shorten(name, view.LabelColumns) + ": volume moved"
	}
	if in.From.Node != "" && a.State == view.StateHandover {
		text += " from " + words.Shorten(words.OneLine(in.From.Node), view.LabelColumns)
	} else if in.From.Node != "" {
		text += " on " + words.Shorten(words.OneLine(in.From.Node), view.LabelColumns)
	}
	lasted := view.LastedSeconds(in.Incident)
	switch {
	case math.IsNaN(lasted) || lasted <= 0:
	case a.State == view.StateHandover:
		text += " in " + roughly(lasted)
	default:
		text += " for " + roughly(lasted)
	}
	return text
}

// roughly is a duration without seconds, unless it has nothing else.
func roughly(s float64) string {
	if s >= 59.5 {
		s = 60 * math.Round(s/60)
	}
	return words.Whole(max(s, 1))
}
