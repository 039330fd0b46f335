package logfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// excerpts are the public excerpts whose transport is a hard one, and what of their labels no log line of them tells.
var excerpts = []struct {
	dir  string
	lack string // labels that are in no line of a log, or in none that says anything of attachments
}{
	{"021", ""}, {"030", ""}, {"034", ""}, {"036", ""}, {"039", ""}, {"052", ""}, {"055", ""}, {"057", ""}, {"058", ""}, {"063", ""},
	{"066", ""}, {"073", ""}, {"076", ""}, {"087", ""}, {"088", ""}, {"011", ""},
	{"075", "time"},                          // the one statement is cut off
	{"081", "volume"},                        // in a table of mounts
	{"085", "time"},                          // of the resizer's first line, a call of the driver
	{"015", "volume old_node new_node time"}, // prose about events
}

type labels struct {
	Expected struct {
		Volume     *string `json:"volume"`
		UniqueName *string `json:"unique_name"`
		OldNode    *string `json:"old_node"`
		NewNode    *string `json:"new_node"`
		FirstSeen  *string `json:"first_seen"`
	} `json:"expected"`
	Identifiable map[string]bool `json:"identifiable"`
}

// Whatever transport an excerpt came in, what its labels call identifiable is in the statements.
func TestPublicExcerpts(t *testing.T) {
	const public = "../../../../shared/incidents/public/"
	if _, err := os.Stat(public); err != nil {
		t.Skip("the public incidents are not beside the repository")
	}
	for _, x := range excerpts {
		t.Run(x.dir, func(t *testing.T) {
			dirs, _ := filepath.Glob(public + x.dir + "-*")
			if len(dirs) != 1 {
				t.Fatalf("%d directories", len(dirs))
			}
			data, err := os.ReadFile(dirs[0] + "/meta.json")
			if err != nil {
				t.Fatal(err)
			}
			var l labels
			if err := json.Unmarshal(data, &l); err != nil {
				t.Fatal(err)
			}
			obs := observationsIn(t, dirs[0])
			for _, f := range []struct {
				name, lack string
				want       *string
				found      func(o model.Observation, want string) bool
			}{
				{"volume", "volume", l.Expected.Volume, func(o model.Observation, want string) bool {
					return strings.Contains(fmt.Sprint(o.Volume, o.Detail), want)
				}},
				{"old_node", "old_node", l.Expected.OldNode, names},
				{"new_node", "new_node", l.Expected.NewNode, names},
				{"absolute_time", "time", l.Expected.FirstSeen, seenAt},
			} {
				if f.want == nil || !l.Identifiable[f.name] {
					continue
				}
				got := false
				for _, o := range obs {
					got = got || f.found(o, *f.want)
				}
				if got == strings.Contains(x.lack, f.lack) {
					t.Errorf("%s %s: found is %v", f.name, *f.want, got)
				}
			}
		})
	}
}

func observationsIn(t *testing.T, dir string) []model.Observation {
	files, _ := filepath.Glob(dir + "/*")
	var out []model.Observation
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := Sniff(data); ok && filepath.Base(file) != "meta.json" {
			out = append(out, Read(bytes.NewReader(data), filepath.Base(file), Hint{}).Observations...)
		}
	}
	return out
}

func names(o model.Observation, node string) bool {
	return o.Node == node || strings.Contains(strings.Join(o.Holders, " "), node) || strings.Contains(o.Detail, node)
}

// seenAt tells whether a statement is of that time, give or take a second; the label may lack the year, as the log does.
func seenAt(o model.Observation, want string) bool {
	if at, err := time.Parse(time.RFC3339Nano, want); err == nil {
		return o.At.At.Sub(at).Abs() <= time.Second
	}
	at, err := time.Parse("01-02T15:04:05.999999999", want)
	at = at.AddDate(o.At.At.Year(), 0, 0)
	return err == nil && o.At.At.Sub(at).Abs() <= time.Second
}
