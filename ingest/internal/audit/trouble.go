package audit

import (
	"fmt"

	"github.com/volpost/volpost/model"
)

type trouble struct {
	damaged, tooLong count
	err              error
}

// count is how many records had a fault, and the line of the first.
type count struct{ n, line int }

func (c *count) add(line int) {
	if c.n == 0 {
		c.line = line
	}
	c.n++
}

// problems are one for each kind of fault.
func (l *log) problems() []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: l.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if l.err != nil {
		add(model.Failure, 0, "could not be read to its end: %v", l.err)
	}
	if l.damaged.n > 0 {
		add(model.Warning, l.damaged.line, "%d audit events are cut or no JSON and are left out; the first is on this line", l.damaged.n)
	}
	if l.tooLong.n > 0 {
		add(model.Warning, l.tooLong.line, "%d audit events are longer than %d MiB and are left out; the first is on this line",
			l.tooLong.n, MaxEvent>>20)
	}
	few := func(k kept, of string) {
		if k.dropped > 0 {
			add(model.Warning, 0, "holds more than %d requests for %s; only the last %d of the file are kept: "+
				"give the part of it around the incident", maxFacts, of, maxFacts)
		}
	}
	few(l.facts.pods, "pods")
	few(l.facts.others, "nodes and VolumeAttachments")
	return out
}
