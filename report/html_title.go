package report

import (
	"fmt"
	"math"
)

// titleOf is what a browser's tab and a list of tickets show of a report: "orders-db: volume stuck on worker-1 for 14 min (volpost)".
func titleOf(a answer) string { return titleText(a) + " (volpost)" }

func titleText(a answer) string {
	in := a.Incident
	switch {
	case a.State == stateClean:
		return "No stuck volume"
	case in == nil || a.State == stateUnknown:
		return "Cannot tell whether a volume was stuck"
	}
	name := or(volumeName(in.Volume), "unknown volume")
	if in.Workload != nil && in.Workload.Name != "" {
		name = oneLine(in.Workload.Name)
	} else if in.Volume.Claim != nil && in.Volume.Claim.Name != "" {
		name = oneLine(in.Volume.Claim.Name)
	}
	text := shorten(name, labelColumns) + ": volume stuck"
	if a.State == stateHandover {
		text = shorten(name, labelColumns) + ": volume moved"
	}
	if in.From.Node != "" && a.State == stateHandover {
		text += " from " + shorten(oneLine(in.From.Node), labelColumns)
	} else if in.From.Node != "" {
		text += " on " + shorten(oneLine(in.From.Node), labelColumns)
	}
	lasted := lastedSeconds(in.Incident)
	switch {
	case math.IsNaN(lasted) || lasted <= 0:
	case a.State == stateHandover:
		text += " in " + roughly(lasted)
	default:
		text += " for " + roughly(lasted)
	}
	return text
}

// roughly is a duration in its largest units: "14 min", "2 h 5 min", "3 d".
func roughly(s float64) string {
	minutes := int64(math.Round(s / 60))
	switch {
	case s < 59.5:
		return fmt.Sprintf("%d s", max(1, int64(math.Round(s))))
	case minutes < 60:
		return fmt.Sprintf("%d min", minutes)
	case minutes < 48*60 && minutes%60 == 0:
		return fmt.Sprintf("%d h", minutes/60)
	case minutes < 48*60:
		return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
	}
	return fmt.Sprintf("%d d", minutes/60/24)
}
