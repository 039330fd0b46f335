package logfile

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/model"
)

var update = flag.Bool("update", false, "rewrite the want sections of the cases")

// TestCases reads each log of testdata and compares everything that it tells. A case is a txtar archive: what happened,
// the log, and what is wanted.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 || a.Files[1].Name != "want" {
				t.Fatal("a case has a log and a section called want")
			}
			got := render(Read(strings.NewReader(string(a.Files[0].Data)), a.Files[0].Name, Hint{}))
			if *update {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(a.Files[1].Data); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// render writes a result as lines: the input, its problems, and a line for each statement.
func render(r Result) string {
	var b strings.Builder
	in := r.Input
	fmt.Fprintf(&b, "%s, %d of %d records used", in.Kind, in.Used, in.Records)
	if in.Floating {
		b.WriteString(", floating")
	}
	if in.ZoneOffset != nil {
		fmt.Fprintf(&b, ", header is UTC+%v", *in.ZoneOffset)
	}
	b.WriteByte('\n')
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s: %s\n", p.Severity, p.Message)
	}
	for _, o := range r.Observations {
		fmt.Fprintf(&b, "%3d %s", o.Source.Line, o.At.At.Format("2006-01-02 15:04:05.000000"))
		if o.At.Earliest != o.At.Latest {
			fmt.Fprintf(&b, " (-%v +%v)", o.At.At.Sub(o.At.Earliest), o.At.Latest.Sub(o.At.At))
		}
		fmt.Fprintf(&b, " %s", o.Kind)
		if o.Count > 1 {
			fmt.Fprintf(&b, " x%d in %v", o.Count, o.Last.At.Sub(o.At.At))
		}
		b.WriteString(fields(o) + "\n")
	}
	return b.String()
}

// fields are the set fields of an observation that name things.
func fields(o model.Observation) string {
	var out string
	for _, f := range []struct {
		name  string
		value any
	}{
		{"component", o.Component}, {"node", o.Node}, {"holders", o.Holders}, {"pod", o.Pod}, {"pods", o.Pods}, {"volume", o.Volume},
		{"attachment", o.Attachment},
		{"variant", o.Variant}, {"access", o.Access}, {"claim", o.Claim}, {"owner", o.Owner}, {"object", o.Object}, {"detail", o.Detail},
	} {
		var s string
		switch v := f.value.(type) {
		case string:
			s = v
		case model.Ref:
			if s = v.String(); v.UID != "" {
				s += ":" + v.UID
			}
		case model.VolumeID:
			if s = v.PersistentVolume; v.Driver != "" {
				s += " " + v.Driver + "^" + v.Handle
			} else if v.UniqueName+v.Handle != "" {
				s += " " + v.UniqueName + v.Handle
			}
		default:
			data, _ := json.Marshal(v)
			if s = string(data); s == "null" || s == `""` {
				s = ""
			}
		}
		if s = strings.TrimSpace(s); s != "" && f.name != "component" {
			out += "; " + f.name + " " + s
		} else if s != "" {
			out += " by " + s
		}
	}
	return out
}
