// Package manifest reads Kubernetes objects out of YAML and JSON as kubectl, oc and the collectors write it: single objects, lists, typed
// lists whose items have no kind, items before kind, documents with or without separator, several JSON values, bare arrays, truncated files.
//
// Objects are recognised by what they hold; a file's name decides only when nothing else does. Each record keeps its own
// bytes, so that the line of any of its fields can be cited later. Parsing is bounded against alias bombs and depth.
//
// It does not say what an object means; package statement does.
package manifest

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/volpost/volpost/model"
)

// Limits are those that a caller may move; zero values mean the defaults.
type Limits struct {
	Depth int // of mappings and lists in one another
	Nodes int // values that a document may expand to through its aliases
	// Objects bounds a file of many tiny objects, each of which costs some kilobytes once decoded.
	Objects int
	// Full, unless nil, says that no more objects of a kind can be kept: they are counted and not decoded.
	Full func(kind string) bool
	// Prepare, unless nil, is called for each record before found, by several goroutines. Citing is cheap then. It may set Prepared.
	Prepare func(*Record)
	// Stored, unless nil, is called with how many bytes the texts in a store take in memory, by several goroutines.
	Stored func(bytes int)
}

// The defaults. Real objects stay below a depth of 40 and 100,000 nodes; an alias bomb makes a billion of a thousand bytes.
const (
	MaxDepth = 200
	MaxNodes = 4_000_000
	// MaxObjects is above what a list of a large cluster holds.
	MaxObjects = 250_000
)

// Bounds of what is parsed. etcd refuses objects above 1.5 MiB, so that nothing real comes near MaxObject.
const (
	MaxObject = 16 << 20 // bytes of one object, or of one document that cannot be cut into its objects
	// maxShared bounds a list that uses anchors or flow style: its items cannot be parsed apart.
	maxShared = 1 << 20
	// maxMarks bounds the commas, brackets and lines of an object: the parser makes a node of some hundred bytes for each.
	maxMarks = 300_000
	// maxProblems bounds what one broken file adds to the report.
	maxProblems = 20
)

// Record is one object of a file.
type Record struct {
	Kind            string // Pod, Node, …: a kind of model.Snapshot, or Event
	Ref             model.Ref
	ResourceVersion uint64 // 0 when absent or not a number
	Line            int    // the object's first line in the file, from 1
	Length          int    // of its text in the file, in bytes
	Value           any    // *corev1.Pod, …; *Event; *model.ClusterVersion; *Configuration
	Prepared        any    // what Limits.Prepare has made of it

	kind    *kind
	content any // the value as it is kept
	cite    *citer
	store   *textStore
}

// CiteBytes is about how many bytes of memory a record takes for its citations, without the texts that Limits.Stored describes.
const CiteBytes = 96 + 16

// Cite finds a field's line and verbatim text; see model.Object.
func (r Record) Cite(field string) (line int, text string, ok bool) { return r.cite.find(field) }

// List is a list that a file holds completely: what is not in it did not exist.
type List struct {
	Kind string
	// Namespaces of the items. Without items it is empty, and the place of the file has to say which namespace was asked.
	Namespaces []string
}

// Result is what a file holds.
type Result struct {
	Lists    []List
	Audit    bool // it holds audit.k8s.io events
	Total    int  // objects seen
	Used     int  // of these, those found; the others are of other kinds or could not be decoded
	Problems []model.Problem
}

type reader struct {
	decoder
	path       string
	found      func(Record)
	memory     *scratch
	seen       []List             // of which kinds and namespaces the records of the current list are
	noted      map[model.Ref]bool // kinds and namespaces of these
	result     Result
	suppressed int
	truncated  bool // an object's text broke off, and so did what followed it
	fullAt     int  // line of the first object past the limit; 0 while there is none
}

// Read calls found for each object, in the order of the file. Citing is cheap while found runs; later it parses a copy of the text.
func Read(data []byte, path string, found func(Record)) Result {
	return Limits{}.Read(data, path, found)
}

// Read reads within limits; see the function.
func (l Limits) Read(data []byte, path string, found func(Record)) Result {
	r := l.reader(path, found)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if looksJSON(data) {
		r.json(data, 1)
	} else {
		for d := range documents(data) {
			r.document(d)
		}
	}
	return r.close()
}

func (l Limits) reader(path string, found func(Record)) *reader {
	l.Depth, l.Nodes, l.Objects = orDefault(l.Depth, MaxDepth), orDefault(l.Nodes, MaxNodes), orDefault(l.Objects, MaxObjects)
	return &reader{decoder: decoder{limits: l, hint: KindByName(path)}, path: path, found: found, memory: scratches.Get().(*scratch),
		noted: map[model.Ref]bool{}}
}

func orDefault(limit, usual int) int { return cmp.Or(max(limit, 0), usual) }

func (r *reader) close() Result {
	scratches.Put(r.memory)
	if r.truncated {
		r.result.Lists = nil
	}
	if r.suppressed > 0 {
		r.add(problem{model.Warning, 0, fmt.Sprintf("%d more objects of this file could not be read", r.suppressed)})
	}
	if r.fullAt > 0 {
		r.add(problem{model.Warning, r.fullAt,
			fmt.Sprintf("the file holds more than %d objects; from here on they are not read", r.limits.Objects)})
	}
	return r.result
}

func (r *reader) problem(s model.Severity, line int, format string, args ...any) {
	r.report(problem{s, line, fmt.Sprintf(format, args...)})
}

func (r *reader) report(p problem) {
	if len(r.result.Problems) >= maxProblems {
		r.suppressed++
		return
	}
	r.add(p)
}

func (r *reader) add(p problem) {
	r.result.Problems = append(r.result.Problems, model.Problem{Severity: p.severity, Path: r.path, Line: p.line, Message: p.message})
}

func looksJSON(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// More bounds.
const (
	maxDuration       = 100 * 366 * 24 * 3600 // 100 years, in seconds
	maxCanonicalDepth = 60                    // deeper than any field of Kubernetes, and below the limits of the full parser
	maxKey            = 128                   // the length from which emitters write a key in another form
	packBytes         = 48                    // what a packed value takes beside its text
	storeBytes        = 16 << 10              // from what length on a store is closed. What is requested costs unpacking all of it
	maxKeys           = 100                   // bounds the keys at the margin of a document; a Secret has its keys below data
	maxTruncated      = 256 << 10             // bounds the text that is parsed again, without its end
)
