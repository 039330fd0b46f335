package statement_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/statement"
	"github.com/volpost/volpost/model"
)

// Each case is what objects say: input.yaml, and want with one line for each statement.
func TestStatements(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var input, want string
			for _, f := range archive.Files {
				switch f.Name {
				case "input.yaml":
					input = string(f.Data)
				case "want":
					want = string(f.Data)
				}
			}
			if got := statements(t, input); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func statements(t *testing.T, input string) string {
	var out strings.Builder
	res := manifest.Read([]byte(input), "input.yaml", func(r manifest.Record) {
		for _, o := range statement.Of(&r, "input.yaml") {
			fmt.Fprintf(&out, "%s %s", o.Kind, span(o.At))
			if o.Last.At != o.At.At || o.Count != 1 {
				fmt.Fprintf(&out, " x%d until %s", o.Count, span(o.Last))
			}
			if o.Node != "" {
				fmt.Fprintf(&out, " node=%s", o.Node)
			}
			if o.Volume != (model.VolumeID{}) {
				fmt.Fprintf(&out, " volume=%s%s", o.Volume.PersistentVolume, o.Volume.UniqueName)
			}
			if o.Detail != "" {
				fmt.Fprintf(&out, " (%s)", o.Detail)
			}
			fmt.Fprintf(&out, " %d:%s\n", o.Source.Line, o.Source.Field)
			checkQuote(t, input, o)
		}
	})
	for _, p := range res.Problems {
		fmt.Fprintf(&out, "problem %d %s\n", p.Line, p.Message)
	}
	return out.String()
}

// checkQuote proves that the quote stands where the source says.
func checkQuote(t *testing.T, input string, o model.Observation) {
	lines := strings.SplitAfter(input, "\n")
	if o.Source.Line < 1 || o.Source.Line > len(lines) {
		t.Errorf("%s: line %d", o.Kind, o.Source.Line)
		return
	}
	// A setting in a text on one line, such as minified JSON, is quoted without the rest of the line.
	within := strings.HasPrefix(o.Source.Field, "data.") && strings.Contains(lines[o.Source.Line-1], o.Quote.Text)
	if rest := strings.Join(lines[o.Source.Line-1:], ""); !strings.HasPrefix(rest, o.Quote.Text) && !within || o.Quote.Text == "" {
		t.Errorf("%s: quote %q is not at line %d", o.Kind, o.Quote.Text, o.Source.Line)
	}
}

// span is a moment as its best estimate, with its width and basis where they matter.
func span(m model.Moment) string {
	if m.IsZero() {
		return "at-collection"
	}
	s := m.At.Format("15:04:05.999999")
	if w := m.Latest.Sub(m.Earliest); w > 0 {
		s += "+" + w.Round(time.Millisecond).String()
	}
	if m.Basis != model.Observed {
		s += " " + string(m.Basis)
	}
	return s
}
