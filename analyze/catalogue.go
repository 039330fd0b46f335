package analyze

import (
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
)

// Entry is a cause, a check or a remedy that volpost knows. The pages in docs have a section for each, below its ID.
type Entry struct {
	ID, Title string
	Kind      string // of a check its usual severity, of a remedy reactive or preventive
}

// Causes are all causes, in the order of their declaration.
func Causes() []Entry {
	out := make([]Entry, 0, len(cause.All()))
	for _, c := range cause.All() {
		out = append(out, Entry{c.ID, c.Title, ""})
	}
	return out
}

// Checks are all checks, in the order of their declaration.
func Checks() []Entry {
	out := make([]Entry, 0, len(check.All()))
	for _, c := range check.All() {
		out = append(out, Entry{c.ID, c.Title, c.Severity})
	}
	return out
}

// Remedies are all remedies, in the order of their declaration.
func Remedies() []Entry {
	out := make([]Entry, 0, len(remedy.All()))
	for _, r := range remedy.All() {
		kind := model.Reactive
		if r.Preventive {
			kind = model.Preventive
		}
		out = append(out, Entry{r.ID, r.Title, kind})
	}
	return out
}
