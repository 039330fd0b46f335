package analyze

import (
	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Entry is a cause, a check or a remedy that volpost knows. The pages in docs have a section for each, below its ID.
type Entry struct {
	ID, Title string
	Kind      string // of a check its usual severity, of a remedy reactive or preventive
}

// Causes are all causes, in the order of their declaration.
func Causes() []Entry {
	return facts.Each(cause.All(), func(c cause.Cause) Entry { return Entry{c.ID, c.Title, ""} })
}

// Checks are all checks, in the order of their declaration.
func Checks() []Entry {
	return facts.Each(check.All(), func(c check.Check) Entry { return Entry{c.ID, c.Title, c.Severity} })
}

// Remedies are all remedies, in the order of their declaration.
func Remedies() []Entry {
	return facts.Each(remedy.All(), func(r remedy.Remedy) Entry {
		return Entry{r.ID, r.Title, words.If(r.Preventive, model.Preventive) + words.If(!r.Preventive, model.Reactive)}
	})
}
