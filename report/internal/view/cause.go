package view

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// causeView is a cause with its claims resolved.
type causeView struct {
	model.Cause
	Title, Anchor            string
	Explained                string
	ForClaims, AgainstClaims []Claim
	MissingClaims            []Claim
}

// LongestWait marks the operand that is the answer to why the volume was not detached.
const LongestWait = "what it waited for longest"

// operandView is one operand of the decision to detach.
type operandView struct {
	model.Operand
	Anchor, Question, Answer string
	When                     string // since and until, "" when neither is known
	Cites                    []string
}

func newCauseView(v *View, in *IncidentView, index int) causeView {
	c := in.Causes[index]
	out := causeView{Cause: c, Title: CauseLabel(c), Anchor: in.anchorFor("cause", c.ID)}
	out.Explained = "the incident"
	if c.Explains != "incident" {
		out.Explained = "phase " + c.Explains
	}
	out.ForClaims, out.AgainstClaims, out.MissingClaims = v.claims(c.For), v.claims(c.Against), v.claims(c.Missing)
	return out
}

// CauseLabel is the heading of a cause.
func CauseLabel(c model.Cause) string { return cmp.Or(words.OneLine(c.Label), Find(causeLabels, c.ID)) }

func newOperandView(v *View, in *IncidentView, o model.Operand) operandView {
	out := operandView{Operand: o, Anchor: in.anchorFor("operand", o.Operand)}
	out.Question, out.Answer = Find(operandLabels, o.Operand), Find(truthLabels, string(o.Value))
	var since, until []string
	if o.Since != nil {
		out.When, since = "since "+bounds(*o.Since)+" ("+string(o.Since.Basis)+")", o.Since.Evidence
	}
	if o.Until != nil {
		word := " until "
		if o.Value == model.False && o.Since == nil {
			word = "not until " // it became true then
		}
		out.When = strings.TrimSpace(out.When + word + bounds(*o.Until) + " (" + string(o.Until.Basis) + ")")
		until = o.Until.Evidence
	}
	out.Cites = v.Cited(o.Evidence, since, until)
	return out
}
