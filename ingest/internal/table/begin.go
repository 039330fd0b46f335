package table

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// open begins a table. The header of a describer's events begins a section instead.
func (r *reader) open(c columns) {
	r.endTable()
	if names := r.command.columns; len(names) == len(c.names) && slices.Contains(names, "message") {
		c.names, c.free = names, slices.Index(names, "message") // whatever the author called them
	}
	begun := r.section != nil && len(r.section.rows) == 0
	if c.has("type", "reason", "message", "from") && c.free == len(c.names)-1 {
		// Rows above without a header are of another object; those of a description have only just begun.
		if !begun {
			r.begin()
		}
		return
	}
	if begun && eventTable(&c) && !c.any("object", "kind") {
		r.table = &openTable{columns: c, events: true} // a describer's, of which a column was left out
		return
	}
	r.endSection()
	r.endDescription()
	r.table = &openTable{columns: c, events: eventTable(&c)}
	if !r.table.events {
		r.table.kind = kindOf(&c)
	}
}

// begin begins a section of events about what is described, or about what the command requested.
func (r *reader) begin() {
	r.endRows()
	r.section = &section{}
	if r.desc != nil {
		r.section.object = r.desc.ref()
		if r.section.object.Kind == "Pod" {
			r.section.on(r.desc.podNode())
			r.section.start = instant(r.desc.value("Start Time"))
		}
	} else if r.command.verb == "describe" && r.command.name != "" && r.command.kind != "" {
		r.section.object = model.Ref{Kind: r.command.kind, Namespace: r.command.namespace, Name: r.command.name}
		r.command.name = "" // it described one object only
	}
	if o := &r.section.object; o.Kind == "Pod" && o.Namespace == "" {
		o.Namespace = r.hint.Namespace
	}
}

// describes takes the lines that begin a description, and the one that begins its events.
func (r *reader) describes(l line) bool {
	if m := nameLine.FindStringSubmatch(l.text); m != nil && (r.desc == nil || len(m[1]) <= r.desc.indent || r.section != nil) {
		r.close()
		r.desc = &description{indent: len(m[1]), asked: r.command}
		r.desc.add(l)
		return true
	}
	if r.beginsFragment(l) {
		return true
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(l.text, " "), "Events:")
	if !ok {
		return false
	}
	r.endTable()
	if rest = strings.TrimSpace(rest); rest == "<none>" {
		r.endSection()
		r.endDescription()
		return true
	}
	if rest != "" {
		return false
	}
	r.begin()
	return true
}
