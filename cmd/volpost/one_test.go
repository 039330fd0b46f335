package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
)

// TestOneLengthAndOneName: in every output the incident of the headline has one length, its span, and each phase one name, that of the JSON
// report. What is information about the set-up is nothing to look at beside it, and beliefs are one line.
func TestOneLengthAndOneName(t *testing.T) {
	t.Parallel()
	for _, s := range samples.List() {
		_, r := ofSample(t, s.Name)
		for _, format := range []string{"text", "md", "html"} {
			var b bytes.Buffer
			if err := report.Write(&b, format, r); err != nil {
				t.Fatal(err)
			}
			out := strings.Join(strings.Fields(b.String()), " ")
			for _, other := range []string{"loss noticed", "pods evicted", "new pod made", "new pod placed", "unmount timer", "Multi-Attach lasted",
				"this belief is wrong, so do not wait"} {
				if strings.Contains(out, other) && !(format == "html" && strings.HasPrefix(other, "this belief")) {
					t.Errorf("%s as %s says %q", s.Name, format, other)
				}
			}
			oneStory(t, s.Name+" as "+format, out, r)
		}
	}
}

// alsoLine is what a page and a terminal name beside the answer.
var alsoLine = regexp.MustCompile(`class="also">Also: .*?</p>`)

func oneStory(t *testing.T, what, out string, r *model.Report) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Severity == string(model.Info) && strings.Contains(alsoLine.FindString(out), f.Title) {
			t.Errorf("%s names beside the answer what is for information: %s", what, f.Title)
		}
	}
	i := slices.IndexFunc(r.Incidents, func(in model.Incident) bool { return in.ID == r.Verdict.Incident })
	if i < 0 || r.Verdict.Status == model.StatusFault {
		return
	}
	in := r.Incidents[i]
	length := words.Seconds(in.Span.Seconds.Best)
	if !strings.Contains(r.Verdict.Headline, length) || !regexp.MustCompile(`(RESOLVED|STILL BLOCKED|HAND-OVER|VOLUME MOVED) · `+
		regexp.QuoteMeta(length)).MatchString(out) {
		t.Errorf("%s: the incident lasted %s, the headline says %s", what, length, r.Verdict.Headline)
	}
	for _, p := range in.Phases {
		if len(in.Phases) > 1 && !strings.Contains(out, string(p.ID)) {
			t.Errorf("%s does not name the phase %s", what, p.ID)
		}
	}
}
