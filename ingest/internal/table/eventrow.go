package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// eventRow is one row about an Event, before it is known what it is about.
type eventRow struct {
	record phrase.EventRecord
	seen   seen
	about  bool   // the row names its object itself
	floats bool   // its time is one of an unknown day
	cut    bool   // a person kept no more of the message
	name   string // of the Event object, whose end may be its first time in nanoseconds
}

const (
	reasonPattern = `[A-Z][A-Za-z0-9]+`
	seenPattern   = `(?:` + agePattern + `|` + noAge + `)(?: +\(x\d+(?: over (?:` + agePattern + `|` + noAge + `))?\))?`
	oldTimes      = `^ *(?P<firstseen>` + agePattern + `) +(?P<lastseen>` + agePattern + `) +(?P<count>\d+) +`
	subobject     = `(?:[a-zA-Z.]+\{[^{} ]+\} +)?`
	// A reporter is a component, or "kubelet, node"; up to 1.4 in braces.
	fromPattern = `(?:\{[^{}]*\}|[A-Za-z0-9./_-]+(?:, [A-Za-z0-9.:_-]+)?)`
)

// eventForms are the shapes of rows, which are recognised without a header, because people paste rows without it.
var eventForms = [...]*regexp.Regexp{
	// ns  33s (x4 over 5m)  Warning  FailedMount  pod/db-0  Unable to …; people leave the first two out.
	regexp.MustCompile(`^ *(?:(?:(?P<namespace>[a-z0-9][a-z0-9-]*)  +)?(?P<lastseen>` + seenPattern + `) +)?(?:Normal|Warning) +(?P<reason>` +
		reasonPattern + `) +(?P<object>[A-Za-z]+/[a-z0-9][a-z0-9.:-]*) +(?P<message>.*)$`),
	// Warning  FailedMount  33s (x4 over 5m)  kubelet, node  Unable to …; where gaps were lost one blank stands before the message.
	regexp.MustCompile(`^ *(?P<type>Normal|Warning) +(?P<reason>` + reasonPattern + `)(?: +(?P<lastseen>` + seenPattern + `))?(?: +(?P<from>` +
		fromPattern + `)(?:  +(?P<message>.*)| (?P<near>.*))?)?$`),
	// 5m  1m  4  kubelet, node  spec.containers{c}  Warning  FailedMount  Unable to …
	regexp.MustCompile(oldTimes + `(?P<from>` + fromPattern + `) +` + subobject + `(?:Normal|Warning) +(?P<reason>` + reasonPattern +
		`) +(?P<message>.*)$`),
	// 1h  1h  1  db-0  Pod  spec.containers{c}  Warning  Evicted  {kubelet node}  The node …
	regexp.MustCompile(oldTimes + `(?P<name>[a-z0-9][a-z0-9.-]*) +(?P<kind>[A-Z][A-Za-z]+) +` + subobject + `(?:Normal|Warning) +(?P<reason>` +
		reasonPattern + `) +(?P<from>` + fromPattern + `)(?: +(?P<message>.*))?$`),
}

// shapedRow reads a row of events by its shape alone.
func shapedRow(s string) (eventRow, bool) {
	if !strings.Contains(s, "Normal") && !strings.Contains(s, "Warning") {
		return eventRow{}, false
	}
	for _, form := range &eventForms {
		m := form.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		c := newCells(form.SubexpNames(), m)
		r, ok := columnRow(c)
		if near := c.get("near"); near != "" {
			r.record.Message, ok = near, knownReporter(r.record.Component)
		}
		if c.columns.has("type") {
			return r, ok && (c.get("lastseen") != "" || c.get("from") != "") // type and reason alone are two words of a sentence
		}
		r.wide()
		return r, ok
	}
	return eventRow{}, false
}

// wideRest is what -o wide puts around the message: [subobject] reporter message first-seen count name.
var wideRest = regexp.MustCompile(`^` + subobject + `(` + fromPattern + `)  +(.*?)  +(` + agePattern + `|` + noAge +
	`) +(\d+) +([a-z0-9][a-z0-9.-]*)$`)

// countRest is what k9s puts before the message: reporter count.
var countRest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z-]+) +(\d+) +(\S.*)$`) })

// wide takes the columns of -o wide, or those of k9s, out of the message.
func (r *eventRow) wide() {
	if m := countRest().FindStringSubmatch(r.record.Message); m != nil && r.record.Component == "" && knownReporter(m[1]) {
		r.record.Component, r.seen.count, r.record.Message = m[1], parseCount(m[2]), m[3]
		return
	}
	m := wideRest.FindStringSubmatch(r.record.Message)
	if m == nil || r.name != "" || r.record.Component != "" {
		return
	}
	r.from(m[1])
	r.record.Message, r.name = m[2], m[5]
	r.seen.first = parseAge(m[3])
	r.seen.count = parseCount(m[4])
}

// knownReporter recognises the reporters of the events that volpost uses.
func knownReporter(s string) bool {
	return slices.Contains([]string{"kubelet", "default-scheduler"}, s) || strings.HasSuffix(s, "-controller") || strings.HasSuffix(s, "-manager")
}

// from reads "component", "component, host" and "{component host}".
func (r *eventRow) from(s string) {
	s = strings.Trim(s, "{} ")
	component, host, ok := strings.Cut(s, ", ")
	if !ok {
		component, host, _ = strings.Cut(s, " ")
	}
	r.record.Component, r.record.Node = component, strings.TrimSpace(host)
}

// unreadKinds are kinds of events' objects that are not read themselves.
var unreadKinds = [...]string{"CronJob", "Service", "Endpoints", "HorizontalPodAutoscaler"}

// objectRef is an event's object. kubectl events writes the kind as it is, kubectl get in lower case.
func objectRef(kind, namespace, name string) model.Ref {
	if k := manifest.KindCalled(strings.ToLower(kind)); k != "" {
		kind = k
	}
	for _, k := range unreadKinds {
		if strings.EqualFold(k, kind) {
			kind = k
		}
	}
	if manifest.ClusterScoped(kind) {
		namespace = "" // kubectl shows the namespace of the event
	}
	return model.Ref{Kind: kind, Namespace: namespace, Name: name}
}

// stamped is the end of an Event's name that the recorder makes of its first time, in hexadecimal nanoseconds.
var stamped = regexp.MustCompile(`^(.+)\.([0-9a-f]{15,16})$`)

// cutStamp is the object's name in that of its event.
func cutStamp(name string) string {
	if m := stamped.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// columnRow reads a row of kubectl get events by its header.
func columnRow(c cells) (eventRow, bool) {
	r := eventRow{about: true, name: c.get("name")}
	e := &r.record
	e.Message = c.get("message")
	e.Reason = cmp.Or(c.get("reason"), reasonOf(e.Message))
	if !reasonText.MatchString(e.Reason) {
		return r, false
	}
	r.from(strings.TrimSpace(c.get("source", "from")))
	if host := c.get("host"); host != "" {
		e.Node = host
	}
	kind, name, ok := strings.Cut(strings.Replace(c.get("object", "involvedobject"), ": ", "/", 1), "/") // Lens parts them so
	switch {
	case ok:
	case c.columns.has("kind", "name"):
		kind, name = c.get("kind"), cutStamp(r.name)
	case c.columns.has("objectname"):
		kind, name = cmp.Or(c.get("kind"), words.If(podReason(e.Reason), "Pod")), c.get("objectname")
	default:
		kind, name, r.about = "", "", false
	}
	if r.about {
		e.Object = objectRef(kind, c.get("namespace"), name)
	}
	return r, r.times(c) && (!r.about || e.Object.Name != "")
}

var reasonText = regexp.MustCompile(`^` + reasonPattern + `$`)

// times reads the columns of time: ages, or instants where custom columns print the fields themselves.
func (r *eventRow) times(c cells) bool {
	first, last := c.get("firstseen", "firsttimestamp"), c.get("lastseen", "lasttimestamp", "updated", "age", "time")
	count := parseCount(c.get("count"))
	if at := instant(last); !at.IsZero() {
		e := &r.record
		e.First, e.Last, e.Count = at, at, count
		if f := instant(first); !f.IsZero() {
			e.First = statement.Named(r.name, f.At)
		}
		if count == 1 {
			e.Last = e.First
		}
		r.seen.count = count
		return true
	}
	if last == "" {
		r.seen = seen{count: count}
		return true
	}
	var ok bool
	r.seen, ok = parseSeen(last)
	if first != "" && ok {
		r.seen.first, r.seen.count = parseAge(first), max(count, r.seen.count)
	}
	if s := &r.seen; s.first != nil && s.last != nil && s.first.Best < s.last.Best { // which of them comes first in a row changed with 1.6
		s.first, s.last = s.last, s.first
	}
	return ok
}
