package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/strictjson"
)

// excerpt is a part of a report that is decoded by itself: a report with some elements of one list, or with all but the lists
// that have pieces of their own.
type excerpt struct {
	before, after string // around the bytes
	bytes         []byte
	place         func(offset int) int // of a byte of before+bytes+after in the whole
}

// decode decodes a report that has passed checkForm. Reflection takes most of the time, so the long lists are decoded by
// all processors, a megabyte at a time.
func decode(data []byte, members []strictjson.Member) (*model.Report, error) {
	pieces := divide(data, members)
	parts := make([]model.Report, len(pieces))
	errs := make([]error, len(pieces))
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pieces)) {
		working.Go(func() {
			var text []byte
			for i := int(next.Add(1)) - 1; i < len(pieces); i = int(next.Add(1)) - 1 {
				p := pieces[i]
				text = append(append(append(text[:0], p.before...), p.bytes...), p.after...)
				errs[i] = json.Unmarshal(text, &parts[i])
			}
		})
	}
	working.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, unread(kindLine(data, pieces[i], err), hintAgain, "is no report that can be rendered: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	return join(parts), nil
}

// kindLine is the line that an error of encoding/json names; 0 when it names none.
func kindLine(data []byte, p excerpt, err error) int {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return 0
	}
	return lineAt(data, p.place(int(kind.Offset)))
}

// divide cuts a report into pieces: the long lists at their cuts, and first what is left without them.
func divide(data []byte, members []strictjson.Member) []excerpt {
	var long []strictjson.Member
	var pieces []excerpt
	for _, m := range members {
		if len(m.Cuts) < 2 || m.Name != "incidents" && m.Name != "timeline" && m.Name != "evidence" {
			continue
		}
		long = append(long, m)
		for i, start := range m.Cuts {
			end := m.End - 1 // without the bracket
			if i+1 < len(m.Cuts) {
				end = m.Cuts[i+1]
			}
			before := `{"` + m.Name + `":[`
			pieces = append(pieces, excerpt{before, "]}", bytes.TrimRight(data[start:end], ", \t\r\n"),
				func(offset int) int { return start + offset - len(before) }})
		}
	}
	return append([]excerpt{without(data, long)}, pieces...)
}

// without is a report with lists left empty.
func without(data []byte, lists []strictjson.Member) excerpt {
	if len(lists) == 0 {
		return excerpt{bytes: data, place: func(offset int) int { return offset }}
	}
	var rest []byte
	from := 0
	for _, m := range lists {
		rest = append(append(rest, data[from:m.Start]...), "[]"...)
		from = m.End
	}
	rest = append(rest, data[from:]...)
	return excerpt{bytes: rest, place: func(offset int) int {
		for _, m := range lists {
			if offset > m.Start {
				offset += m.End - m.Start - len("[]")
			}
		}
		return offset
	}}
}

// join puts together what divide has cut.
func join(parts []model.Report) *model.Report {
	whole := &parts[0]
	var incidents, timeline, evidence int
	for _, p := range parts {
		incidents, timeline, evidence = incidents+len(p.Incidents), timeline+len(p.Timeline), evidence+len(p.Evidence)
	}
	if len(parts) == 1 {
		return whole
	}
	out := *whole
	out.Incidents, out.Timeline, out.Evidence = make([]model.Incident, 0, incidents), make([]model.TimelineItem, 0, timeline), make([]model.Evidence, 0, evidence)
	for i := range parts {
		out.Incidents = append(out.Incidents, parts[i].Incidents...)
		out.Timeline = append(out.Timeline, parts[i].Timeline...)
		out.Evidence = append(out.Evidence, parts[i].Evidence...)
		parts[i] = model.Report{} // the pieces are not needed beside the whole
	}
	return &out
}
