package table

import (
	"regexp"
	"strings"
	"sync"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// prose is what is known of the text around what a cluster printed.
type prose struct {
	steps bool // the last heading is that of the steps that the author took
	ran   bool // the last line says that the author ran what stands below it
	lines int  // how many were asked for what they tell
}

// maxProse bounds the lines of one file that are read as an author's sentences; people write fewer.
const maxProse = 2000

// jsonText is a line of JSON with one text, which is that of an author without the field's name. A word alone is no sentence of one.
var jsonText = regexp.MustCompile(`^\s*"[^"]*": "([^"]* [^"]*|)`)

// ranBelow ends a line above a command with the word that its author ran it.
var ranBelow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:I|we)(?:'ve| have| had)?(?: then| also| just)* (?:ran|executed|issued|typed|did|have run)(?: (?:this|these|the following)(?: commands?)?)?[ :]*$`)
})

// tells takes a line of prose for what its author says of the matter, and reports whether it says anything.
func (r *reader) tells(l line) bool {
	p := &r.prose
	if !r.hint.Prose || l.fenced || p.lines >= maxProse || r.taken(l) {
		return false
	}
	p.lines++
	p.ran = ranBelow().MatchString(l.text)
	l.at, l.floats = r.spoken.at, r.spoken.floats
	if heading(l.text) {
		p.steps = phrase.StepsHeading(l.text)
	}
	text := l.text
	if field := jsonText.FindStringSubmatch(text); field != nil {
		text = field[1]
	}
	return r.says(l, "", text)
}

// says takes what an author's sentences tell, of which the first may begin on a line above.
func (r *reader) says(l line, begins, text string) bool {
	var out []model.Observation
	for _, o := range phrase.Author(begins+text, r.prose.steps) {
		o.Detail = strings.Replace(o.Detail, ": "+begins, ": ", 1) // a quote is of one line
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
