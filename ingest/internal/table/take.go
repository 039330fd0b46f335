package table

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

func (r *reader) tableRow(l line) bool {
	t := r.table
	if t == nil {
		return false
	}
	if t.events {
		parse := func(s string) (eventRow, bool) {
			c, ok := t.columns.split(s)
			if !ok {
				return eventRow{}, false
			}
			return columnRow(c)
		}
		return r.wait(l, parse)
	}
	if t.kind == nil {
		return false
	}
	c, ok := t.columns.split(l.text)
	return ok && r.takeRow(t.kind, c, l)
}

// shaped takes a row of a table whose header is missing.
func (r *reader) shaped(l line) bool {
	kind, c, ok := shapedCells(l.text, r.command.kind)
	return ok && r.takeRow(kind, c, l)
}

func (r *reader) takeRow(kind *tableKind, c cells, l line) bool {
	row := row{cells: c, at: l, path: r.path, namespace: r.namespace()}
	if !kind.read(&row) {
		return false
	}
	r.commit()
	r.record(row.out, len(l.raw))
	r.aged = append(r.aged, row.aged[:min(len(row.aged), maxAged-len(r.aged))]...)
	return true
}

// tell makes a line the evidence of what it says, which ends what is open.
func (r *reader) tell(l line, all ...model.Observation) bool {
	r.commit()
	for i, o := range all {
		all[i] = l.says(o, r.path)
	}
	r.record(all, len(l.raw))
	return true
}

// shown is that an object was there, and its state.
func shown(kind, name, detail string) model.Observation {
	return model.Observation{Kind: model.ObjectShown, Object: model.Ref{Kind: kind, Name: name}, Detail: detail}
}

// namespace is that of the command, or of the file.
func (r *reader) namespace() string { return cmp.Or(r.command.namespace, r.hint.Namespace) }

// event takes a row of events recognised by its shape, or a message alone, unless it stands under the row that it was broken from.
func (r *reader) event(l line) bool {
	if strings.HasPrefix(l.raw, "{") && r.taken(l) { // a record of a log in JSON, whose message alone looks like one that was pasted
		return false
	}
	if p := r.pending; p != nil && p.ok && p.row.record.Message == "" {
		if _, ok := bareRow(l.text); ok && p.extend(l) {
			return true
		}
	}
	if r.wait(l, shapedRow) || r.wait(l, clockRow) || r.wait(l, bareRow) || r.wait(l, zapRow) {
		return true
	}
	return r.decorated(l) || r.wrapped(l)
}

// wait takes a row of events. It is kept back while it may go on in the next line.
func (r *reader) wait(l line, parse func(string) (eventRow, bool)) bool {
	if read, pasted := parse, r.spoken; !pasted.at.IsZero() {
		parse = func(s string) (eventRow, bool) {
			row, ok := read(s)
			row.written(pasted.at, pasted.floats)
			return row, ok
		}
	}
	row, ok := parse(l.text)
	if !ok {
		return false
	}
	r.commit()
	r.pending = &pending{lines: []line{l}, text: l.text, parse: parse, row: row, ok: true}
	if m := row.record.Message; m != "" && strings.HasSuffix(l.text, m) {
		r.pending.column = len(l.text) - len(m)
	}
	if r.pending.whole() && !r.pending.mayGo() {
		r.commit()
	}
	return true
}

// wrappedBare is a report whose volume is followed by nothing: the rest is on the next line.
var wrappedBare = regexp.MustCompile(`(?:^ *|FailedAttachVolume:? +)(?:Multi-Attach error|Waiting for detach) for volume` +
	`(?: \S*)?(?: V[a-z ()]*)?$`)

// wrapped takes the first line of a message that stands alone and was broken.
func (r *reader) wrapped(l line) bool {
	if !strings.Contains(l.text, "for volume") || !wrappedBare.MatchString(l.text) {
		return false
	}
	r.commit()
	r.pending = &pending{lines: []line{l}, text: l.text, parse: bareRow}
	return true
}

// taken reports that another reader has the line.
func (r *reader) taken(l line) bool { return r.hint.Taken != nil && r.hint.Taken(l.raw) }

// decorated takes a row or a message with marks around it, unless another reader has taken the line.
func (r *reader) decorated(l line) bool {
	if r.hint.Verbatim || !marked(l.text) || r.taken(l) {
		return false
	}
	if !r.wait(l, saidRow) && !r.wait(l, decoratedRow) {
		return false
	}
	r.tells(l) // words around a message
	return true
}
