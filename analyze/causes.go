package analyze

import (
	"strings"

	"github.com/volpost/volpost/analyze/cause"
)

// CauseDoc is what volpost knows of a cause, for people.
type CauseDoc struct {
	ID, Title string
	Doc       string // Markdown
}

// Causes are all causes, in the order of their declaration.
func Causes() []CauseDoc {
	out := make([]CauseDoc, 0, len(cause.All))
	for _, c := range cause.All {
		out = append(out, CauseDoc{ID: c.ID, Title: c.Title, Doc: markdown(c)})
	}
	return out
}

func markdown(c cause.Cause) string {
	var b strings.Builder
	for _, s := range []struct{ title, text string }{
		{"Symptom", c.Doc.Symptom}, {"Mechanism", c.Doc.Mechanism}, {"Decided by", c.Doc.DecidedBy},
		{"Refuted by", c.Doc.RefutedBy}, {"What helped", c.Doc.WhatHelped},
	} {
		b.WriteString("## " + s.title + "\n" + s.text + "\n\n")
	}
	if len(c.Doc.References) > 0 {
		b.WriteString("## References\n- " + strings.Join(c.Doc.References, "\n- ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
