package replay

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// operandWords are the operands of the decision in two or three words.
var operandWords = []view.Label{
	{model.OperandReleased, "old pod released"},
	{model.OperandUnmounted, "unmount reported"},
	{"node-unhealthy", "old node unhealthy"},
	{model.OperandTimer, "timer elapsed"},
	{"force-detach-enabled", "forced detach enabled"},
	{"out-of-service-taint", "out-of-service taint"},
	{model.OperandDetachDone, "detach done"},
}

// truthWords are the values of an operand where there is room for little.
var truthWords = []view.Label{{string(model.True), "yes"}, {string(model.False), "no"}, {string(model.Unknown), "?"}}

// controller is what the attach/detach controller had to go by.
func (p *player) controller(s state, width, height int) []terminal.Row {
	rows := []terminal.Row{append(terminal.Row{bold("controller"), text(": ")}, p.decision(s)...)}
	const column = 26
	each := max(1, min(width/column, 4))
	if height < roomForAll || each == 1 && height < 30 {
		return rows // what it waits for is in the timer's row
	}
	for i := 0; i < len(s.Thinks); i += each {
		row := terminal.Row{text("  "[:min(2, max(width-each*column, 0))])}
		for _, k := range s.Thinks[i:min(i+each, len(s.Thinks))] {
			word := fmt.Sprintf("%-3s ", view.Find(truthWords, string(k.Value)))
			cell := terminal.Row{dim(word)}
			if k.Value != model.Unknown {
				cell = terminal.Row{bold(word)}
			}
			label := words.OneLine(view.Find(operandWords, k.Operand))
			row = append(append(row, cell...), text(label+strings.Repeat(" ", max(column-len(word)-words.Columns(label), 1))))
		}
		rows = append(rows, row)
	}
	return rows
}

// decision is what the attach/detach controller does about the volume, and why not more.
func (p *player) decision(s state) terminal.Row {
	phases := p.film.Incident.Phases
	switch {
	case p.film.Incident.Kind == model.KindBeforeMultiAttach:
		return append(terminal.Row{text("was asked for no attach; ")}, timerSpans(s.Timer)...)
	case !s.Waits && s.At.Before(p.film.Zero):
		return terminal.Row{text("has refused no attach yet")}
	case !s.Waits && p.film.Incident.MultiAttach.Ended == nil:
		return terminal.Row{text("when it stopped refusing the attach is not known")}
	case !s.Waits && s.Holder.Known && s.Holder.Node == p.film.Incident.To.Node:
		return terminal.Row{good("attached"), text(" the volume on the new node")}
	case !s.Waits:
		return terminal.Row{text("refuses the attach no longer")}
	case s.Phase >= 0 && s.Phase < len(phases) && phases[s.Phase].ID == model.PhaseAttach:
		return terminal.Row{text("attaches the volume on the new node")}
	case s.Phase >= 0 && s.Phase < len(phases) && phases[s.Phase].ID == model.PhaseDetach:
		return terminal.Row{bad("attach refused"), text("; the detach has begun and is not done")}
	}
	row := append(terminal.Row{bad("attach refused"), text("; ")}, timerSpans(s.Timer)...)
	if s.Timer.Word == timerRuns && s.Timer.Limit == 0 && thinking(s, "node-unhealthy") == model.False {
		row = append(row, dim(" (the old node is healthy)"))
	}
	return row
}

func timerSpans(t timer) terminal.Row {
	switch t.Word {
	case timerRuns:
		row := terminal.Row{warn("timer runs"), text(" " + ago(t.Passed))}
		if t.Limit > 0 {
			row = append(row, text(" of "+words.Seconds(t.Limit.Seconds())))
		}
		if t.Again {
			row = append(row, warn(", anew with another leader"))
		}
		return row
	case timerIdle:
		return terminal.Row{warn("timer not started")}
	case timerOver:
		return terminal.Row{text("the wait for the unmount is over")}
	}
	return terminal.Row{dim("how its timer stands is not known")}
}

// predicted is the counterfactual, for the right column.
func (p *player) predicted(width, height int) []terminal.Row {
	lines := words.Lines("what if: "+p.asked, width)
	rows := view.Each(lines[:min(len(lines), 2)], func(line string) terminal.Row { return terminal.Row{bold(line)} })
	rows = append(rows, terminal.Row{p.riskSpan()})
	if phases := p.other.PredictedPhases; len(phases) > 0 && !p.at.Before(p.ready()) {
		rows = append(rows, terminal.Row{text("the new pod would be "), good("Ready"), dim(" for " + ago(p.at.Sub(p.ready())))})
	} else if len(phases) > 0 {
		rows = append(rows, phaseRow(phases, phaseAt(phases, p.at), p.at, false))
	}
	if at := p.other.AppliedAt; at != nil && p.at.Before(at.At) {
		rows = append(rows, terminal.Row{text("to be applied in " + ago(at.At.Sub(p.at)))})
	} else if at != nil {
		rows = append(rows, terminal.Row{text("applied " + ago(p.at.Sub(at.At)) + " ago")})
	}
	for _, line := range words.Lines(p.said, width) {
		rows = append(rows, terminal.Row{dim(line)})
	}
	return rows[:min(len(rows), max(height-14, 4))]
}

// riskSpan says what it puts at risk: it is to be read before anyone does what is played.
func (p *player) riskSpan() terminal.Piece {
	if p.risk == model.RiskNone {
		return good("data risk: " + p.risk)
	}
	return bad("data risk: " + p.risk)
}
