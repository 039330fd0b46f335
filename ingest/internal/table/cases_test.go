package table

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/model"
)

var update = flag.Bool("update", false, "rewrite the wanted statements of testdata")

// TestCases reads each pasted text and compares everything that it says. A near miss wants nothing of what its twin says.
func TestCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) < 30 {
		t.Fatalf("%d cases (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			arc, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(arc.Files) != 2 || arc.Files[0].Name != "text" || arc.Files[1].Name != "want" || len(arc.Comment) == 0 {
				t.Fatal("a case is a comment, text and want")
			}
			res := Read(bytes.NewReader(arc.Files[0].Data), "paste.txt", Hint{Prose: strings.HasPrefix(filepath.Base(file), "prose-")})
			got := told(res)
			quotesStand(t, arc.Files[0].Data, res)
			if *update {
				arc.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(arc), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(arc.Files[1].Data); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if in := res.Input; in.Used+in.Skipped != in.Records || in.Bytes != int64(len(arc.Files[0].Data)) {
				t.Errorf("does not add up: %+v", in)
			}
			if Sniff(arc.Files[0].Data, Hint{Path: "paste.txt"}) != (len(res.Observations) > 0) {
				t.Error("recognised otherwise than read")
			}
		})
	}
}

// told renders what a text says: a line for each statement with all its fields, and one that accounts for the records.
func told(res Result) string {
	var out strings.Builder
	for _, o := range res.Observations {
		fmt.Fprintf(&out, "%d %s", o.Source.Line, o.Kind)
		for _, f := range []struct{ name, value string }{
			{"pv", o.Volume.PersistentVolume}, {"unique", o.Volume.UniqueName}, {"variant", string(o.Variant)},
			{"object", key(o.Object)}, {"pod", key(o.Pod)}, {"node", o.Node}, {"holders", strings.Join(o.Holders, ",")}, {"pods", keys(o.Pods)},
			{"claim", key(o.Claim)}, {"owner", key(o.Owner)}, {"attachment", o.Attachment}, {"attacher", o.Attacher},
			{"access", strings.Join(o.Access, ",")},
			{"by", o.Component}, {"at", moment(o.At)}, {"age", age(o.Age)}, {"detail", o.Detail},
		} {
			if f.value != "" {
				fmt.Fprintf(&out, " %s=%s", f.name, f.value)
			}
		}
		if o.AllNamespaces {
			out.WriteString(" all-namespaces=true")
		}
		if o.Count != 1 {
			fmt.Fprintf(&out, " count=%d last=%s lastAge=%s", o.Count, moment(o.Last), age(o.LastAge))
		}
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "%s: %d records, %d used\n", res.Input.Kind, res.Input.Records, res.Input.Used)
	for _, p := range res.Problems {
		fmt.Fprintf(&out, "%s: %s\n", p.Severity, p.Message)
	}
	return out.String()
}

func key(r model.Ref) string {
	if r == (model.Ref{}) {
		return ""
	}
	if r.UID != "" {
		return r.Key() + "@" + r.UID
	}
	return r.Key()
}

func keys(refs []model.Ref) string {
	var out []string
	for _, r := range refs {
		out = append(out, key(r))
	}
	return strings.Join(out, ",")
}

func age(r *model.Range) string {
	if r == nil {
		return ""
	}
	return fmt.Sprintf("%g..%gs", r.Min, r.Max)
}

func moment(m model.Moment) string {
	if m.IsZero() {
		return ""
	}
	const layout = "2006-01-02T15:04:05.999999Z"
	if m.Basis != model.Observed {
		return m.Earliest.Format(layout) + ".." + m.Latest.Format(layout)
	}
	return m.At.Format(layout)
}

// quotesStand checks that each quote stands in the text at its line.
func quotesStand(t *testing.T, text []byte, res Result) {
	t.Helper()
	lines := strings.SplitAfter(string(text), "\n")
	for _, o := range res.Observations {
		if o.Source.Kind != model.SourceText || o.Source.Line < 1 || o.Source.Line > len(lines) || o.Quote.Text == "" {
			t.Errorf("%s: no place: %+v %q", o.Kind, o.Source, o.Quote.Text)
			continue
		}
		if !strings.HasPrefix(strings.Join(lines[o.Source.Line-1:], ""), o.Quote.Text) {
			t.Errorf("%s: line %d does not begin with %q", o.Kind, o.Source.Line, o.Quote.Text)
		}
	}
}
