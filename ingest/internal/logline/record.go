package logline

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
)

// Pair is one key and value of a structured line, in the order of the line. A quoted or multi-line value is unquoted;
// lists, structs and JSON values are verbatim.
type Pair struct{ Key, Value string }

// Record is one statement of a log with all that its syntax tells.
type Record struct {
	Line     int       // first physical line, counted from 1
	Raw      string    // verbatim: physical lines, joined by newlines, or the escaped message inside an envelope
	Time     time.Time // UTC; see Floating; zero when nothing tells it
	Floating bool      // Time has neither year nor zone: year 0, across a new year within the log 1 or -1, as if UTC
	Wrapper  time.Time // instant that the wrapper gives, zero when there is none
	Severity byte      // I, W, E or F
	File     string    // base name of the source file in the header; "" in JSON logs before Kubernetes 1.22
	Thread   string    // thread or process id of the klog header, "" when the header lacks it
	Message  string    // text; of structured lines the unquoted message
	KV       []Pair    // of structured lines
	JSON     bool
	Bare     bool             // without a header; Time is the wrapper's, or zero
	From     *envelope.Origin // who wrote it, as its wrapper says; nil when that says nothing
	Event    *envelope.Event  // the record is a Kubernetes Event; Message is the Event's
}

// Get is the value of the first pair with that key, "" when there is none.
func (r *Record) Get(key string) string {
	for _, p := range r.KV {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// Head is the cheap part of a record. Its byte slices are valid until the next Scan.
type Head struct {
	Line     int
	Time     time.Time
	Floating bool
	Wrapper  time.Time
	File     []byte
	Text     []byte // klog: what follows the header, a structured message with its quotes; JSON: msg, still escaped
	JSON     bool
	Bare     bool
	Event    bool // the record is a Kubernetes Event
	Foreign  bool // the record is of a program with a syntax of its own, such as a CSI driver: it has a time and no known wording
	From     *envelope.Origin
}
