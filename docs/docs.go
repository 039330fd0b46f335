// Package docs holds the pages of which volpost explain prints a section: what is said of a cause, a check or a remedy is written there, and
// nowhere else.
package docs

import (
	_ "embed"
	"strings"
)

var (
	//go:embed causes.md
	causes string
	//go:embed checks.md
	checks string
	//go:embed remedies.md
	remedies string
)

// Section is what the pages say of a cause, a check or a remedy, below its title; "" of an ID that none of them has.
func Section(id string) string {
	for _, page := range []string{causes, checks, remedies} {
		if _, section, found := strings.Cut(page, "\n## "+id+"\n"); found {
			section, _, _ = strings.Cut(section, "\n## ")
			_, text, _ := strings.Cut(section, "\n### ")
			return "## " + strings.TrimSpace(strings.ReplaceAll(text, "\n### ", "\n## "))
		}
	}
	return ""
}
