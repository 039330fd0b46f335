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
	typed(&in.Remediations[0], "echo ````"+called)
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
			if line == "<details><summary>Evidence</summary>" {
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
	for name, r := range map[string]*model.Report{"one": one, "calling": calling(), "rich": rich(), "crowd": many(200)} {
		for _, format := range []string{"md", "jira"} {
			if lines := strings.Count(render(t, format, r), "\n"); lines > 90 {
				t.Errorf("%s takes %d lines of %s", name, lines, format)
			}
		}
	}
}

// The sections of a post-mortem come in the order in which a team reads and completes them; hashes are in the fold only.
func TestMarkdownTellsTheStory(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	text := render(t, "md", r)
	at := 0
	for _, want := range []string{
		"### Post-mortem: shop/orders-db-data", "#### Summary\n**RESOLVED · 14 min 1 s.**", "#### Impact\n| Who | Deployment `shop/orders-db` |",
		"| How long | 14 min 1 s", "#### Root cause\n**confirmed** `node-down`", "#### Timeline\n| Time UTC | What happened |",
		"#### What was done and what it was worth\n- 06:07:11 Deployment external-attacher scaled to 0, by ada@<!-- -->example.com: caused the wait",
		"started the controller's six-minute timer; cost 3 min 20 s",
		"#### What would have been better\n**Taint ", "6 min 52 s sooner", "No action could have made it shorter than 1 min 10 s",
		"#### Action items\n| Action | Effort | Would have saved | Owner |", "| Do shorten-tolerations | setting | 4 min 30 s |  |",
		"| Do fence-node | rollout | not known |  |", "<details><summary>Evidence</summary>", "VolumeAttachment `csi-b2079626",
		"`namespaces/kube-system/pods/kcm/logs/current.log:8200`",
	} {
		n := strings.Index(text[at:], want)
		if n < 0 {
			t.Fatalf("the post-mortem lacks %q after\n%s", want, text[:at])
		}
		at += n
	}
	if body, _, _ := strings.Cut(text, "<details>"); strings.Contains(body, "csi-") || strings.Contains(body, richPV) {
		t.Errorf("a hash stands above the fold:\n%s", body)
	}
}

// Acts of several commands are whole and in order, and what an open incident needs comes first.
func TestMarkdownOfAnOpenIncident(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i2"
	text := render(t, "md", r)
	now, impact := strings.Index(text, "#### What to do now"), strings.Index(text, "#### Impact")
	if now < 0 || impact < now {
		t.Errorf("what to do stands at %d, the impact at %d", now, impact)
	}
	want := "```sh\nkubectl scale -n shop deployment/cache --replicas=0\nkubectl wait -n shop --for=delete pod -l app=cache --timeout=5m\n" +
		"kubectl scale -n shop deployment/cache --replicas=1\n```"
	if !strings.Contains(text, want) {
		t.Errorf("the act is not whole:\n%s", text)
	}
}

// The way to a remedy with a risk for the data begins with what has to be proven.
func TestMarkdownProofFirst(t *testing.T) {
	r := rich()
	r.Verdict.Incident = "i1"
	text := render(t, "md", r)
	proof, command := strings.Index(text, "**Prove:**"), strings.Index(text, "**Act:**")
	if proof < 0 || command < proof {
		t.Errorf("proof at %d, command at %d", proof, command)
	}
}
