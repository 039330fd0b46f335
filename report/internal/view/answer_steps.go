package view

import (
	"regexp"
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
		a.Prove, a.Act, a.After = first.Parts()
	}
	if a.Open {
		v.lookFirst(a)
	}
	switch {
	case a.Open && v.endUnknown(*a):
		a.Advice.Head = "What to do now, if it still waits"
	case a.Open && v.Verdict.Status == model.StatusFault && a.Advice.First() == nil: // the wait is over, and its pod is down
		a.Advice.Head = "What to do now, if it is still down"
	}
	a.Tense = a.Advice.Head
}

// NoCommand says why nothing can be run, where the incident is open and no step has a command.
func (a Answer) NoCommand() string {
	switch {
	case !a.Open || slices.ContainsFunc(slices.Concat(a.Prove, a.Act, a.After), func(s Todo) bool { return s.Command != "" }):
		return ""
	case a.Incident == nil:
		return ""
	case len(a.Act) > 0:
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

// StepsOf are a remedy's steps by when they are done.
func StepsOf(r RemedyView) (prove, act, after []Todo) {
	for _, s := range r.Steps {
		one := Todo{Text: words.OneLine(s.Text), Command: words.OneLine(s.Command)}
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

// Instruction is a text that ends in a command: what it says, and the command as a shell takes it.
type Instruction struct{ Text, Command string }

// commandBegins is where a command can begin in a text: at its beginning, or behind a colon.
var commandBegins = regexp.MustCompile(`(?:^|: )((?:kubectl|oc|aws|for [a-z] in|findmnt|dmesg|journalctl|command -v) )`)

// wordsFollow is what no command goes on with: the next clause of a sentence, or its end.
var wordsFollow = regexp.MustCompile(`; (?:the|take|or|and|then|when) |: |\.$`)

// InstructionOf divides a text of a report, which has a finding's remedy in one line. A command that goes on in words stays in the text.
func InstructionOf(text string) Instruction {
	text = words.OneLine(text)
	at := commandBegins.FindStringSubmatchIndex(text)
	if at == nil || wordsFollow.MatchString(text[at[2]:]) {
		return Instruction{Text: text}
	}
	return Instruction{strings.TrimSuffix(text[:at[2]], " "), text[at[2]:]}
}

// Next are the commands to run next: those of the incident that the verdict is about.
func (v *View) Next() []model.NextStep {
	for _, in := range v.Incident {
		if in.ID == v.Verdict.Incident {
			return in.Next
		}
	}
	return nil
}

// ShellLines breaks a command where the shell joins it again. A word that is wider stays whole, so that it can be copied.
func ShellLines(command string, width int) []string {
	if text, isComment := strings.CutPrefix(command, "# "); isComment { // a shell joins no lines of a comment
		return words.Wrap("# ", "# ", text, width)
	}
	var out []string
	line := ""
	for _, word := range shellWords(command) {
		switch {
		case line == "":
			line = word
		case words.Columns(line)+1+words.Columns(word)+2 <= width:
			line += " " + word
		default:
			out = append(out, line+" \\")
			line = "  " + word
		}
	}
	return append(out, line)
}

// shellWords cuts a command at its blanks, but for those in quotes.
func shellWords(command string) []string {
	quote := rune(0)
	return strings.FieldsFunc(command, func(r rune) bool {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
			return false
		case r == '\'' || r == '"':
			quote = r
		}
		return r == ' '
	})
}
