package main

import (
	"slices"
	"strings"
	"time"
)

// A text is what was recorded, cut into what stays and what changes with each copy.
type text []part

// part is a literal, or what an entity is called, or a time.
type part struct {
	literal string
	entity  int // index in the stencil's entities, -1 for none
	stamp   stamp
	fresh   bool // the time is that of the collection, and not that of the incident
}

// line is a text of a log with the moment at which it was written.
type line struct {
	at   time.Time // as recorded
	text text
	size int // bytes as recorded
}

// kind says how the name of an entity is made.
type kind int

const (
	kindUID      kind = iota
	kindNode          // by its number in the cluster
	kindNodeIP        // of such a node
	kindInstance      // what the storage calls a node
	kindNamespace
	kindAttachment // by handle, driver and node
	kindHandle
	kindPodIP
	kindNodePod  // a pod of the driver's DaemonSet
	kindWorkload // of an innocent workload, of which a namespace has many
)

// entity is something that has a name in a recording.
type entity struct {
	kind   kind
	name   string // as recorded
	node   int    // index into the stencil's nodes, for what belongs to one
	handle text   // of an attachment: the volume's
}

// cutter cuts texts of one recording. All that it has cut shares its entities.
type cutter struct {
	rec      *recording
	workload string // "" for none
	scan     *scanner
	index    map[string]int
	entities []entity
}

func newCutter(rec *recording, workload string) *cutter {
	return &cutter{rec: rec, workload: workload,
		scan: newScanner(append(slices.Clip(rec.nodes), rec.controlNode, "shop", "backoffice", workload)), index: map[string]int{}}
}

// cut finds the entities and times of a text. Fresh says of a line, and of a time in it, that it belongs to the collection.
func (c *cutter) cut(s string, fresh func(line string, at time.Time) bool) text {
	var out text
	literal := func(s string) {
		if s != "" {
			out = append(out, part{literal: s, entity: -1})
		}
	}
	for s != "" {
		from, to := c.scan.next(s)
		if to == 0 {
			break
		}
		head, found := s[:from], s[from:to]
		if st, ok := readStamp(found); ok {
			literal(head)
			out = append(out, part{entity: -1, stamp: st, fresh: fresh != nil && fresh(lineAround(s, from), st.at)})
		} else if e, ok := c.entity(found); ok {
			literal(head)
			out = append(out, part{entity: e})
		} else {
			literal(s[:to])
		}
		s = s[to:]
	}
	literal(s)
	return out
}

func lineAround(s string, at int) string {
	from := strings.LastIndexByte(s[:at], '\n') + 1
	if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
		return s[from : at+n]
	}
	return s[from:]
}

// entity is the index of what a name stands for.
func (c *cutter) entity(name string) (int, bool) {
	if i, ok := c.index[name]; ok {
		return i, i >= 0
	}
	e, ok := c.rec.classify(name)
	if name == c.workload {
		e, ok = entity{kind: kindWorkload}, true
	}
	if !ok {
		c.index[name] = -1
		return 0, false
	}
	e.name = name
	if e.kind == kindAttachment {
		e.handle = c.cut(c.rec.attachments[name].handle, nil)
	}
	c.entities = append(c.entities, e)
	c.index[name] = len(c.entities) - 1
	return len(c.entities) - 1, true
}
