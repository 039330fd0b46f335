package report

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// riskLabels are the classes of the risk for the data, from the least on, in words.
var riskLabels = []label{{"none", "none"}, {"none-once-proven", "none once proven"}, {"possible", "possible"}, {"certain", "certain"}}

// riskName is what the risk for the data is called, before its class.
const riskName = "data risk: "

// riskOf is a remedy's risk for the data. A report of an earlier version says only how safe it is.
func riskOf(r model.Remediation) string {
	if r.DataRisk != "" {
		return r.DataRisk
	}
	switch r.Safety.State {
	case "safe":
		return "none"
	case "unsafe":
		return "possible"
	}
	return "none-once-proven"
}

// riskClass is the place of a risk among the classes; what is not known comes last.
func riskClass(r model.Remediation) int {
	if n := slices.IndexFunc(riskLabels, func(l label) bool { return l.id == riskOf(r) }); n >= 0 {
		return n
	}
	return len(riskLabels)
}

// Risk is the risk for the data in a word or three.
func (r remedyView) Risk() string { return find(riskLabels, words.OneLine(riskOf(r.Remediation))) }

// RiskMark is how a page marks the risk: as good, as to be proven, or as bad.
func (r remedyView) RiskMark() string {
	switch riskOf(r.Remediation) {
	case "none":
		return "safe"
	case "none-once-proven":
		return "not-proven"
	}
	return "unsafe"
}

// riskText is the risk with what has to be proven first, or what is known to be otherwise.
func (r remedyView) riskText() string {
	var needs []string
	for _, n := range r.Proof {
		needs = append(needs, words.OneLine(needText(n)))
	}
	if len(needs) == 0 && riskOf(r.Remediation) != "none" {
		needs = []string{noProof}
	}
	return strings.Join(append([]string{r.Risk()}, needs...), ": ")
}

// SideText is what the remedy does besides, with its name; empty when it does nothing else.
func (r remedyView) SideText() string {
	var texts []string
	for _, s := range r.SideEffects {
		texts = append(texts, words.OneLine(s))
	}
	switch len(texts) {
	case 0:
		return ""
	case 1:
		return "side effect: " + texts[0]
	}
	return "side effects: " + strings.Join(texts, "; ")
}

// weighedLines are the risk with what has to be proven first, and the side effects; in one line where nothing has to be proven.
func (r remedyView) weighedLines() []string {
	if riskOf(r.Remediation) == "none" {
		return []string{r.weighed()}
	}
	lines := []string{riskName + r.riskText()}
	if text := r.SideText(); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// weighed are the risk in short and the side effects, in one sentence without its end.
func (r remedyView) weighed() string {
	text := riskName + r.Risk()
	if side := r.SideText(); side != "" {
		text += "; " + side
	}
	return text
}
