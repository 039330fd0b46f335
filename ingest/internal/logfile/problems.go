package logfile

import (
	"fmt"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// problems says once per file what could not be read.
func (l *log) problems(st logline.Stats) []model.Problem {
	var out []model.Problem
	add := func(s model.Severity, line int, format string, args ...any) {
		out = append(out, model.Problem{Severity: s, Path: l.path, Line: line, Message: fmt.Sprintf(format, args...)})
	}
	if st.Err != nil {
		add(model.Failure, 0, "reading stopped after %d bytes: %v", st.Bytes, st.Err)
	}
	switch {
	case st.NotALog:
		add(model.Warning, 0, "not a log: no klog record within the first 4 MiB")
	case l.in.Records == 0 && st.Bytes > 0:
		add(model.Warning, 0, "not a log: no klog record in it")
	case st.Orphans > 0:
		add(model.Info, 0, "%s that no log record holds", counted(st.Orphans, "line"))
	}
	if st.TooLong > 0 {
		add(model.Warning, st.TooLongAt, "%d bytes of %d records are not read: a record is kept up to 1 MiB", st.Dropped, st.TooLong)
	}
	if st.ZoneMoved > 0 {
		add(model.Info, st.ZoneMoved, "the zone of the log's own clock changes here")
	}
	if st.Broken > 0 {
		add(model.Info, 0, "%s of JSON broke off; what came before is read", counted(st.Broken, "piece"))
	}
	if l.order.hourBack > 0 {
		add(model.Warning, l.order.hourBack, "its clock, which names no zone, goes back by an hour here, as where summer time ends: "+
			"times of that hour, and distances across it, may be wrong by an hour")
	}
	if l.order.disorder > 0 {
		add(model.Info, l.order.disorder, "its records are not in the order of time; they are read in that order")
	}
	if l.order.cut {
		add(model.Warning, l.order.disorder, "it has too many statements to sort them all: up to %d are sorted at once", maxSorted)
	}
	if l.fold.lost > 0 {
		add(model.Warning, l.fold.lostAt, "%d statements from here on are not kept: a file gives %d at most, of %d MiB of text", l.fold.lost,
			maxObservations, maxKept>>20)
	}
	if l.order.spans[0].records > 0 && l.order.spans[1].records > 0 {
		add(model.Info, 0, "some records have a time with year and zone, others have neither")
	}
	return out
}

// counted is a number of things with its word.
func counted(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
