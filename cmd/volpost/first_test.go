package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// firstNumbered is the first remedy of an incident's list in the text.
var firstNumbered = regexp.MustCompile(`(?m)^    1  ([a-z-]+): `)

// TestFirstOptionEverywhere: of samples in turns, of all with the build tag long, the list of remedies, a sum over reports and a replay that is asked for have the first option of
// the advice, with its seconds. Every other form for people is looked at by TestAnswers.
func TestFirstOptionEverywhere(t *testing.T) {
	t.Parallel()
	for _, s := range recordings.Sweep(samples.List()) {
		_, r := ofSample(t, s.Name)
		n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
		if n < 0 || r.Incidents[n].Advice == nil || len(r.Incidents) > 1 {
			continue
		}
		a := r.Incidents[n].Advice
		file := filepath.Join(t.TempDir(), "r.json")
		text := volpost("analyze", samplePrefix+s.Name, "-o", "text", "-o", "json="+file).stdout
		sum := volpost("fleet", file).stdout
		better, prevent, _ := strings.Cut(sum, "WHAT PREVENTS")
		for k, o := range slices.Concat(a.Better[:min(1, len(a.Better))], a.Prevent[:min(1, len(a.Prevent))]) {
			in := prevent
			if k == 0 && len(a.Better) > 0 {
				in = better
			}
			row := regexp.MustCompile(`(?m)^  ` + regexp.QuoteMeta(o.Remedy) + ` +1 .*$`).FindString(in)
			if row == "" || o.Saved != nil && o.Saved.Best >= 0.5 && !strings.Contains(row, words.Seconds(o.Saved.Best)) {
				t.Errorf("%s: fleet says of %s: %q", s.Name, o.Remedy, row)
			}
		}
		if len(a.Better) == 0 || a.Better[0].Remedy == "fence-node" || a.Better[0].At.At.Before(r.Incidents[n].Span.From.At) {
			// Powering off takes the taint after it, two remedies; and what caused an incident came before it.
			continue
		}
		o := a.Better[0]
		if m := firstNumbered.FindStringSubmatch(text); m == nil || m[1] != o.Remedy {
			t.Errorf("%s: the list begins with %q, and the advice with %s", s.Name, m, o.Remedy)
		}
		var w struct {
			Answer struct{ SavedSeconds *model.Range }
		}
		at := o.Remedy + "@" + o.At.At.Format("2006-01-02T15:04:05.999999Z07:00")
		if err := json.Unmarshal([]byte(volpost("whatif", samplePrefix+s.Name, "--apply", at, "-o", "json").stdout), &w); err != nil {
			t.Fatal(err)
		}
		if got := w.Answer.SavedSeconds; got == nil || math.Abs(got.Best-o.Saved.Best) > 1 {
			t.Errorf("%s: whatif %s saves %s, and the advice says %.1f s", s.Name, at, fmt.Sprint(got), o.Saved.Best)
		}
	}
}
