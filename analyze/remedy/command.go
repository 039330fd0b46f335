package remedy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// prove is a step before the remedy that only looks; act is the remedy, after follows it. The words are a command, or none.
func prove(text string, words ...string) model.Step { return stepOf(model.StepProve, text, words) }

func act(text string, words ...string) model.Step { return stepOf(model.StepAct, text, words) }

func after(text string, words ...string) model.Step { return stepOf(model.StepAfter, text, words) }

// noCommand is added to a step whose command needs a name that is not safe to type.
const noCommand = " (no command is given: a name that it needs is not known, or Kubernetes would refuse it)"

func stepOf(part model.StepPart, text string, words []string) model.Step {
	if slices.Contains(words, "") {
		return model.Step{Part: part, Text: text + noCommand}
	}
	return model.Step{Part: part, Text: text, Command: command(words...)}
}

// allowed are the names that Kubernetes gives objects; any other, such as one with a leading dash, could be an option in a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// name is a name of the bundle as a command may have it; "" for one that is not known, or that Kubernetes would refuse.
func name(s string) string {
	if !allowed.MatchString(s) {
		return ""
	}
	return s
}

// within is a word that holds a name; "" where the name may not stand in a command.
func within(before, inner, behind string) string {
	if name(inner) == "" {
		return ""
	}
	return before + inner + behind
}

// command joins words to a line for a POSIX shell. Every word that is not plain is quoted.
func command(words ...string) string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, quote(w))
	}
	return strings.Join(out, " ")
}

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=,@%+"

func quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// comment is a line that a shell leaves alone, whatever the text holds.
func comment(text string) string {
	return "# " + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// commands are the steps as one list to paste, each under its purpose; those for afterwards are comments.
func commands(steps []model.Step) []string {
	out := []string{}
	for _, s := range steps {
		head := map[model.StepPart]string{model.StepProve: "Before: ", model.StepAfter: "After: "}[s.Part]
		out = append(out, comment(head+s.Text))
		switch {
		case s.Command == "":
		case s.Part == model.StepAfter:
			out = append(out, comment(s.Command))
		default:
			out = append(out, s.Command)
		}
	}
	return out
}

// lookBefore is the check before anything is taken from a lost node.
func lookBefore(i *Incident) model.Step {
	return machineState(i)
}
