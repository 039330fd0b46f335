package report

import (
	"fmt"
	"html/template"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// htmlFuncs are the few words that the templates need.
var htmlFuncs = template.FuncMap{
	"anchor": anchor, "place": place, "instant": instant, "collection": collection, "timeOfDay": timeOfDay, "dateTime": dateAt, "span": span,
	"count": counted, "line": words.OneLine, "refs": refs, "bytes": bytesText, "paint": paint, "reasons": byReason, "need": needText,
	"status":    func(s model.Status) string { return find(statusLabels, string(s)) },
	"upper":     words.Capital,
	"percent":   func(share float64) string { return fmt.Sprintf("%.2f%%", share*100) },
	"add1":      func(i int) int { return i + 1 },
	"thousands": func(n int) string { return number(int64(n)) },
	"claimsOf":  func(p *htmlPage, name string, list []claim) claimList { return claimList{p, name, list} },
	"factsOf":   func(p *htmlPage, list []fact) factList { return factList{p, list} },
	"chartOf":   func(c *chart, p *htmlPage) pagedChart { return pagedChart{c, p} },
	"rowsOf":    func(p *htmlPage, rows []timelineRow, title string) rowList { return rowList{p, rows, title} },

	"remediesOf":  func(name string, in htmlIncident, list []remedyView) remedyList { return remedyList{name, in, list} },
	"onPaper":     func() int { return onPaper },
	"findingOf":   func(p *htmlPage, n int) numberedFinding { return numberedFinding{p, n + 1, p.Found[n]} },
	"instruction": instructionOf,
	"blocks":      func(r remedyView) []stepBlock { return stepBlocks(stepsOf(r)) },

	"alternatives": func() string { return alternatives },
	"noProof":      func() string { return noProof },

	"inspected":        inspected,
	"inspectionCounts": inspectionCounts,
}

// claimList is what the claims template sees.
type claimList struct {
	Page *htmlPage
	Name string
	List []claim
}

// rowList is what the rows template sees.
type rowList struct {
	Page  *htmlPage
	Rows  []timelineRow
	Title string
}

// pagedChart is what the chart template sees.
type pagedChart struct {
	*chart
	Page *htmlPage
}

// factList is what the facts template sees.
type factList struct {
	Page *htmlPage
	List []fact
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
	List []remedyView
}
