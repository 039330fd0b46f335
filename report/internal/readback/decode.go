package readback

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

// lists are judged and decoded in pieces: of them the schema says what their elements have to be, and nothing else.
var lists = []string{"groups", "incidents", "findings", "alerts", "timeline", "evidence"}

// excerpt is a part of a report that is judged and decoded by itself: some elements of one list, or all but these.
type excerpt struct {
	list          string // whose elements these are; empty for all but such elements
	index         int    // of the first element
	before, after string // around the bytes
	bytes         []byte
	place         func(offset int) int // of a byte of before+bytes+after in the whole
}

// decode decodes a report that has passed checkForm. All is judged first: the trees that the library wants are gone then.
func decode(data []byte, members []strictjson.Member) (*model.Report, error) {
	pieces := divide(data, members)
	if err := judgeAll(data, pieces); err != nil {
		return nil, err
	}
	parts, errs := make([]model.Report, len(pieces)), make([]error, len(pieces))
	each(pieces, func(i int, text []byte) { errs[i] = json.Unmarshal(text, &parts[i]) })
	for i, err := range errs {
		if err != nil {
			return nil, unread(kindLine(data, pieces[i], err), hintAgain, "is no report that can be rendered: %s",
				strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	return join(parts), nil
}

// each calls use with the text of each piece, by all processors. The text is gone when use returns.
func each(pieces []excerpt, use func(i int, text []byte)) {
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pieces)) {
		working.Go(func() {
			var text []byte
			for i := int(next.Add(1)) - 1; i < len(pieces); i = int(next.Add(1)) - 1 {
				text = append(append(append(text[:0], pieces[i].before...), pieces[i].bytes...), pieces[i].after...)
				use(i, text)
			}
		})
	}
	working.Wait()
}

// kindLine is the line that an error of encoding/json names; 0 when it names none.
func kindLine(data []byte, p excerpt, err error) int {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return 0
	}
	return lineAt(data, p.place(int(kind.Offset)))
}

// divide cuts a report into pieces: the lists at their cuts, and first what is left without their elements.
func divide(data []byte, members []strictjson.Member) []excerpt {
	var cut []strictjson.Member
	var pieces []excerpt
	for _, m := range members {
		if len(m.Cuts) == 0 {
			continue
		}
		cut = append(cut, m)
		for i, c := range m.Cuts {
			end := m.End - 1 // without the bracket
			if i+1 < len(m.Cuts) {
				end = m.Cuts[i+1].Offset
			}
			before := `{"` + m.Name + `":[`
			pieces = append(pieces, excerpt{list: m.Name, index: c.Index, before: before, after: "]}",
				bytes: bytes.TrimRight(data[c.Offset:end], ", \t\r\n"),
				place: func(offset int) int { return c.Offset + offset - len(before) }})
		}
	}
	return append([]excerpt{without(data, cut)}, pieces...)
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
	if len(parts) == 1 {
		return whole
	}
	out := *whole
	out.Groups = joined(parts, func(r *model.Report) *[]model.Group { return &r.Groups })
	out.Incidents = joined(parts, func(r *model.Report) *[]model.Incident { return &r.Incidents })
	out.Findings = joined(parts, func(r *model.Report) *[]model.Finding { return &r.Findings })
	out.Alerts = joined(parts, func(r *model.Report) *[]model.Alert { return &r.Alerts })
	out.Timeline = joined(parts, func(r *model.Report) *[]model.TimelineItem { return &r.Timeline })
	out.Evidence = joined(parts, func(r *model.Report) *[]model.Evidence { return &r.Evidence })
	return &out
}

// joined is one list out of all parts, which are not needed beside it.
func joined[T any](parts []model.Report, list func(*model.Report) *[]T) []T {
	n := 0
	for i := range parts {
		n += len(*list(&parts[i]))
	}
	all := make([]T, 0, n)
	for i := range parts {
		l := list(&parts[i])
		all = append(all, *l...)
		*l = nil
	}
	return all
}
