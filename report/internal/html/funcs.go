package html

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// htmlFuncs are the few words that the templates need.
var htmlFuncs = template.FuncMap{
	"anchor": view.Anchor, "collection": view.Collection, "timeOfDay": view.TimeOfDay,
	"dateTime": view.DateAt, "span": view.Span, "count": counted, "line": words.OneLine, "refs": view.Refs, "bytes": words.Bytes,
	"paint": paint, "reasons": view.ByReason, "need": view.NeedText, "upper": words.Capital,
	"instruction": view.InstructionOf, "inspected": view.Inspected, "inspectionCounts": view.InspectionCounts,

	"percent":   func(share float64) string { return fmt.Sprintf("%.2f%%", share*100) },
	"add1":      func(i int) int { return i + 1 },
	"thousands": func(n int) string { return words.Number(n) },
	"listOf":    func(p *htmlPage, name string, list any) pageList { return pageList{p, name, list} },
	"remediesOf": func(name string, in htmlIncident, list []view.RemedyView) remedyList {
		return remedyList{name, in, list}
	},
	"blocks": func(r view.RemedyView) []view.StepBlock { return view.StepsOf(r.Steps) },

	"command": kept, "soft": soft,

	"alternatives": func() string { return view.Alternatives },
	"noProof":      func() string { return view.NoProof },
}

// kept is a command whose words with a hyphen are not broken at it while they fit into a line: --force stays --force.
func kept(command string) template.HTML {
	var b strings.Builder
	for i, word := range strings.Split(command, " ") {
		text := template.HTMLEscapeString(word)
		if strings.Contains(word, "-") && !strings.Contains(word, "\n") {
			text = "<em>" + text + "</em>"
		}
		b.WriteString(words.If(i > 0, " ") + text)
	}
	return template.HTML(b.String())
}

// soft is a text of which names that no line holds may be broken where one reads them as several words, before they are broken anywhere.
func soft(text string) template.HTML {
	return template.HTML(longName.ReplaceAllStringFunc(template.HTMLEscapeString(text), func(name string) string {
		return seam.ReplaceAllString(name, "$1$3<wbr>$2$4")
	}))
}

// longName is longer than the names of the recommended alerts, for which a line of a phone has room.
var longName = regexp.MustCompile(`\S{31,}`)

// seam is within a long word: before a capital, and behind a sign that joins. Behind a hyphen every browser breaks by itself.
var seam = regexp.MustCompile(`([a-z0-9]{3})([A-Z][a-z])|([a-z0-9]{2}[._/])([a-z0-9]{3})`)

// pageList is a list with its name, for a template that asks the page about its elements.
type pageList struct {
	Page *htmlPage
	Name string
	List any
}

// numberedFinding is a finding with its number in the report, from 1.
type numberedFinding struct {
	Page   *htmlPage
	Number int
	model.Finding
}

// remedyList are remedies that share a table.
type remedyList struct {
	Name string // of the table, for who hears it
	In   htmlIncident
	List []view.RemedyView
}
