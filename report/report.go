// Package report renders a model.Report. It concludes nothing: what a reader sees is what the report says, in one of the
// formats that Formats lists. Its door is Write.
//
// Equal reports give equal bytes. Every text of a report can come from a hostile bundle: names are shown with their
// control and direction characters spelled out, and each format escapes what its syntax gives a meaning to.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/html"
	"github.com/volpost/volpost/report/internal/jsonout"
	"github.com/volpost/volpost/report/internal/markdown"
	"github.com/volpost/volpost/report/internal/readback"
	"github.com/volpost/volpost/report/internal/tables"
	"github.com/volpost/volpost/report/internal/text"
	"github.com/volpost/volpost/report/internal/view"
)

// Format is one of the outputs.
type Format struct {
	Name      string // as the user asks for it, such as html
	Extension string // of a file that holds it, with the dot
	Doc       string // one line for the help

	write  func(io.Writer, *model.Report) error                         // of a format for machines, whose times are UTC
	zoned  func(io.Writer, *model.Report, *time.Location) error         // of a format for people, instead; nil is UTC
	screen func(io.Writer, *model.Report, Screen, *time.Location) error // of a format that has an answer alone for a terminal
}

// Zoned says that the format takes the option Zone.
func (f Format) Zoned() bool { return f.zoned != nil }

// formats lists the outputs in the order of the help.
var formats = []Format{
	{Name: "text", Extension: ".txt", Doc: "verdict, waterfall and causes in 80 columns", zoned: text.Write, screen: text.WriteScreen},
	{Name: "html", Extension: ".html", Doc: "one self-contained page with the evidence, for a ticket", zoned: html.Write},
	{Name: "md", Extension: ".md", Doc: "a post-mortem for a ticket, in GitHub's Markdown", zoned: markdown.Write},
	{Name: "jira", Extension: ".jira", Doc: "the same post-mortem in Jira's wiki markup", zoned: markdown.Jira},
	{Name: "json", Extension: ".json", Doc: "the whole result, schema " + model.SchemaVersion, write: jsonout.Value[model.Report]},
	{Name: "csv", Extension: ".csv", Doc: "the timeline as a table, for a spreadsheet or Timesketch", zoned: tables.CSV},
	{Name: "jsonl", Extension: ".jsonl", Doc: "the timeline as JSON lines, for Timesketch or jq", write: tables.JSONL},
	{Name: "dot", Extension: ".dot", Doc: "the object graph as Graphviz source", zoned: drawing.WriteDOT},
	{Name: "svg", Extension: ".svg", Doc: "the object graph as a picture", zoned: drawing.WriteSVG},
}

// Formats returns the outputs in the order of the help.
func Formats() []Format { return slices.Clone(formats) }

// HTMLMark stands near the beginning of every page. It distinguishes the pages of volpost from all other files.
const HTMLMark = html.Mark

// Options are what a reader chooses.
type Options struct {
	// Screen asks of the text for the answer alone, on one screen of a terminal; nil for all of it.
	Screen *Screen
	Zone   *time.Location // of all times, in the formats for people; nil for UTC
}

// Screen is a terminal on which the answer has to fit.
type Screen = text.Screen

// Write renders r in the named format. An unknown name is an error that lists the known ones; others are w's or Graphviz's.
func Write(w io.Writer, format string, r *model.Report) error {
	return WriteWith(w, format, r, Options{})
}

// WriteWith is Write with options. A format ignores those that it does not take.
func WriteWith(w io.Writer, format string, r *model.Report, o Options) error {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == format })
	if i < 0 {
		return unknown(format, view.Each(formats, func(f Format) string { return f.Name }))
	}
	if f := formats[i]; o.Screen != nil && f.screen != nil {
		return f.screen(w, r, *o.Screen, o.Zone)
	} else if f.zoned != nil {
		return f.zoned(w, r, o.Zone)
	} else {
		return f.write(w, r)
	}
}

func unknown(format string, known []string) error {
	return fmt.Errorf("unknown format %q: one of %s", format, strings.Join(known, ", "))
}

// MaxBytes is the largest JSON report that Read takes. Two thousand incidents take 400 MB.
const MaxBytes = readback.MaxBytes

// Beginning is how much of a file IsReport wants to see, unless the file is shorter.
const Beginning = readback.Beginning

// ReadError says why something is no report, and where.
type ReadError = readback.Error

// Read reads a report that Write has written as json: it keeps the schema, or a *ReadError says where not, and no string in it is trusted.
func Read(r io.Reader) (*model.Report, error) { return readback.Read(r) }

// ReadFleet reads of a JSON report what a fleet needs.
func ReadFleet(data []byte) (*model.FleetReport, error) { return readback.Fleet(data) }

// IsReport distinguishes a JSON report by its beginning from a bundle, which can be JSON, too.
func IsReport(beginning []byte) bool { return readback.IsReport(beginning) }
