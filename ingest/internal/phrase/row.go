// Package phrase holds the tables of meaning: what the lines of one component's log and the reasons of Kubernetes Events say, as
// observations. One file per component of Kubernetes; a row is a wording, the versions that have it, and the fields that it names.
//
// It knows no syntax (package logline does) and compares no two statements.
package phrase

import (
	"bytes"
	"cmp"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// row is one wording of a log line and what it says.
type row struct {
	text   string     // how the message begins, or all that is needed of it, with values in it: see newTable and put
	holds  string     // what it contains further on; needed where a name comes first
	since  string     // Kubernetes or external-attacher versions that print it, for the reader of the table
	kind   model.Kind // what it says; read may refine it
	detail string     // what its words say alone
	late   bool       // the controller acts on a change up to one monitor period after it
	by     string     // who writes it, where that is not the table's component
	keys   string     // of a structured line, what pairs reads

	read func(r *logline.Record, o *model.Observation) bool // what is left to read
	also func(r *logline.Record, o *model.Observation) bool // a second statement that the line makes
	// What stands before and behind the Detail, where the line is repeated with another Detail each time, and else alike.
	before, behind string

	places, words []string // of the text: the values, and what follows each
}

type table struct {
	component string // who writes these lines, "" when several programs do
	rows      []row
}

// Row is a wording that a record matched.
type Row struct {
	row       *row
	component string
}

// Match finds the wording of a record by its source file and the beginning of its text, as logline.Head has them. It
// allocates nothing, so that the many lines without interest cost little. A file of "" tries every table.
func Match(file, text []byte) (Row, bool) {
	if len(file) == 0 {
		return matchAny(anonymous, text)
	}
	if string(file) == "controller.go" {
		return matchAny(controllers, text)
	}
	if t := tables[string(file)]; t != nil {
		if m, ok := t.match(unquoted(text)); ok || t == &driverRows {
			return m, ok
		}
		return driverPlainRows.match(unquoted(text))
	}
	return driverPlainRows.match(unquoted(text)) // of a driver, whose files have names of its own
}

// unquoted is a text without what structured and contextual logging put in front of it.
func unquoted(text []byte) []byte {
	if len(text) > 0 && text[0] == '"' {
		text = text[1:]
	}
	return cutLoggerName(text)
}

func matchAny(tables []*table, text []byte) (Row, bool) {
	text = unquoted(text)
	for _, t := range tables {
		if m, ok := t.match(text); ok {
			return m, true
		}
	}
	return Row{}, false
}

// Known reports whether a text without klog's header is a line of the attach/detach controller, of the operation executor or
// of the external-resizer all the same. Only wordings count that no other program has.
func Known(text []byte) bool {
	_, ok := matchAny(unmistakable, text)
	return ok
}

func (t *table) match(text []byte) (Row, bool) {
	for i := range t.rows {
		r := &t.rows[i]
		if len(text) < len(r.text) || text[0] != r.text[0] || string(text[:len(r.text)]) != r.text {
			continue
		}
		if r.holds != "" && !bytes.Contains(text[:min(len(text), maxHold)], []byte(r.holds)) {
			continue
		}
		return Row{row: r, component: cmp.Or(r.by, t.component)}, true
	}
	return Row{}, false
}

// maxHold bounds the search for a row's second text: names are at most a few hundred bytes long.
const maxHold = 2048

// Kind is what the wording says, "" when its words do not say it alone.
func (m Row) Kind() model.Kind { return m.row.kind }

// Varying is where in a record's text that stands which another repetition of the record has otherwise: it becomes the Detail,
// and nothing else depends on it. It is empty where repetitions are alike.
func (m Row) Varying(text []byte) (from, to int) {
	i := bytes.Index(text, []byte(m.row.before))
	if m.row.before == "" || i < 0 {
		return 0, 0
	}
	from = i + len(m.row.before)
	n := bytes.Index(text[from:], []byte(m.row.behind))
	return from, from + n
}

// Read appends what a record says: nothing when it lacks what its wording promises. Input, Quote and the path of Source are
// the caller's to fill in, and Component where the wording does not say it.
func (m Row) Read(r *logline.Record, to []model.Observation) []model.Observation {
	r.Message = cutLoggerName(r.Message)
	for i, read := range [...]func(*logline.Record, *model.Observation) bool{m.row.read, m.row.also} {
		if read == nil && i > 0 {
			continue
		}
		to = append(to, m.begin(r))
		o := &to[len(to)-1]
		if !m.row.values(r.Message, o) || !pairs(r, m.row.keys, o) || read != nil && !read(r, o) {
			to = to[:len(to)-1]
			continue
		}
		o.Volume = o.Volume.Complete()
		if len(r.Raw) > model.MaxQuote {
			letGo(o)
		}
	}
	return to
}

// begin is an observation with everything that does not depend on the wording.
func (m Row) begin(r *logline.Record) model.Observation {
	var at model.Moment // zero when nothing shows it
	if !r.Time.IsZero() {
		at = model.Exactly(r.Time)
	}
	if m.row.late {
		at = late(at)
	}
	return model.Observation{
		Kind: m.row.kind, At: at, Last: at, Floating: r.Floating, Count: 1, Component: m.component, Detail: m.row.detail,
		Source: model.Source{Kind: model.SourceLog, Line: r.Line},
	}
}

// loggerNames are the names that contextual logging puts before the message while its feature gate is switched on in
// Kubernetes 1.27 and 1.28 (cmd/kube-controller-manager/names); later versions have a logger= key instead.
var loggerNames = [...]string{
	"attachdetach: ", "persistentvolume-attach-detach-controller: ",
	"nodelifecycle: ", "node-lifecycle-controller: ", "taint-eviction-controller: ",
	"podgc: ", "pod-garbage-collector-controller: ",
	"replicaset: ", "replicaset-controller: ", "statefulset: ", "statefulset-controller: ",
	"deployment: ", "deployment-controller: ", "daemonset: ", "daemonset-controller: ",
	"job: ", "job-controller: ",
}

func cutLoggerName[T string | []byte](text T) T {
	if len(text) == 0 || text[0] < 'a' || text[0] > 't' {
		return text
	}
	for _, n := range &loggerNames {
		if len(text) > len(n) && string(text[:len(n)]) == n {
			return text[len(n):]
		}
	}
	return text
}
