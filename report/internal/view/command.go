package view

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
		if line == "" {
			line = word
		} else if words.Columns(line)+1+words.Columns(word)+2 <= width {
			line += " " + word
		} else {
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
		if quote != 0 {
			if r == quote {
				quote = 0
			}
			return false
		}
		if r == '\'' || r == '"' {
			quote = r
		}
		return r == ' '
	})
}
