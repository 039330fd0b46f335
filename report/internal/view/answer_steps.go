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
		if a.Open { // its volume came, and its mount fails
			a.Steps, a.Tense = StepsOf(nil, v.looks()...), "DO NOW, IF IT IS STILL DOWN"
		}
		return
	}
	a.Advice.Open = a.Open
	var looks []Todo
	if a.Open {
		looks = v.looks()
	}
	if first := a.Advice.First(); first != nil {
		a.Steps = StepsOf(first.Steps, looks...)
	} else {
		a.Steps = StepsOf(nil, looks...)
	}
	if a.Open && v.endUnknown(*a) && a.Incident.Kind != model.KindForcedDetach { // of which nothing is known to wait
		a.Advice.Head = "What to do now, if it still waits"
	} else if a.Open && v.Verdict.Status == model.StatusFault && a.Advice.First() == nil { // the wait is over, and its pod is down
		a.Advice.Head = "What to do now, if it is still down"
	}
	a.Tense = a.Advice.Head
}

// NoCommand says why nothing can be run, where the incident is open and no step has a command.
func (a Answer) NoCommand() string {
	runs := func(s Todo) bool { return s.Command != "" }
	if !a.Open || a.Incident == nil || slices.ContainsFunc(a.Steps, func(b StepBlock) bool { return slices.ContainsFunc(b.List, runs) }) {
		return ""
	}
	if slices.ContainsFunc(a.Steps, func(b StepBlock) bool { return b.Name == partNames[1] }) {
		return "No command is given: a name that it needs is not known."
	}
	return "No command is given: no remedy is known to end this wait now. The report says of each why."
}

// looks are the commands whose answers decide what the bundle does not.
func (v *View) looks() []Todo {
	var out []Todo
	for _, n := range v.Next() {
		answers := Each(n.Answers, func(a model.NextAnswer) string { return words.OneLine(a.If) + ": " + words.OneLine(a.Then) })
		out = append(out, Todo{Text: "see " + words.OneLine(n.Decides), Command: words.OneLine(n.Command), Answers: answers})
	}
	for _, s := range v.Verdict.Steps { // of another volume
		out = append(out, Todo{Text: words.OneLine(s.Text), Command: words.OneLine(s.Command)})
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

// StepBlock is Prove, Act or After.
type StepBlock struct {
	Name string
	List []Todo
}

// partNames are the names of the parts of a remedy, in the order in which they are done.
var partNames = []string{"Prove", "Act", "After"}

// StepsOf are steps by when they are done, behind commands that decide what is not known: a proof that is the same is not repeated. A command
// that stands in a text stands alone then.
func StepsOf(steps []model.Step, looks ...Todo) []StepBlock {
	lists := [][]Todo{looks, nil, nil}
	for _, s := range steps {
		one := Todo{Text: words.OneLine(s.Text), Command: words.OneLine(s.Command)}
		if one.Command == "" {
			i := InstructionOf(s.Text)
			one.Text, one.Command = i.Text, i.Command
		}
		same := func(l Todo) bool { return one.Command != "" && l.Command == one.Command }
		switch {
		case s.Part == model.StepAfter:
			lists[2] = append(lists[2], one)
		case s.Part != model.StepProve:
			lists[1] = append(lists[1], one)
		case !slices.ContainsFunc(looks, same):
			lists[0] = append(lists[0], one)
		}
	}
	var out []StepBlock
	for n, list := range lists {
		if len(list) > 0 {
			out = append(out, StepBlock{partNames[n], list})
		}
	}
	return out
}
