package html

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// pageMost is the largest page, in bytes: ticket systems and mail refuse attachments of 7 MB, encoded or together with others.
const pageMost = 6_500_000

// budget is how much a page shows before it says what it leaves out. Parts in bytes are estimates of what they add.
type budget struct {
	limit    int // bytes: of the whole page
	parts    int // incidents with a part of their own; the others have a row in their group's table
	full     int // of them those with all remedies and commands, a chart and a drawing; one of each group comes first
	members  int // rows of the groups' tables
	rows     int // bytes: observations that concern incidents
	others   int // bytes: the other observations
	quotes   int // bytes: evidence
	inputs   int // bytes: files
	problems int // bytes
	items    int // findings, questions, alerts, and what was not collected: of each
	text     int // longest text, in bytes; 0 for any
}

// few is how many incidents one failure of a node has; oneMost and fewMost are what any ticket takes, in bytes.
const (
	few     = 25
	oneMost = 300_000
	fewMost = 490_000
)

// budgetOf is the budget of a report. Ordinary hand-overs, which need no action, get together what one incident gets.
func budgetOf(r *model.Report) budget {
	n := len(r.Incidents)
	if n <= 1 || r.Verdict.Status != model.StatusHandover {
		return budgetFor(n)
	}
	b := budgetFor(1)
	b.parts, b.members = min(n, few), n
	return b
}

// budgetFor is the budget of a report with so many incidents.
func budgetFor(incidents int) budget {
	if incidents <= 1 {
		return budget{limit: oneMost, parts: 1, full: 1, members: 1,
			rows: 70_000, others: 18_000, quotes: 75_000, inputs: 14_000, problems: 12_000, items: 300}
	}
	if incidents <= few {
		return budget{limit: fewMost, parts: few, full: 4, members: few,
			rows: 150_000, others: 35_000, quotes: 190_000, inputs: 45_000, problems: 50_000, items: 200}
	}
	return budget{limit: pageMost, parts: 100, full: 12, members: 4000,
		rows: 900_000, others: 150_000, quotes: 1_000_000, inputs: 200_000, problems: 150_000, items: 500}
}

// lean is how little of what is folded a page has at least, in bytes, before it leaves out anything else.
const lean = 30_000

// less is the budget to try when a page became too large: it leaves out what is folded, and then of everything half.
func (b budget) less() budget {
	if b.rows+b.others+b.quotes+b.inputs+b.problems <= lean {
		return b.half()
	}
	b.rows, b.others, b.quotes, b.inputs, b.problems = b.rows*2/3, b.others/2, b.quotes*2/3, b.inputs/2, b.problems/2
	return b
}

// shortest is the length below which no text is cut, in bytes.
const shortest = 64

// half is the budget to try when a page became too large, because its names and texts are longer than usual.
func (b budget) half() budget {
	if b.text == 0 {
		b.text = 1 << 17
	}
	return budget{b.limit, b.parts / 2, b.full / 2, b.members / 2, b.rows / 2, b.others / 2, b.quotes / 2, b.inputs / 2, b.problems / 2,
		b.items / 2, max(b.text/2, shortest)}
}

// least reports that nothing is left to leave out.
func (b budget) least() bool {
	return b.parts+b.members+b.rows+b.quotes+b.items == 0 && b.text == shortest
}

// cut is a text as long as the budget allows, with what it lost.
func (b budget) cut(s string) string {
	if b.text == 0 || len(s) <= b.text {
		return s
	}
	return s[:b.text] + "… (" + words.Bytes(int64(len(s)-b.text)) + " left out)"
}

// scripts are the parts of the page's script, in the order in which they stand in it. They share one scope.
var scripts = []string{"dom", "zone", "reveal", "tip", "rows", "filter", "chart", "copy", "keys", "start"}

// pageParts are the style and the script that stand in the page itself. The page is complete without the script.
func pageParts() (css, script string, err error) {
	var style, code strings.Builder
	for _, name := range []string{"style.css", "advice.css", "chart.css", "tools.css"} {
		text, err := htmlFiles.ReadFile("page/" + name)
		if err != nil {
			return "", "", err
		}
		style.Write(text)
	}
	code.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		text, err := htmlFiles.ReadFile("page/script/" + name + ".js")
		if err != nil {
			return "", "", err
		}
		condense(&code, string(text))
	}
	code.WriteString("})();\n")
	return style.String(), code.String(), nil
}

// condense writes a script without indentation, empty lines and the comments that have a line of their own: each page carries it.
func condense(w *strings.Builder, script string) {
	for line := range strings.Lines(script) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			w.WriteString(line + "\n")
		}
	}
}

// policy lets nothing be fetched or sent, and applies only this style and script: a name that got through as markup does nothing.
func policy(css, script string) string {
	text := "default-src 'none'; style-src " + hashSource(css)
	if script != "" {
		text += "; script-src " + hashSource(script)
	}
	return text + "; base-uri 'none'; form-action 'none'"
}

// hashSource is how a policy names an inline element by its content (CSP 2, section 4.2).
func hashSource(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
