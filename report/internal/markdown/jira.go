package markdown

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// jiraMarkup is the wiki markup of Jira Data Center, which Jira Cloud converts when it is pasted.
var jiraMarkup = markup{
	prose:   wiki,
	code:    func(s string) string { return "{{" + cmp.Or(wiki(s), "unknown") + "}}" }, // other marks count in it, too
	heading: func(text string) string { return "h3. " + text },
	section: func(text string) string { return "h4. " + text },
	bold:    func(text string) string { return "*" + text + "*" },
	bullet:  "* ",
	row:     func(cells []string) string { return "|" + wikiCells(cells, "|") + "|" },
	head:    func(_ string, cells []string) []string { return []string{"||" + wikiCells(cells, "||") + "||"} },
	facts: func(pairs [][2]string) []string {
		return view.Each(pairs, func(p [2]string) string { return "||" + p[0] + "|" + wikiCells(p[1:], "|") + "|" })
	},
	fenced: func(_ string, lines []string) []string { return wikiFenced(lines) },
	fold:   func(title string) [2]string { return [2]string{"{expand:" + title + "}", "{expand}"} },
}

// wikiCells joins cells. Two bars in a row would begin a head, so that an empty cell has a blank.
func wikiCells(cells []string, between string) string {
	return strings.Join(view.Each(cells, func(c string) string { return cmp.Or(c, " ") }), between)
}

// wiki makes text plain in Jira's markup: what a backslash can escape is escaped, and what else has a meaning becomes an entity.
func wiki(s string) string {
	s = strings.Join(strings.Fields(words.OneLine(s)), " ")
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '\\':
			b.WriteString("&#92;")
		case r == '&':
			b.WriteString("&amp;")
		case (r == '-' || r == '_') && within(runes, i):
			b.WriteRune(r) // marks count at the ends of words only
		case strings.ContainsRune("-#*_+?^~|%{}[]!@", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	text := wikiAddress.ReplaceAllString(b.String(), "${1}&#58;${2}")
	text = wikiScheme.ReplaceAllString(text, "${1}&#58;${2}")
	text = wikiHost.ReplaceAllString(text, "${1}&#46;")
	text = wikiFace.ReplaceAllStringFunc(text, func(face string) string { return fmt.Sprintf("&#%d;%s", face[0], face[1:]) })
	return wikiLine.ReplaceAllString(text, "${1}&#46;")
}

// within reports whether a mark stands within a name. A capital before it could make it the key of an issue.
func within(runes []rune, i int) bool {
	small := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	if i == 0 || i == len(runes)-1 || !small(runes[i-1]) || !small(runes[i+1]) {
		return false
	}
	for i--; i >= 0 && runes[i] >= '0' && runes[i] <= '9'; i-- {
	}
	return i < 0 || runes[i] < 'A' || runes[i] > 'Z'
}

// What Jira makes a link, a picture or a block of, without a character that a backslash escapes.
var (
	wikiAddress = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*):(/|&#92;)`)
	wikiScheme  = regexp.MustCompile(`(?i)\b(mailto|news|file|tel|sip|xmpp|callto|skype|javascript|data):(\S)`)
	wikiHost    = regexp.MustCompile(`(?i)\b(www)\.`)
	wikiFace    = regexp.MustCompile(`[:;]-?[()DPp|]|\((?:[yni/x!+?*-]|\\[!+?*-]|on|off|\\\*[rgby]|flag|flagoff)\)`)
	wikiLine    = regexp.MustCompile(`^(h[1-6]|bq)\.`)
)

// wikiFenced is lines as they are. Only the end of the block has a meaning in it, and no way to be escaped.
func wikiFenced(lines []string) []string {
	out := []string{"{noformat}"}
	for _, l := range lines {
		out = append(out, wikiEnd.ReplaceAllString(words.OneLine(l), "{ ${1}"))
	}
	return append(out, "{noformat}")
}

var wikiEnd = regexp.MustCompile(`(?i)\{(noformat)`)
