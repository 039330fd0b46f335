package tables

import (
	"io"
	"strings"
	"time"

	"github.com/volpost/volpost/report/internal/jsonout"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// event is an item of the timeline as Timesketch takes it: it wants the first three fields and sorts by the fourth. A column is a field.
type event struct {
	Message       string `json:"message"`
	DateTime      string `json:"datetime"`
	TimestampDesc string `json:"timestamp_desc"`
	Timestamp     int64  `json:"timestamp"`
	Earliest      string `json:"earliest"`
	Latest        string `json:"latest"`
	Basis         string `json:"basis"`
	Kind          string `json:"kind"`
	Lane          string `json:"lane"`
	Incidents     string `json:"incidents"` // identifiers, separated by blanks
	Objects       string `json:"objects"`   // kind/namespace/name, separated by blanks
	Place         string `json:"place"`     // of the first quote: file:line, or file and field
	Evidence      string `json:"evidence"`  // identifiers, separated by blanks
	Quote         string `json:"quote"`     // the first, verbatim but for what cannot be seen
	Bundle        string `json:"bundle"`
}

// isoTime is ISO 8601 with the offset as digits: older versions of Timesketch do not read a Z.
const isoTime = "2006-01-02T15:04:05.000000-07:00"

func eventOf(v *view.View, item model.TimelineItem) event {
	e := event{
		Message:       words.OneLine(item.Text),
		DateTime:      isoText(item.At.At),
		TimestampDesc: view.LaneText(view.Lane(item)) + ": " + string(item.Kind) + " (" + string(item.At.Basis) + ")",
		Timestamp:     micros(item.At.At),
		Earliest:      isoText(item.At.Earliest),
		Latest:        isoText(item.At.Latest),
		Basis:         string(item.At.Basis),
		Kind:          string(item.Kind),
		Lane:          view.Lane(item),
		Incidents:     strings.Join(item.Incidents, " "),
		Evidence:      strings.Join(item.Evidence, " "),
		Bundle:        words.OneLine(v.Bundle.Root),
	}
	e.Objects = strings.Join(view.Each(item.About, func(r model.Ref) string { return words.OneLine(r.Key()) }), " ")
	if cited := v.Cited(item.Evidence); len(cited) > 0 {
		quote := v.Evidence[v.EvidenceAt[cited[0]]]
		e.Place, e.Quote = view.Place(quote.Source), words.OneLine(quote.Text)
	}
	return e
}

// isoText is an instant as far as it is known: without a year as the log has it, and without a date as a distance.
func isoText(t time.Time) string {
	switch model.MissingOf(t) {
	case model.NoDate:
		return view.ClockAt(t)
	case model.NoYear:
		return t.UTC().Format(view.NoYear + ".000000")
	}
	return t.Format(isoTime)
}

// micros counts microseconds since 1970, or since T where nothing is dated.
func micros(t time.Time) int64 {
	if model.MissingOf(t) == model.NoDate {
		return t.Sub(model.T).Microseconds()
	}
	return t.UnixMicro()
}

// JSONL writes the timeline as one JSON object in each line.
func JSONL(w io.Writer, r *model.Report) error {
	v := view.New(r)
	for _, item := range v.Timeline {
		if err := jsonout.Line(w, eventOf(v, item)); err != nil {
			return err
		}
	}
	return nil
}
