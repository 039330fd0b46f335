package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// called is a name that would notify people, refer to an issue, become a link and break out of a table and a code span.
const called = "@octocat #12 gh-7 https://evil.example www.evil.example a@b.example :boom: :+1: ``` | <b>x</b> [a](b) ![i](j) *s* _e_ " +
	"~~d~~ $m$"

// calling is the rich report of one incident whose texts from the bundle call.
func calling() *model.Report {
	r := hostile()
	r.Incidents, r.Groups = r.Incidents[:1], nil
	in := &r.Incidents[0]
	r.Verdict.Headline += called
	r.Bundle.Root += called
	in.Volume.Claim.Name += called
	in.From.Node += called
	in.Causes[0].Summary += called
	in.Model.Outlook += called
	in.Remediations[0].Title += called
	in.Remediations[0].Commands = []string{"echo ````" + called}
	in.Remediations[0].Safety = model.Safety{State: "unsafe", Needs: []model.Need{{Text: called, Met: "no"}}}
	r.Findings = []model.Finding{{ID: "f", Title: called}}
	return r
}

var escapedMark = regexp.MustCompile(`\\[\\` + "`" + `*_\[\]|~$]`)

// plain takes a line's code spans away, whose fences are as long on both sides.
func plain(t *testing.T, line string) string {
	t.Helper()
	var b strings.Builder
	for line = escapedMark.ReplaceAllString(line, ""); line != ""; {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return b.String() + line
		}
		b.WriteString(line[:at])
		n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
		rest, end := line[at+n:], -1
		for i := 0; i < len(rest); i++ {
			if rest[i] != '`' {
				continue
			}
			run := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
			if run == n {
				end = i
				break
			}
			i += run - 1
		}
		if end < 0 {
			t.Errorf("a code span does not end: %s", line)
			return b.String()
		}
		line = rest[end+n:]
	}
	return b.String()
}

func TestMarkdownCallsNobody(t *testing.T) {
	for name, r := range map[string]*model.Report{"hostile": hostile(), "calling": calling()} {
		fence, columns := "", 0
		for _, line := range strings.Split(render(t, "md", r), "\n") {
			switch {
			case fence != "" && line == fence:
				fence = ""
				continue
			case fence != "":
				continue
			case strings.HasPrefix(line, "```"):
				fence = strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz")
				continue
			}
			if line == "<details><summary>Phases, causes, remedies and evidence</summary>" {
				continue
			}
			text := strings.ReplaceAll(plain(t, line), "&lt;", "")
			if bars := strings.Count(text, "|"); strings.HasPrefix(line, "|") {
				if columns == 0 {
					columns = bars
				}
				if bars != columns {
					t.Errorf("%s: a row has %d bars, its table %d: %s", name, bars, columns, line)
				}
			} else {
				columns = 0
			}
			for _, bad := range []string{"@o", "@b", "#1", "https://", "www.", "gh-7", ":boom", ":+1", "<b", "<s", "<i", "](", "![", "~~", "$m"} {
				if strings.Contains(text, bad) {
					t.Errorf("%s: %q as it is in %s", name, bad, line)
				}
			}
		}
		if fence != "" {
			t.Errorf("%s: a code block does not end", name)
		}
	}
}

func TestMarkdownIsShort(t *testing.T) {
	one := rich()
	one.Incidents, one.Groups = one.Incidents[:1], nil
	for name, c := range map[string]struct {
		report *model.Report
		most   int
	}{"one": {one, 70}, "calling": {calling(), 70}, "rich": {rich(), 80}, "crowd": {many(200), 80}} {
		if lines := strings.Count(render(t, "md", c.report), "\n"); lines > c.most {
			t.Errorf("%s takes %d lines", name, lines)
		}
		if above, _, folded := strings.Cut(render(t, "md", c.report), "<details>"); !folded || strings.Count(above, "\n") > 25 {
			t.Errorf("%s has %d lines above the fold", name, strings.Count(above, "\n"))
		}
	}
}

func TestMarkdownTellsTheStory(t *testing.T) {
	text := render(t, "md", rich())
	for _, want := range []string{
		"| Phase | Duration |", "| unmount-wait | 6 min", "**confirmed** `node-down`", "what they save is never added up",
		"| `out-of-service-taint` | Shortens by 2 min 22 s",
		"| None once proven; side effects: every pod on ", "One column is", "`namespaces/kube-system/pods/kcm/logs/current.log:8200`",
		"| Group | Incidents |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
}

// The way to a remedy with a risk for the data begins with what has to be proven.
func TestMarkdownProofFirst(t *testing.T) {
	r := rich()
	r.Incidents[0].Remediations = r.Incidents[0].Remediations[1:2]
	text := render(t, "md", r)
	proof, command := strings.Index(text, "make sure that the machine is off"), strings.Index(text, "kubectl taint")
	if proof < 0 || command < proof {
		t.Errorf("proof at %d, command at %d", proof, command)
	}
}
