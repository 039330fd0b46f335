package replay

import (
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/report/internal/view"
)

// replayPods is how many pods of a node are drawn.
const replayPods = 3

// objects draws the object graph as a tree: the volume, its VolumeAttachments, and the two nodes with their pods. In short it is the volume
// and the first pod of each node.
func (p *player) objects(s state, width int, short bool) []terminal.Row {
	rows := []terminal.Row{append(p.volume(width), p.held(s.Holder)...)}
	for _, a := range s.of(model.RoleBlocking, model.RoleAttachment) {
		if !short && a.State != nil && a.Object.Name != "" && (a.State.Word != model.StateGone || a.Role == model.RoleBlocking) {
			rows = append(rows, append(terminal.Row{dim("├─ ")}, p.attachment(a, s.At, width)...))
		}
	}
	sides := []struct {
		label, node, branch, below string
		role                       model.LaneRole
	}{{"from ", p.film.Incident.From.Node, "├─ ", "│  ", model.RoleOldPod}, {"to   ", p.film.Incident.To.Node, "└─ ", "   ", model.RoleNewPod}}
	for _, side := range sides {
		pods := p.podRows(s, side.role, side.below, width)
		if short {
			rows = append(rows, append(terminal.Row{bold(side.label)}, pods[0][1:]...))
			continue
		}
		rows = append(rows, append(terminal.Row{dim(side.branch), text(side.label)}, p.node(s, side.node)...))
		rows = append(rows, pods...)
	}
	return rows
}

// roomForNames is the width from which on objects are called by their names.
const roomForNames = 60

// volume names the volume.
func (p *player) volume(width int) terminal.Row {
	if width < roomForNames {
		return terminal.Row{bold("volume")}
	}
	return terminal.Row{bold(view.VolumeName(p.film.Incident.Volume))}
}

// held says which node has the volume.
func (p *player) held(h holder) terminal.Row {
	if !h.Known {
		return terminal.Row{text(": where it is attached is "), warn("not known")}
	}
	if h.Node == "" {
		return terminal.Row{text(" is attached to "), warn("no node")}
	}
	if h.Node == p.film.Incident.To.Node {
		return terminal.Row{text(" is attached to "), good("the new node")}
	}
	return terminal.Row{text(" is attached to "), warn("the old node")}
}

func (p *player) attachment(a object, at time.Time, width int) terminal.Row {
	place, name := words.OneLine(a.Node), words.Shorten(words.OneLine(a.Object.Name), 20)
	if width < roomForNames {
		name = words.Shorten(name, 9)
	}
	switch {
	case a.Node == "":
		place = "a node that is not named"
	case a.Node == p.film.Incident.From.Node:
		place = "the old node"
	case a.Node == p.film.Incident.To.Node:
		place = "the new node"
	}
	row := terminal.Row{text(name + " on " + place + ": ")}
	return append(row, statusSpan(a, at)...)
}

func (p *player) node(s state, name string) terminal.Row {
	if name == "" && p.film.Incident.Kind == model.KindBeforeMultiAttach {
		return terminal.Row{text(view.KindOf(*p.film.Incident).To)}
	}
	if name == "" {
		return terminal.Row{text("a node that the report does not name")}
	}
	row := terminal.Row{bold(p.short(name))}
	for _, n := range s.of(model.RoleOldNode, model.RoleNewNode) {
		if n.Object.Name != name || n.State == nil {
			continue
		}
		row = append(append(row, text(": ")), statusSpan(n, s.At)...)
		if marks := markTexts(n.State.Marks); marks != "" {
			row = append(row, text(", "), warn(marks))
		}
	}
	return row
}

// markTexts are the taints by their names, each once, and whether the node is cordoned.
func markTexts(marks []string) string {
	var taints, others []string
	for _, m := range marks {
		taint, is := strings.CutPrefix(words.OneLine(m), "tainted ")
		if !is {
			others = append(others, taint)
			continue
		}
		key, _, _ := strings.Cut(taint, "=")
		key = key[strings.LastIndexByte(key, '/')+1:]
		if !slices.Contains(taints, key) {
			taints = append(taints, key)
		}
	}
	if len(taints) > 0 {
		others = append([]string{"tainted " + strings.Join(taints, " and ")}, others...)
	}
	return strings.Join(others, ", ")
}

func (p *player) podRows(s state, role model.LaneRole, below string, width int) []terminal.Row {
	var rows []terminal.Row
	more := 0
	for _, pod := range s.of(role) {
		if pod.Early {
			continue
		}
		if len(rows) == replayPods {
			more++
			continue
		}
		row := terminal.Row{dim(below + "└─ "), text("pod ")}
		if width >= roomForNames {
			row = append(row, bold(words.OneLine(pod.Object.Name)), text(": "))
		}
		rows = append(rows, append(row, p.pod(s, pod)...))
	}
	if more > 0 {
		rows = append(rows, terminal.Row{dim(below + "└─ "), text("and " + words.Count(more, "more pod"))})
	}
	if len(rows) == 0 {
		word, known := "no pod by now", p.film.Incident.From.Pods
		if role == model.RoleNewPod {
			known = p.film.Incident.To.Pods
		}
		if len(known) == 0 && role == model.RoleNewPod && p.film.Incident.Kind == model.KindBeforeMultiAttach {
			word = "no pod was created"
		} else if len(known) == 0 {
			word = "a pod that the report does not name"
		}
		rows = append(rows, terminal.Row{dim(below + "└─ "), dim(word)})
	}
	return rows
}

// pod says what a pod is, and of an old one that it counts as a user of the volume.
func (p *player) pod(s state, pod object) terminal.Row {
	if pod.State == nil {
		return terminal.Row{dim("nothing told by now")}
	}
	row := statusSpan(pod, s.At)
	if pod.Role == model.RoleOldPod && thinking(s, model.OperandReleased) == model.False {
		row = append(row, warn(", not released"))
	}
	return row
}

// thinking is the value of an operand, unknown while there is nothing to decide.
func thinking(s state, operand string) model.Truth {
	for _, k := range s.Thinks {
		if k.Operand == operand {
			return k.Value
		}
	}
	return model.Unknown
}

// tones are the looks of states on a terminal; the others are plain.
var tones = map[view.Look]terminal.Tone{view.LookFine: terminal.Good, view.LookHot: terminal.Bad, view.LookGoing: terminal.Warning} // for lookup only

// statusSpan writes a state and since when it is so.
func statusSpan(o object, at time.Time) terminal.Row {
	row := terminal.Row{{Text: words.OneLine(o.Word), Tone: tones[o.Look]}}
	if o.Since == nil || o.Since.IsZero() {
		return row
	}
	return append(row, dim(" for"+sinceText(*o.Since, at)))
}

// sinceText is how long ago a moment is, with "about" when it is not known to a second.
func sinceText(m model.Moment, at time.Time) string {
	about := " "
	if m.Latest.Sub(m.Earliest) > time.Second {
		about = " about "
	}
	return about + ago(at.Sub(m.At))
}
