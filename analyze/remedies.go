package analyze

import (
	"strings"

	"github.com/volpost/volpost/analyze/remedy"
)

// RemedyDoc is what volpost knows of a remedy, for people.
type RemedyDoc struct {
	ID, Title, Kind string // Kind is reactive or preventive
	Doc             string // Markdown
}

// Remedies are all remedies, in the order of their declaration.
func Remedies() []RemedyDoc {
	out := make([]RemedyDoc, 0, len(remedy.All))
	for _, r := range remedy.All {
		kind := "reactive"
		if r.Preventive {
			kind = "preventive"
		}
		out = append(out, RemedyDoc{ID: r.ID, Title: r.Title, Kind: kind, Doc: remedyMarkdown(r)})
	}
	return out
}

func remedyMarkdown(r remedy.Remedy) string {
	var phases []string
	for _, p := range r.Phases {
		phases = append(phases, string(p))
	}
	acts := "None: it shortens no phase."
	if len(phases) > 0 {
		acts = strings.Join(phases, ", ")
	}
	side := "None."
	if list := r.SideEffects(nil); len(list) > 0 {
		side = strings.ToUpper(list[0][:1]) + strings.Join(list, "; ")[1:] + "."
	}
	var b strings.Builder
	for _, s := range []struct{ title, text string }{
		{"What it does", r.Doc.Does}, {"What it does not", r.Doc.DoesNot}, {"Risk", r.Doc.Risk}, {"Data risk", r.DataRisk()}, {"Side effects", side}, {"Phases", acts},
		{"Kubernetes", r.Kubernetes}, {"Comes after", strings.Join(r.After, ", ")},
	} {
		if s.text != "" {
			b.WriteString("## " + s.title + "\n" + lines(s.text) + "\n\n")
		}
	}
	b.WriteString("## References\n- " + strings.Join(r.Doc.References, "\n- ") + "\n")
	return b.String()
}

// docWidth is the longest line of a remedy's text, in bytes.
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
