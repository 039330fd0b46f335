package table

import (
	"bytes"
	"fmt"

	"github.com/volpost/volpost/model"
)

// Sniff says from the first bytes (up to 64 KiB) whether a file holds what Read understands. Ask the readers of objects and logs first.
func Sniff(head []byte, hint Hint) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	return Read(bytes.NewReader(head), hint.Path, hint).Input.Used > 0
}

func (r *reader) finish(ls *lines) Result {
	in := &r.in
	in.Bytes = ls.in.Bytes
	in.Skipped = in.Records - in.Used
	if ls.in.Bytes == 0 {
		in.Kind = model.InputEmpty
	} else if in.Records == 0 {
		in.Kind = model.InputIgnored
	}
	r.dateClocks()
	r.dateActs()
	if r.hint.CollectedAt != nil {
		Place(r.out, *r.hint.CollectedAt)
	}
	for i := range r.out {
		in.Cover(r.out[i].At.At, r.out[i].Last.At)
	}
	return Result{Input: *in, Observations: r.out, Aged: r.aged, Problems: r.problems(ls)}
}

// problems says once per file what could not be read.
func (r *reader) problems(ls *lines) []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: r.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if ls.in.Err != nil {
		add(model.Failure, 0, "reading stopped after %d bytes: %v", ls.in.Bytes, ls.in.Err)
	}
	if ls.cut > 0 {
		add(model.Warning, ls.cutAt, "%s longer than %d KiB, up to which a line of pasted text is read", these(ls.cut), maxLine>>10)
	}
	if r.long > 0 {
		add(model.Warning, 0, "%d of the descriptions have more than %d lines or 1 MiB, up to which they are read", r.long, maxFields)
	}
	if r.lost > 0 {
		add(model.Warning, r.lostAt, "%d statements from here on are not kept: a file gives %d at most, of %d MiB of text", r.lost,
			maxObservations, maxKept>>20)
	}
	if r.orphans > 0 && r.in.Records > 0 {
		add(model.Info, 0, "%s neither a row, nor a description, nor a message that is read", these(r.orphans))
	}
	return out
}

// these counts lines that are something.
func these(n int) string {
	if n == 1 {
		return "1 line is"
	}
	return fmt.Sprintf("%d lines are", n)
}
