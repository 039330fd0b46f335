package view

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Todo is one thing to do, or to have done.
type Todo struct {
	Text    string
	Command string   // can be pasted into a shell; "" where no command does it
	Answers []string // of a command that decides: what each of its answers means
}

// addSteps takes the steps of the first option of the advice, and what is to be looked at first. A hand-over has none, and the verdict its own
// where there is no incident.
func (v *View) addSteps(a *Answer) {
	if a.Incident == nil {
		return
	}
	if a.Advice = a.Incident.Advice(); a.Advice == nil {
		return
	}
	a.Advice.Open = a.Open
	if first := a.Advice.First(); first != nil {
		a.Prove, a.Act, a.After = StepsOf(first.Steps)
	}
	if a.Open {
		v.lookFirst(a)
	}
	if a.Open && v.endUnknown(*a) {
		a.Advice.Head = "What to do now, if it still waits"
	} else if a.Open && v.Verdict.Status == model.StatusFault && a.Advice.First() == nil { // the wait is over, and its pod is down
		a.Advice.Head = "What to do now, if it is still down"
	}
	a.Tense = a.Advice.Head
}

// NoCommand says why nothing can be run, where the incident is open and no step has a command.
func (a Answer) NoCommand() string {
	if !a.Open || slices.ContainsFunc(slices.Concat(a.Prove, a.Act, a.After), func(s Todo) bool { return s.Command != "" }) {
		return ""
	}
	if a.Incident == nil {
		return ""
	}
	if len(a.Act) > 0 {
		return "No command is given: a name that it needs is not known."
	}
	return "No command is given: no remedy is known to end this wait now. The report says of each why."
}

// lookFirst puts the commands that decide what the bundle does not before the option's own; one that has the same does not repeat them.
func (v *View) lookFirst(a *Answer) {
	looks := v.looks()
	asked := func(s Todo) bool {
		return s.Command != "" && slices.ContainsFunc(looks, func(l Todo) bool { return l.Command == s.Command })
	}
	a.Prove = append(looks, slices.DeleteFunc(slices.Clone(a.Prove), asked)...)
}

// looks are the commands whose answers decide what the bundle does not.
func (v *View) looks() []Todo {
	var out []Todo
	for _, n := range v.Next() {
		answers := Each(n.Answers, func(a model.NextAnswer) string { return words.OneLine(a.If) + ": " + words.OneLine(a.Then) })
		out = append(out, Todo{Text: "see " + words.OneLine(n.Decides), Command: words.OneLine(n.Command), Answers: answers})
	}
	return out
}

// between is a duration by its bounds.
func between(r model.Range) string {
	low, high := words.Seconds(r.Min), words.Seconds(r.Max)
	return low + words.If(low != high, "–"+high)
}

func sideEffects(r RemedyView) string {
	return strings.Join(Each(r.SideEffects, words.OneLine), "; ")
}

// StepsOf are steps by when they are done. A command that stands in a text stands alone then.
func StepsOf(steps []model.Step) (prove, act, after []Todo) {
	for _, s := range steps {
		one := Todo{Text: words.OneLine(s.Text), Command: words.OneLine(s.Command)}
		if one.Command == "" {
			i := InstructionOf(s.Text)
			one.Text, one.Command = i.Text, i.Command
		}
		switch s.Part {
		case model.StepProve:
			prove = append(prove, one)
		case model.StepAfter:
			after = append(after, one)
		default:
			act = append(act, one)
		}
	}
	return prove, act, after
}
