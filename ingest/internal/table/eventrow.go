package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// eventRow is one row about an Event, before it is known what it is about.
type eventRow struct {
	record phrase.EventRecord
	seen   seen
	about  bool   // the row names its object itself
	name   string // of the Event object, whose end may be its first time in nanoseconds
}

const (
	reasonPattern = `([A-Z][A-Za-z0-9]+)`
	seenPattern   = `((?:` + agePattern + `|` + noAge + `)(?: +\(x\d+(?: over (?:` + agePattern + `|` + noAge + `))?\))?)`
	// A reporter is a component, or "kubelet, node"; up to 1.4 in braces.
	fromPattern = `(\{[^{}]*\}|[A-Za-z0-9./_-]+(?:, [A-Za-z0-9.:_-]+)?)`
)

// The shapes of rows, which are recognised without a header, because people paste rows without it.
var (
	// Warning  FailedMount  33s (x4 over 5m)  kubelet, node  Unable to …
	describeRow = regexp.MustCompile(`^ *(Normal|Warning) +` + reasonPattern + `(?: +` + seenPattern + `)?(?: +` +
		fromPattern + `(?:  +(.*)| (.*))?)?$`)
	// 5m  1m  4  kubelet, node  spec.containers{c}  Warning  FailedMount  Unable to …
	oldDescribeRow = regexp.MustCompile(`^ *(` + agePattern + `) +(` + agePattern + `) +(\d+) +` + fromPattern +
		` +(?:([a-zA-Z.]+\{[^{} ]+\}) +)?(Normal|Warning) +` + reasonPattern + ` +(.*)$`)
	// ns  33s (x4 over 5m)  Warning  FailedMount  pod/db-0  Unable to …
	getRow = regexp.MustCompile(`^ *(?:([a-z0-9][a-z0-9-]*)  +)?` + seenPattern + ` +(Normal|Warning) +` + reasonPattern +
		` +([A-Za-z]+)/([a-z0-9][a-z0-9.:-]*) +(.*)$`)
	// 1h  1h  1  db-0  Pod  spec.containers{c}  Warning  Evicted  {kubelet node}  The node …
	oldGetRow = regexp.MustCompile(`^ *(` + agePattern + `) +(` + agePattern + `) +(\d+) +([a-z0-9][a-z0-9.-]*) +([A-Z][A-Za-z]+) +` +
		`(?:([a-zA-Z.]+\{[^{} ]+\}) +)?(Normal|Warning) +` + reasonPattern + ` +` + fromPattern + `(?: +(.*))?$`)
)

// shapedRow reads a row of events by its shape alone.
func shapedRow(s string) (eventRow, bool) {
	if !strings.Contains(s, "Normal") && !strings.Contains(s, "Warning") {
		return eventRow{}, false
	}
	if m := describeRow.FindStringSubmatch(s); m != nil {
		return describedRow(m)
	}
	if m := getRow.FindStringSubmatch(s); m != nil {
		r := eventRow{about: true}
		r.seen, _ = parseSeen(m[2])
		r.record = phrase.EventRecord{Reason: m[4], Object: objectRef(m[5], m[1], m[6]), Message: m[7]}
		r.wide()
		return r, true
	}
	if m := oldDescribeRow.FindStringSubmatch(s); m != nil {
		r := eventRow{seen: oldSeen(m[1], m[2], m[3])}
		r.record = phrase.EventRecord{Reason: m[7], Message: m[8]}
		r.from(m[4])
		return r, true
	}
	if m := oldGetRow.FindStringSubmatch(s); m != nil {
		r := eventRow{about: true, name: m[4], seen: oldSeen(m[1], m[2], m[3])}
		r.record = phrase.EventRecord{Reason: m[8], Object: model.Ref{Kind: m[5], Name: cutStamp(m[4])}, Message: m[10]}
		r.from(m[9])
		return r, true
	}
	return eventRow{}, false
}

// wideRest is what -o wide puts around the message: [subobject] reporter message first-seen count name.
var wideRest = regexp.MustCompile(`^(?:[a-zA-Z.]+\{[^{} ]+\} +)?` + fromPattern + `  +(.*?)  +(` + agePattern + `|` + noAge +
	`) +(\d+) +([a-z0-9][a-z0-9.-]*)$`)

// wide takes the columns of -o wide out of the message.
func (r *eventRow) wide() {
	m := wideRest.FindStringSubmatch(r.record.Message)
	if m == nil {
		return
	}
	r.from(m[1])
	r.record.Message, r.name = m[2], m[5]
	r.seen.first = parseAge(m[3])
	r.seen.count = parseCount(m[4])
}

// describedRow takes a row of an Events section. With one blank before the message, its gaps were lost; then the reporter must be known.
func describedRow(m []string) (eventRow, bool) {
	r := eventRow{record: phrase.EventRecord{Reason: m[2], Message: m[5]}}
	if m[3] != "" {
		r.seen, _ = parseSeen(m[3])
	}
	if m[6] != "" {
		component, _, _ := strings.Cut(m[4], ",")
		if !knownReporter(component) {
			return eventRow{}, false
		}
		r.record.Message = m[6]
	}
	r.from(m[4])
	// Type and reason alone are two words of a sentence.
	return r, m[3] != "" || m[4] != ""
}

// knownReporter recognises the reporters of the events that volpost uses.
func knownReporter(s string) bool {
	switch s {
	case "kubelet", "default-scheduler":
		return true
	}
	return strings.HasSuffix(s, "-controller") || strings.HasSuffix(s, "-manager") || strings.HasPrefix(s, "{")
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

// oldSeen takes two ages. Which of them comes first in a row changed with 1.6; the first time is the older one.
func oldSeen(a, b, count string) seen {
	s := seen{first: parseAge(a), last: parseAge(b), count: parseCount(count)}
	if s.first != nil && s.last != nil && s.first.Best < s.last.Best {
		s.first, s.last = s.last, s.first
	}
	return s
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
	e.Reason, e.Message = c.get("reason"), c.get("message")
	if !reasonText.MatchString(e.Reason) {
		return r, false
	}
	r.from(strings.TrimSpace(c.get("source", "from")))
	if host := c.get("host"); host != "" {
		e.Node = host
	}
	kind, name, ok := strings.Cut(c.get("object", "involvedobject"), "/")
	switch {
	case ok:
	case c.columns.has("kind", "name"):
		kind, name = c.get("kind"), cutStamp(r.name)
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
	first, last := c.get("firstseen", "firsttimestamp"), c.get("lastseen", "lasttimestamp", "age", "time")
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
	return ok
}
