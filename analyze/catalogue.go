package analyze

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/check"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Entry is what volpost knows of a cause, a check or a remedy, for people.
type Entry struct {
	ID, Title string
	Kind      string // of a check its usual severity, of a remedy reactive or preventive
	Doc       string // Markdown
}

// Causes are all causes, in the order of their declaration.
func Causes() []Entry {
	out := make([]Entry, 0, len(cause.All()))
	for _, c := range cause.All() {
		doc := sections("Symptom", c.Doc.Symptom, "Mechanism", c.Doc.Mechanism, "Decided by", c.Doc.DecidedBy,
			"Refuted by", c.Doc.RefutedBy, "What helped", c.Doc.WhatHelped)
		out = append(out, Entry{ID: c.ID, Title: c.Title, Doc: page(doc, c.Doc.References)})
	}
	return out
}

// Checks are all checks, in the order of their declaration.
func Checks() []Entry {
	out := make([]Entry, 0, len(check.All()))
	for _, c := range check.All() {
		doc := sections("What it says", lines(c.Means), "Decided by", lines(c.DecidedBy), "Left alone", lines(c.LeftAlone),
			"What to do", c.Remedy)
		var needs []string
		for _, n := range c.Needs {
			needs = append(needs, fmt.Sprintf("- %s (`%s`)", n.What, n.Command))
		}
		doc += sections("Needs", strings.Join(needs, "\n"))
		out = append(out, Entry{ID: c.ID, Title: c.Title, Kind: c.Severity, Doc: page(doc, c.References)})
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
		phases := []string{}
		for _, p := range r.Phases {
			phases = append(phases, string(p))
		}
		acts, side := strings.Join(phases, ", "), "None."
		if acts == "" {
			acts = "None: it shortens no phase."
		}
		if list := r.SideEffects(nil); len(list) > 0 {
			side = words.Capital(strings.Join(list, "; ")) + "."
		}
		doc := sections("What it does", lines(r.Doc.Does), "What it does not", lines(r.Doc.DoesNot), "Risk", lines(r.Doc.Risk),
			"Data risk", lines(r.DataRisk()), "Side effects", lines(side), "Phases", lines(acts), "Kubernetes", lines(r.Kubernetes),
			"Comes after", strings.Join(r.After, ", "))
		out = append(out, Entry{ID: r.ID, Title: r.Title, Kind: kind, Doc: page(doc, r.Doc.References)})
	}
	return out
}

// sections are headings, each followed by its text; one without text is left out.
func sections(parts ...string) string {
	var b strings.Builder
	for i := 0; i < len(parts); i += 2 {
		if parts[i+1] != "" {
			b.WriteString("## " + parts[i] + "\n" + parts[i+1] + "\n\n")
		}
	}
	return b.String()
}

// page ends a text with its references, if it has any.
func page(doc string, references []string) string {
	doc += words.If(len(references) > 0, "## References\n- "+strings.Join(references, "\n- "))
	return strings.TrimRight(doc, "\n") + "\n"
}

// docWidth is the longest line of a text, in bytes.
const docWidth = 118

// lines breaks a text between its words.
func lines(text string) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		switch {
		case used == 0:
		case used+1+len(word) > docWidth:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += len(word)
	}
	return b.String()
}
