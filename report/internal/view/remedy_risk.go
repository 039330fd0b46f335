package view

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// riskLabels are the classes of the risk for the data, from the least on, in words.
var riskLabels = []Label{
	{model.RiskNone, "none"}, {model.RiskOnceProven, "none if verified"}, {model.RiskPossible, "possible"}, {model.RiskCertain, "certain"},
}

// RiskName is what the risk for the data is called, before its class.
const RiskName = "data risk: "

// riskClass is the place of a risk among the classes; what is not known comes last.
func riskClass(r model.Remediation) int {
	if n := slices.IndexFunc(riskLabels, func(l Label) bool { return l.ID() == r.DataRisk }); n >= 0 {
		return n
	}
	return len(riskLabels)
}

// Risk is the risk for the data in a word or three.
func (r RemedyView) Risk() string { return RiskText(r.Remediation) }

// RiskText is the same of a remedy as the report has it.
func RiskText(r model.Remediation) string { return Find(riskLabels, words.OneLine(r.DataRisk)) }

// RiskMark is how a page marks the risk: as good, as to be proven, or as bad.
func (r RemedyView) RiskMark() string {
	switch r.DataRisk {
	case model.RiskNone:
		return "safe"
	case model.RiskOnceProven:
		return "not-proven"
	}
	return "unsafe"
}

// riskText is the risk with what has to be proven first, or what is known to be otherwise.
func (r RemedyView) riskText() string {
	needs := Each(r.Proof, func(n model.Need) string { return words.OneLine(NeedText(n)) })
	if len(needs) == 0 && r.DataRisk != model.RiskNone {
		needs = []string{NoProof}
	}
	return strings.Join(append([]string{r.Risk()}, needs...), ": ")
}

// SideText is what the remedy does besides, with its name; empty when it does nothing else.
func (r RemedyView) SideText() string {
	if len(r.SideEffects) == 0 {
		return ""
	}
	return "side effect" + words.If(len(r.SideEffects) > 1, "s") + ": " + sideEffects(r)
}

// WeighedLines are the risk with what has to be proven first, and the side effects; in one line where nothing has to be proven.
func (r RemedyView) WeighedLines() []string {
	if r.DataRisk == model.RiskNone {
		return []string{r.Weighed()}
	}
	lines := []string{RiskName + r.riskText()}
	if text := r.SideText(); text != "" {
		lines = append(lines, text)
	}
	return lines
}

// Weighed are the risk in short and the side effects, in one sentence without its end.
func (r RemedyView) Weighed() string {
	text := RiskName + r.Risk()
	if side := r.SideText(); side != "" {
		text += "; " + side
	}
	return text
}

// NoProof stands where a report gives a remedy a risk and names no condition.
const NoProof = "the report does not say what rules it out"
