package model

// SourceKind says how a source knows what it says.
type SourceKind string

// The kinds of source. A manifest is the state when it was collected, an event is deduplicated and rounded to a second,
// a log is the account of one process, a metric is sampled, text was pasted by a person.
const (
	SourceManifest SourceKind = "manifest"
	SourceEvent    SourceKind = "event"
	SourceLog      SourceKind = "log"
	SourceAudit    SourceKind = "audit"
	SourceMetric   SourceKind = "metric"
	SourceText     SourceKind = "text"
)

// Source is where a statement stands in the bundle.
type Source struct {
	Kind   SourceKind `json:"kind"`
	Path   string     `json:"path" text:"path"`             // inside the bundle, with slashes; archive members as archive!member
	Line   int        `json:"line,omitempty"`               // first line of the quote, counted from 1; 0 when unknown
	Field  string     `json:"field,omitempty" text:"quote"` // JSON path inside a manifest, such as status.conditions[3].lastTransitionTime
	Series string     `json:"series,omitempty" text:"quote"`
}

// MaxQuote is the length in bytes up to which a quote is kept. Controller lines with a dumped volume reach hundreds of kilobytes.
const MaxQuote = 2048

// Quote is verbatim text of a source. A text longer than MaxQuote keeps its beginning; SHA256 is of the whole.
type Quote struct {
	Text      string
	Truncated bool
	SHA256    string // hex, of the whole record, with its secrets masked
}

// Evidence is a quote with its place and the identifier by which the report's claims refer to it.
type Evidence struct {
	ID        string `json:"id"`
	Source    Source `json:"source"`
	Text      string `json:"text" text:"quote"`
	Truncated bool   `json:"truncated,omitempty"`
	SHA256    string `json:"sha256,omitempty" text:"name"`
}
