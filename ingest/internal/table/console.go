package table

import (
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/volpost/volpost/model"
)

// console is what the web console of OpenShift shows of an event above its message, each thing on a line of its own: "P" and the pod, "NS"
// and its namespace, the date, who reports it, how often.
type console struct {
	above []string // the lines before it was known to be one
	row   eventRow
	open  bool // its message is to come
}

// maxAbove is how many lines stand above the one that says who reports it.
const maxAbove = 7

var (
	generatedFrom = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *Generated from (\S+?)(?: on (\S+))?$`) })
	timesInLast   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^ *(\d+) times? in the last (an?|\d+) (second|minute|hour|day)s?$`)
	})
)

// consoleLine takes a line of such an event. The lines above the one that begins it are read as any other.
func (r *reader) consoleLine(l line) bool {
	w := &r.web
	if m := generatedFrom().FindStringSubmatch(l.text); m != nil {
		r.close()
		*w = console{row: aboveMessage(w.above), open: true}
		w.row.record.Component, w.row.record.Node = m[1], m[2]
		return true
	}
	if !w.open {
		w.above = append(w.above[max(0, len(w.above)+1-maxAbove):], l.text)
		return false
	}
	if m := timesInLast().FindStringSubmatch(l.text); m != nil {
		w.row.seen.count = parseCount(m[1])
		w.row.since(m[2], m[3])
		return true
	}
	row := w.row
	*w = console{}
	row.record.Message, row.record.Reason = l.text, reasonOf(l.text)
	return row.record.Reason != "" && r.wait(l, func(s string) (eventRow, bool) {
		row.record.Message = s
		return row, true
	})
}

// aboveMessage is the object, and the time of the last of it, of the lines above.
func aboveMessage(above []string) eventRow {
	row := eventRow{seen: seen{count: 1}}
	kind, namespace, name := "", "", ""
	for i, s := range above[:max(0, len(above)-1)] {
		switch next := validName(above[i+1]); {
		case slices.Contains([]string{"P", "Pod"}, s) && next != "":
			kind, name = "Pod", next
		case slices.Contains([]string{"N", "Node"}, s) && next != "":
			kind, name = "Node", next
		case slices.Contains([]string{"NS", "Namespace"}, s) && next != "":
			namespace = next
		}
	}
	for _, s := range above {
		if at := instant(s); !at.IsZero() {
			row.record.First, row.record.Last = at, at
		}
	}
	row.about, row.record.Object = name != "", objectRef(kind, namespace, name)
	return row
}

// since puts the first of several times back by what the console counts from its printing, which was at the last of them or later.
func (r *eventRow) since(number, unit string) {
	n, err := strconv.Atoi(number)
	if err != nil {
		n = 1 // "a minute"
	}
	if first := &r.record.First; !first.IsZero() && n < 1000 {
		back := time.Duration(n) * consoleUnits[unit]
		*first = model.Moment{At: first.At.Add(-back), Earliest: first.Earliest.Add(-back - consoleUnits[unit]), Latest: first.Latest, Basis: model.Derived}
	}
}

var consoleUnits = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour} // for lookup only
