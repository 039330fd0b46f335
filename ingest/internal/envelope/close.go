package envelope

import (
	"cmp"
)

// close ends an object or array. An object inside an object is a part of it; an object or array in a list is an entry.
func (w *Walker) close(array bool) bool {
	n := len(w.frames)
	if n == 0 || w.frames[n-1].array != array {
		return false
	}
	if w.expect != wantComma && w.expect != wantFirstKey && w.expect != wantFirstValue {
		return false
	}
	w.end()
	w.expect = wantComma
	return true
}

// end takes the innermost frame off and hands on what it holds.
func (w *Walker) end() {
	n := len(w.frames)
	top := w.frames[n-1]
	w.frames = w.frames[:n-1]
	var outer *frame
	if n > 1 {
		outer = &w.frames[n-2]
		outer.n++
	}
	if top.rec.pair.has && outer != nil {
		outer.rec.set("", top.rec.pair.field, top.rec.pair.value, true)
	} else if outer != nil && !outer.array {
		outer.rec.merge(&top.rec)
	} else {
		w.emit(&top.rec)
	}
}

// emit makes an entry of a record that holds a message.
func (w *Walker) emit(r *record) {
	t, content, ok := r.best(w.Prefer)
	if !ok {
		return
	}
	e := Entry{Line: t.line, Raw: t.raw, Text: content, Lost: t.lost, Time: r.time, From: r.from}
	for i := len(w.frames) - 1; i >= 0; i-- {
		e.From = e.From.Within(w.frames[i].rec.from)
		if e.Time.IsZero() && !w.frames[i].array && len(w.frames[i].rec.texts) == 0 {
			e.Time = w.frames[i].rec.time
		}
	}
	if r.event.Reason != "" && r.event.Name != "" {
		ev := r.event
		ev.Namespace = cmp.Or(ev.Namespace, e.From.Namespace)
		e.Event = &ev
	}
	w.Entries = append(w.Entries, e)
}

// Flush ends what is still open, as at the end of a file that was cut, and keeps the entries found in it.
func (w *Walker) Flush() {
	if !w.failed {
		w.cut()
	}
	for len(w.frames) > 0 {
		w.end()
	}
	w.expect = wantValue
}
