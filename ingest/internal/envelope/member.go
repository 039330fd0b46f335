package envelope

import (
	"bytes"
	"cmp"
	"path"
	"strconv"
	"strings"
	"time"
)

// record collects the members of one entry while it is being walked.
type record struct {
	texts []text
	time  time.Time
	from  Origin
	event Event
	pair  pair // of an object {"field": …, "value": …}
}

// text is a member that may be the message.
type text struct {
	rank  int
	line  int
	raw   []byte
	lost  int64
	plain bool // raw is the message itself, without escapes
}

// pair is a column as CloudWatch Logs Insights writes it.
type pair struct {
	field string
	value text
	has   bool
}

// maxTexts bounds how many members of one entry are kept as its possible message.
const maxTexts = 4

// textRank orders the members that hold messages: lower is surer, 0 is none. Where a shipper decoded a message, msg is it, and not message.
func textRank(key string) int {
	switch key {
	case "@message", "textPayload", "log_s", "MESSAGE", "log", "line", "Line", "_raw":
		return 1
	case "msg":
		return 2
	case "message", "Message", "LogEntry", "LogMessage":
		return 3
	case "note", "text":
		return 4
	}
	return 0
}

// isTime recognises the members that hold the time of an entry. Times of arrival, such as ingestionTime, are none.
func isTime(key string) bool {
	switch key {
	case "time", "timestamp", "@timestamp", "ts", "Timestamp", "TimeGenerated", "TimeGenerated [UTC]", "__REALTIME_TIMESTAMP",
		"date", "date_happened", "Time", "Date", "_time", "_messagetime":
		return true
	}
	return false
}

// set takes one scalar member, of whose bytes it keeps none. under is the key of the object that holds it.
func (r *record) set(under, key string, v text, quoted bool) {
	if quoted && under != "sourceLocation" {
		if rank := textRank(key); rank > 0 {
			if len(r.texts) < maxTexts {
				v.rank, v.raw = rank, bytes.Clone(v.raw)
				r.texts = append(r.texts, v)
			}
			return
		}
	}
	if isTime(key) && r.time.IsZero() {
		r.time = ParseTime(unescaped(v.raw))
		return
	}
	if len(v.raw) == 0 || len(v.raw) > maxLabel {
		return
	}
	switch s := unescaped(v.raw); under {
	case "involvedObject", "involved_object", "regarding":
		r.event.set(objectFields, key, s)
	case "sourceLocation":
		if key == "file" {
			r.from.File = path.Base(s)
		}
	case "source":
		r.event.set(sourceFields, key, s)
	default:
		r.event.member(key, s)
		r.from.label(under, key, s)
	}
}

// maxLabel bounds what is kept of other members.
const maxLabel = 1024

// Members of the object that an Event is about, and of who reported it.
var (
	objectFields = map[string]func(*Event) *string{
		"kind": func(e *Event) *string { return &e.Kind }, "namespace": func(e *Event) *string { return &e.Namespace },
		"name": func(e *Event) *string { return &e.Name }, "uid": func(e *Event) *string { return &e.UID },
	}
	sourceFields = map[string]func(*Event) *string{
		"component": func(e *Event) *string { return &e.Component }, "host": func(e *Event) *string { return &e.Host },
	}
)

func (e *Event) set(fields map[string]func(*Event) *string, key, s string) {
	if field := fields[key]; field != nil {
		*field(e) = s
	}
}

func (e *Event) member(key, s string) {
	switch key {
	case "reason":
		e.Reason = s
	case "involvedObject": // some exporters keep the name only
		e.Name = s
	case "reportingComponent", "reportingController":
		e.Component = cmp.Or(e.Component, s)
	case "firstTimestamp", "eventTime":
		if t := ParseTime(s); !t.IsZero() && (e.First.IsZero() || key == "firstTimestamp") {
			e.First = t
		}
	case "lastTimestamp":
		e.Last = ParseTime(s)
	case "count":
		if n, _ := strconv.Atoi(s); n > 0 {
			e.Count = n
		}
	}
}

// label reads who wrote the message.
func (o *Origin) label(under, key, s string) {
	short := key[strings.LastIndexByte(key, '.')+1:]
	switch short {
	case "pod", "podName", "pod_name", "PodName", "pod_s":
		o.Pod = s
	case "name":
		// kubernetes.container.name, as Elastic's agents have it
		if under == "container" || strings.HasSuffix(key, "container.name") {
			o.Container = s
		} else if under == "pod" || strings.HasSuffix(key, "pod.name") {
			o.Pod = s
		}
	case "container", "containerName", "container_name", "ContainerName", "component_name":
		o.Container = s
	case "category", "Category":
		o.Container = cmp.Or(o.Container, s)
	case "logStreamName", "logStream", "@logStream":
		o.Container = StreamName(s)
	case "namespace", "namespace_name", "namespaceName", "PodNamespace":
		o.Namespace = s
	case "hostname", "_HOSTNAME", "host", "nodeName", "node_name":
		o.Host = s
	case "SYSLOG_IDENTIFIER":
		o.Unit = s
	case "_SYSTEMD_UNIT":
		o.Unit = cmp.Or(o.Unit, strings.TrimSuffix(s, ".service"))
	case "stream", "Stream":
		if s == "stdout" || s == "stderr" {
			o.Stream = s
		}
	}
}

// StreamName is the component in the name of a CloudWatch log stream, kube-controller-manager-<32 hex digits>.
func StreamName(s string) string {
	i := strings.LastIndexByte(s, '-')
	if i < 0 || len(s)-i-1 != 32 || strings.Trim(s[i+1:], "0123456789abcdef") != "" {
		return s
	}
	return s[:i]
}

// ParseTime reads a time as the services write it: RFC 3339, CloudWatch's "2006-01-02 15:04:05.000" (UTC, as Splunk says), the portal's "1/2/2006,
// 3:04:05.000 PM" (UTC when the column says so), or a number of seconds, milliseconds, microseconds or nanoseconds, by magnitude. Kibana's
// "Jan 2, 2006 @ 15:04:05.000" is in the browser's zone and not read. Other texts, and years that no cluster has seen, give the zero time.
func ParseTime(s string) time.Time {
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return numericTime(s, f)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999 UTC",
		"1/2/2006, 3:04:05.999 PM"} {
		if t, _ := time.Parse(layout, s); t.Year() > 2000 && t.Year() < 2200 {
			return t.UTC()
		}
	}
	return time.Time{}
}

func numericTime(s string, f float64) time.Time {
	whole, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		whole = 0
	}
	switch {
	case f > 1e9 && f < 1e10: // seconds
		return time.UnixMicro(int64(f*1e6 + 0.5)).UTC()
	case f > 1e12 && f < 1e13:
		return time.UnixMicro(int64(f*1e3 + 0.5)).UTC()
	case f > 1e15 && f < 1e16 && whole != 0:
		return time.UnixMicro(whole).UTC()
	case f > 1e18 && f < 9e18 && whole != 0:
		return time.Unix(0, whole).UTC()
	}
	return time.Time{}
}

// merge takes what an inner object says into the object that holds it.
func (r *record) merge(in *record) {
	if len(in.texts) > 0 && !in.time.IsZero() || r.time.IsZero() {
		r.time = in.time
	}
	r.texts = append(r.texts, in.texts[:min(len(in.texts), maxTexts-len(r.texts))]...)
	r.from = in.from.Within(r.from)
	if in.event != (Event{}) {
		r.event = r.event.filled(in.event)
	}
}

// filled is an event with what another says besides.
func (e Event) filled(in Event) Event {
	return Event{
		Reason: cmp.Or(e.Reason, in.Reason), Kind: cmp.Or(e.Kind, in.Kind),
		Namespace: cmp.Or(e.Namespace, in.Namespace), Name: cmp.Or(e.Name, in.Name), UID: cmp.Or(e.UID, in.UID),
		Component: cmp.Or(e.Component, in.Component), Host: cmp.Or(e.Host, in.Host),
		First: cmp.Or(e.First, in.First), Last: cmp.Or(e.Last, in.Last), Count: max(e.Count, in.Count),
	}
}

// best is the likeliest message: one that prefer takes, else the one of the lowest rank.
func (r *record) best(prefer func([]byte) bool) (text, []byte, bool) {
	var out text
	var content []byte
	for _, t := range r.texts {
		c := t.raw
		if !t.plain {
			c = Unescape(make([]byte, 0, len(t.raw)+2), t.raw) // with the quotes that it is read with
		}
		if prefer != nil && len(r.texts) > 1 && prefer(c) {
			return t, c, true
		}
		if out.rank == 0 || t.rank < out.rank {
			out, content = t, c
		}
	}
	return out, content, len(bytes.TrimSpace(content)) > 0
}
