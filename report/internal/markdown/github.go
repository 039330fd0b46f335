package markdown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// githubMarkup is GitHub's Markdown.
var githubMarkup = markup{
	prose:   prose,
	code:    code,
	heading: func(text string) string { return "### " + text },
	section: func(text string) string { return "#### " + text },
	bold:    func(text string) string { return "**" + text + "**" },
	bullet:  "- ",
	row:     func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" },
	head: func(align string, cells []string) []string {
		rule := "|"
		for _, a := range align {
			if rule += "---"; a == 'r' {
				rule += ":"
			}
			rule += "|"
		}
		return []string{"| " + strings.Join(cells, " | ") + " |", rule}
	},
	facts: func(pairs [][2]string) []string {
		var out []string
		for i, p := range pairs {
			if out = append(out, "| "+p[0]+" | "+p[1]+" |"); i == 0 {
				out = append(out, "|---|---|") // a table of Markdown has a head
			}
		}
		return out
	},
	fenced: fenced,
	fold: func(title string) [2]string {
		return [2]string{"<details><summary>" + title + "</summary>", "</details>"}
	},
}

// prose makes text plain in GitHub's Markdown. Mentions and addresses are found after escapes, so that a comment breaks them.
func prose(s string) string {
	s = strings.Join(strings.Fields(words.OneLine(s)), " ")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '@', r == '#':
			b.WriteRune(r)
			b.WriteString(apart)
		case strings.ContainsRune("\\`*_[]|~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	text := bareAddress.ReplaceAllString(b.String(), "${1}"+apart+"${2}")
	return emoji.ReplaceAllString(text, ":"+apart+"${1}")
}

// apart is a comment, which shows nothing and keeps what stands around it apart.
const apart = "<!-- -->"

// What GitHub makes a link or a picture of, without any mark: an bareAddress or a reference, and an emoji.
var (
	bareAddress = regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.-]*:|\bwww|\bgh)(//|\.|-\d)`)
	emoji       = regexp.MustCompile(`:([A-Za-z+_\\-]|[0-9]{3}|[0-9]+[A-Za-z+_\\-])`) // a time of day is none
)

// code is text in a code span, in which nothing has a meaning but backticks, and in a table the bar.
func code(s string) string {
	s = strings.ReplaceAll(words.OneLine(s), "|", `\|`)
	if strings.TrimSpace(s) == "" {
		return "unknown"
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// fenced is lines in a code block, each in one line.
func fenced(language string, lines []string) []string {
	fence := "```"
	for _, l := range lines {
		if n := longestRun(l); n >= len(fence) {
			fence = strings.Repeat("`", n+1)
		}
	}
	return slices.Concat([]string{fence + language}, view.Each(lines, words.OneLine), []string{fence})
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		if run++; run > longest {
			longest = run
		}
	}
	return longest
}
