package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// prose is what is known of the text around what a cluster printed.
type prose struct {
	steps bool // the last heading is that of the steps that the author took
	lines int  // how many were asked for what they tell
}

// maxProse bounds the lines of one file that are read as an author's sentences; people write fewer.
const maxProse = 2000

// jsonText is a line of JSON with one text, which is that of an author without the field's name. A word alone is no sentence of one.
var jsonText = regexp.MustCompile(`^\s*"[^"]*": "([^"]* [^"]*|)`)

// tells takes a line of prose for what its author says of the matter, and reports whether it says anything.
func (r *reader) tells(l line) bool {
	p := &r.prose
	if !r.hint.Prose || l.fenced || p.lines >= maxProse || r.taken(l) {
		return false
	}
	p.lines++
	l.at, l.floats = r.spoken.at, r.spoken.floats
	if heading(l.text) {
		p.steps = phrase.StepsHeading(l.text)
	}
	var out []model.Observation
	text := l.text
	if field := jsonText.FindStringSubmatch(text); field != nil {
		text = field[1]
	}
	for _, o := range phrase.Author(text, p.steps) {
		out = append(out, l.says(o, r.path))
	}
	if len(out) > 0 {
		r.record(out, len(l.raw))
	}
	return len(out) > 0
}

// heading reports a heading of Markdown, or a line that is bold or ends in a colon as a whole.
func heading(s string) bool { return headingText.MatchString(strings.TrimSpace(s)) }

var headingText = regexp.MustCompile(`^(?:#|\*\*.*(?::\*\*|\*\*[: ]*$)|.{0,78}:$)`)
