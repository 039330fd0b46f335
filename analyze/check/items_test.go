package check

import (
	"slices"
	"testing"
)

// TestInspectionAsksEveryCheck: each check answers a question, and each question has its own name.
func TestInspectionAsksEveryCheck(t *testing.T) {
	seen, asked := map[string]bool{}, slices.Concat(each(items, func(i item) []string { return i.checks })...)
	for _, id := range asked {
		if !slices.ContainsFunc(all, func(c Check) bool { return c.ID == id }) {
			t.Errorf("a question asks the check %q, which does not exist", id)
		}
	}
	for _, c := range all {
		if !slices.Contains(asked, c.ID) {
			t.Errorf("no question of items.go asks the check %s", c.ID)
		}
	}
	for _, i := range items {
		if seen[i.id] {
			t.Errorf("two questions are called %s", i.id)
		}
		seen[i.id] = true
	}
}
