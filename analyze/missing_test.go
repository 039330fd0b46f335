package analyze_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// logOf finds the component whose log a sentence says to be missing; what qualifies it, such as its earlier part, is another thing.
var logOf = regexp.MustCompile(`\b(kube-controller-manager|external-attacher|audit|kubelet)(?:'s)? log\b(.{0,24})`)

// qualified are the words after "log" by which a sentence asks for more of a log that may be there.
var qualified = regexp.MustCompile(`^(?:s? of that time| from | at | that | or version)`)

// TestMissingSourcesAreMissing: a report never says of a log that it is missing which an input holds over the beginning of the wait.
func TestMissingSourcesAreMissing(t *testing.T) {
	for _, c := range cases(t) {
		r := c.report(t)
		for _, i := range r.Incidents {
			for _, text := range saidMissing(i) {
				if strings.Contains(text, "does not say") || strings.Contains(text, "neither ") {
					continue // it is there
				}
				for _, m := range logOf.FindAllStringSubmatch(text, -1) {
					if qualified.MatchString(m[2]) || m[1] == "kubelet" && !strings.Contains(text, i.From.Node) {
						continue
					}
					if in := holding(r, m[1], i); in != "" {
						t.Errorf("%s: %q, and %s holds it", c.name, text, in)
					}
				}
			}
		}
	}
}

// saidMissing are the sentences of an incident about what the bundle lacks.
func saidMissing(i model.Incident) []string {
	var out []string
	for _, k := range i.Causes {
		out = append(out, k.Missing...)
	}
	if i.Model != nil && strings.Contains(i.Model.Withheld, "would tell") {
		out = append(out, i.Model.Withheld)
	}
	return out
}

// holding names an input with a log of a component that covers the beginning of a wait; of a kubelet, of the old node's.
func holding(r *model.Report, component string, i model.Incident) string {
	began := i.MultiAttach.Began
	for _, in := range r.Bundle.Inputs {
		own := in.Component == component || component == "audit" && strings.Contains(string(in.Kind), "audit")
		if component == "kubelet" && !strings.Contains(in.Path, i.From.Node) || !own || in.From == nil || in.To == nil {
			continue
		}
		if !in.From.After(began.Earliest) && !in.To.Before(began.Latest) {
			return in.Path
		}
	}
	return ""
}
