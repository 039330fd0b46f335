package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

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
	Path   string     `json:"path"`            // inside the bundle, with slashes; archive members as archive!member
	Line   int        `json:"line,omitempty"`  // first line of the quote, counted from 1; 0 when unknown
	Field  string     `json:"field,omitempty"` // JSON path inside a manifest, such as status.conditions[3].lastTransitionTime
	Series string     `json:"series,omitempty"`
}

// MaxQuote is the length in bytes up to which a quote is kept. Controller lines with a dumped volume reach hundreds of
// kilobytes; the beginning names the event and the hash proves the rest.
const MaxQuote = 2048

// Quote is verbatim text of a source. A text longer than MaxQuote keeps its beginning; SHA256 is of the whole.
type Quote struct {
	Text      string
	Truncated bool
	SHA256    string // hex, of the whole record as Mask leaves it
}

// NewQuote quotes a record without the secrets in it, cutting it at a rune boundary when it is longer than MaxQuote. The
// hash, too, is of the record as Mask leaves it: that of a line with a password would tell whoever guesses the password.
func NewQuote(record string) Quote {
	record = Mask(record)
	sum := sha256.Sum256([]byte(record))
	q := Quote{Text: record, SHA256: hex.EncodeToString(sum[:])}
	if len(record) > MaxQuote {
		end := MaxQuote
		for end > MaxQuote-utf8.UTFMax && !utf8.RuneStart(record[end]) {
			end--
		}
		// A part of Masked would be taken for text of the source.
		if n := strings.LastIndex(record[:min(len(record), end+len(Masked)-1)], Masked); n >= 0 && n < end && n+len(Masked) > end {
			end = n
		}
		// The copy lets go of the long record.
		q.Text, q.Truncated = string([]byte(record[:end])), true
	}
	return q
}

// Evidence is a quote with its place and the identifier by which the report's claims refer to it.
type Evidence struct {
	ID        string `json:"id"`
	Source    Source `json:"source"`
	Text      string `json:"text"`
	Truncated bool   `json:"truncated,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
}
