package audit

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// FuzzRead reads anything: every record is accounted for, every statement has its place, and looking at the bytes first
// changes nothing of what an API server can have written.
func FuzzRead(f *testing.F) {
	for i, c := range cases {
		f.Add(c.log)
		f.Add(forms[i%len(forms)].form(c.log))
	}
	f.Add("[[[[{\"items\":[{\"hits\":{\"hits\":[\"")
	f.Add(`{"log":"{\"log\":\"{\\\"log\\\":\\\"{\\\\\\\"kind\\\\\\\":\\\\\\\"Event\\\\\\\"}\\\"}\"}"}`)
	f.Fuzz(func(t *testing.T, log string) {
		if len(log) > 1<<16 {
			return
		}
		Sniff([]byte(log))
		res := Read(strings.NewReader(log), "x")
		in := res.Input
		if in.Bytes != int64(len(log)) || in.Used+in.Skipped != in.Records || in.Used < 0 || in.Skipped < 0 {
			t.Errorf("%+v of %d bytes", in, len(log))
		}
		if (in.From == nil) != (in.To == nil) || in.From != nil && in.To.Before(*in.From) {
			t.Errorf("covers %v to %v", in.From, in.To)
		}
		lines := strings.Split(log, "\n")
		for _, o := range res.Observations {
			if o.Kind == "" || o.Object.Name == "" || o.Count < 1 || o.At.IsZero() || o.At.Latest.Before(o.At.Earliest) ||
				o.Last.At.Before(o.At.At) || o.Source.Kind != model.SourceAudit {
				t.Errorf("%+v", o)
			}
			first, _, _ := strings.Cut(o.Quote.Text, "\n")
			if o.Source.Line < 1 || o.Source.Line > len(lines) || o.Quote.Text == "" || !holds(lines[o.Source.Line-1], first) {
				t.Errorf("quote %q is not on line %d", first, o.Source.Line)
			}
		}
	})
}
