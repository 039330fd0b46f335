package view

import (
	"regexp"
	"strings"

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
