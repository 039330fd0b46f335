package docs

import (
	"strings"
	"testing"
)

// A section is what stands below its own heading, whole, with its headings one level up.
func TestSection(t *testing.T) {
	for id, want := range map[string][2]string{
		"node-down":            {"## Symptom\nA node stops reporting.", "(1.13–1.36)"},
		"pod-not-starting":     {"## What it says\nThe pod has a node", "1.13–1.36"},
		"out-of-service-taint": {"## What it does\n", "GA in 1.28"},
	} {
		text := Section(id)
		if !strings.Contains(text, "\n## References\n") || !strings.HasPrefix(text, want[0]) || !strings.HasSuffix(text, want[1]) || strings.Contains(text, "### ") || strings.Contains(text, "**") {
			t.Errorf("%s: %s", id, text)
		}
	}
	if text := Section("node"); text != "" {
		t.Errorf("of no cause: %s", text)
	}
}
