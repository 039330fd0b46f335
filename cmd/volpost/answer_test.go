package main

import (
	"bytes"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestAnswers: of every sample and every other recording, each format for people tells the same answer, in as much room as it may take, and
// in plain words; and every command of it is one that a shell takes as it stands.
func TestAnswers(t *testing.T) {
	t.Parallel()
	all := recorded(t)
	for _, s := range recordings.Sweep(samples.List()) {
		all = append(all, sampleRecording(t, s.Name))
	}
	for _, one := range all {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			_, r := one.explained(t)
			forms := map[string]string{}
			for _, f := range []string{"text", "md", "jira", "html"} {
				var b bytes.Buffer
				render(t, &b, f, r)
				forms[f] = b.String()
			}
			sameAnswer(t, r, forms)
			inRoom(t, r, forms)
			looksRight(t, r, forms["md"])
			sameAdvice(t, r, forms)
			for name, text := range forms {
				plainWords(t, name, text)
				provenDown(t, r, name, text)
			}
			oneSpelling(t, r)
			takenByShell(t, commandsOf(r, forms))
			oneAtATime(t, forms)
		})
	}
}

// sameAdvice wants the first option of the answer's incident, with its seconds and its end, in each format for people.
func sameAdvice(t *testing.T, r *model.Report, forms map[string]string) {
	t.Helper()
	n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
	if n < 0 || r.Incidents[n].Advice == nil {
		return
	}
	a := r.Incidents[n].Advice
	var want []string
	for _, o := range slices.Concat(a.Now, a.Better)[:min(1, len(a.Now)+len(a.Better))] {
		if want = append(want, o.Title); o.Saved != nil && o.Saved.Best >= 0.5 && o.ReadyAt != nil && len(a.Now) == 0 {
			want = append(want, words.Seconds(o.Saved.Best)+" sooner", " at "+model.TimeOfDay(o.ReadyAt.At)+" if done at "+model.TimeOfDay(o.At.At))
		}
	}
	for _, form := range []string{"text", "md", "jira", "html"} {
		text := strings.Join(strings.Fields(strings.NewReplacer("&#39;", "'", "&#34;", `"`, "\\", "").Replace(forms[form])), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q", form, w)
			}
		}
	}
}

// sameAnswer wants both sentences in each format, and of the incident no other's node in what held it; nothing was wrong with what held
// the volume of a hand-over.
func sameAnswer(t *testing.T, r *model.Report, forms map[string]string) {
	t.Helper()
	for _, name := range []string{"text"} {
		text := strings.Join(strings.Fields(forms[name]), " ")
		for _, sentence := range []string{r.Verdict.Headline, r.Verdict.Why} {
			if !strings.Contains(strings.NewReplacer("&#39;", "'", "&#34;", `"`).Replace(text), sentence) {
				t.Errorf("%s lacks %q", name, sentence)
			}
		}
	}
	n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident })
	above, _, _ := strings.Cut(forms["md"], "<details>")
	if r.Verdict.Status == model.StatusHandover {
		if strings.Contains(above, "What held it") || strings.Contains(forms["text"], "WHAT HELD IT") {
			t.Errorf("a hand-over has something that held it:\n%s", above)
		}
		return
	}
	if n >= 0 && r.Incidents[n].From.Node != "" && !strings.Contains(above, " from `"+r.Incidents[n].From.Node+"`") {
		t.Errorf("the comment's answer does not name %s:\n%s", r.Incidents[n].From.Node, above)
	}
}

// pageBytes is what a ticket takes of a page, and a mail gateway; what it prints on, a browser counts.
const pageBytes = 500_000

// inRoom wants the answer on one screen of any width, a post-mortem of at most ninety lines, with a fold, and a page that a ticket takes.
func inRoom(t *testing.T, r *model.Report, forms map[string]string) {
	t.Helper()
	for _, width := range []int{40, 60, 80, 100, 200} {
		var b bytes.Buffer
		err := report.WriteWith(&b, "text", r, report.Options{Screen: &report.Screen{Columns: width, Page: "volpost-report.html"}})
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for _, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			rows += max(1, (utf8.RuneCountInString(l)+width-1)/width)
		}
		if rows > 30 {
			t.Errorf("%d rows at %d columns:\n%s", rows, width, b.String())
		}
		// Without blanks: a name that is longer than a narrow screen stands on two lines.
		text, headline := strings.Join(strings.Fields(b.String()), ""), strings.Join(strings.Fields(r.Verdict.Headline), "")
		if !strings.Contains(text, headline) || strings.Contains(text, "\x1b") {
			t.Errorf("%d columns: the screen lacks the headline, or has colours:\n%s", width, b.String())
		}
	}
	if n := len(forms["html"]); n > pageBytes {
		t.Errorf("the page has %d bytes", n)
	}
	for name, fold := range map[string]string{"md": "<details>", "jira": "{expand:"} {
		if lines := strings.Count(forms[name], "\n"); !strings.Contains(forms[name], fold) || lines > 90 {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}

// saidDown is what calls a pod down. What a rollout does to every application is another matter.
var saidDown = regexp.MustCompile(`(?i)\b(?:was|is|still|:) down\b(?: in every rollout)?|\bdown (?:for )?\d+ (?:s|min|h|d)\b`)

// provenDown wants no form to call a pod down of which nothing proves it, and the headline to have the word of the incident.
func provenDown(t *testing.T, r *model.Report, name, text string) {
	t.Helper()
	for _, i := range r.Incidents {
		if i.Span.Down {
			return
		}
	}
	for _, m := range saidDown.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
		if !strings.HasSuffix(m, "rollout") {
			t.Errorf("%s says %q, and nothing proves it: %s", name, m, r.Verdict.Headline)
		}
	}
}

// plainWords wants none of the words of the style sheet's left column.
func plainWords(t *testing.T, name, text string) {
	t.Helper()
	text = strings.Join(strings.Fields(text), " ")
	for _, row := range styleSheet(t) {
		if n := strings.Index(text, row[0]); n >= 0 {
			t.Errorf("%s says %q, and %q is plainer: …%s…", name, row[0], row[1], text[max(0, n-40):min(len(text), n+60)])
		}
	}
}

// oneSpelling wants no duration as Go spells it in a sentence. Evidence and the value of a setting are quoted.
func oneSpelling(t *testing.T, r *model.Report) {
	t.Helper()
	told := *r
	told.Evidence = nil
	var b bytes.Buffer
	render(t, &b, "json", &told)
	for line := range strings.Lines(b.String()) {
		if goDuration.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), `"value": `) {
			t.Errorf("a duration that is not spelled as 14 min 14 s: %s", strings.TrimSpace(line))
		}
	}
}

var goDuration = regexp.MustCompile(`(?:^|[ (])(?:\d+h)?\d+m\d+(?:\.\d+)?s\b|\d\.\d{3,}s\b`)

// styleRow is a row of the style sheet: the words that no output has, and the plain ones.
var styleRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\|$")

// styleSheet is the table of words in CONTRIBUTING.md.
func styleSheet(t *testing.T) [][2]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for _, m := range styleRow.FindAllStringSubmatch(string(data), -1) {
		out = append(out, [2]string{m[1], m[2]})
	}
	if len(out) < 30 {
		t.Fatalf("the style sheet has %d rows", len(out))
	}
	return out
}

// commandsOf are the commands of a report and of its formats: of the JSON each alone and as one list, of comments and of the page each
// block, and of the text each command with the lines that a backslash joins to it.
func commandsOf(r *model.Report, forms map[string]string) []string {
	var out []string
	for _, i := range r.Incidents {
		for _, m := range i.Remediations {
			out = append(out, strings.Join(m.Commands, "\n"))
			for _, s := range m.Steps {
				out = append(out, s.Command)
			}
		}
		for _, n := range i.Next {
			out = append(out, n.Command)
		}
	}
	return slices.Concat(out, blocksOf(forms))
}

// unbroken takes away what keeps a word of a command on one line, which is no part of its text.
var unbroken = strings.NewReplacer("<em>", "", "</em>", "")

// blocksOf are the commands of the formats for people, each as one copies it.
func blocksOf(forms map[string]string) []string {
	var out []string
	for _, block := range fencedBlock.FindAllStringSubmatch(forms["md"], -1) {
		out = append(out, block[1])
	}
	for _, block := range formatBlock.FindAllStringSubmatch(forms["jira"], -1) {
		if strings.HasPrefix(block[1], "kubectl ") {
			out = append(out, block[1])
		}
	}
	for _, block := range markedCommand.FindAllStringSubmatch(forms["html"], -1) {
		out = append(out, html.UnescapeString(unbroken.Replace(block[1])))
	}
	for _, block := range textCommand.FindAllStringSubmatch(forms["text"], -1) {
		out = append(out, strings.TrimSpace(block[1]))
	}
	return out
}

var (
	fencedBlock   = regexp.MustCompile("(?ms)^```sh\\n(.*?)^```$")
	formatBlock   = regexp.MustCompile(`(?ms)^\{noformat\}\n(.*?)^\{noformat\}$`)
	markedCommand = regexp.MustCompile(`(?s)<(?:pre|code) class="command"[^>]*>(.*?)</(?:pre|code)>`)
	textCommand   = regexp.MustCompile(`(?m)^ +(?:collect with: |or with: )?((?:kubectl|oc|curl|for [a-z] ` +
		`in|fuser|lsof|findmnt|systemctl|journalctl) (?:.*\\\n)*.*)$`)
	unmarked = regexp.MustCompile(`: (?:kubectl|oc|for [a-z] in) [^<]*</(?:p|li|td|dd)>`)
)

// takenByShell runs commands, each by itself, with programs that only look at their arguments: none may be empty, none that should be
// a name may be an option, and none may end in a full stop.
func takenByShell(t *testing.T, commands []string) {
	t.Helper()
	slices.Sort(commands)
	commands = slices.Compact(commands)
	const script = `check() { for a in "$@"; do case "$a" in ""|*.|*…|--all|-A=*) echo "argument: <$a>"; exit 9;; esac; done; }
for p in kubectl oc aws gcloud az openstack govc ipmitool curl fuser lsof findmnt grep systemctl journalctl dmesg ls lsblk volpost sudo command; do eval "$p() { check \"\$@\"; }"; done
for command in "$@"; do
	said=$(builtin eval "$command" 2>&1) && [ -z "$said" ] || echo "a shell does not take <$command>: $said"
done`
	c := exec.Command("bash", append([]string{"--noprofile", "--norc", "-c", script, "bash"}, commands...)...)
	c.Env, c.Dir = []string{"PATH=/nonexistent"}, t.TempDir()
	if bash, err := exec.LookPath("bash"); err == nil {
		c.Path = bash
	}
	if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// oneAtATime wants that no block which one copies undoes what it does, and that the page has no command among its words.
func oneAtATime(t *testing.T, forms map[string]string) {
	t.Helper()
	for _, block := range blocksOf(forms) {
		for _, taint := range doneTaint.FindAllStringSubmatch(block, -1) {
			if strings.Contains(block, "taint node "+taint[1]+" "+taint[2]+"-") {
				t.Errorf("one copy taints and takes the taint away: %s", block)
			}
		}
	}
	if words := unmarked.FindString(forms["html"]); words != "" {
		t.Errorf("the page has a command among words, which cannot be copied by itself: %s", words)
	}
}

var doneTaint = regexp.MustCompile(`taint node (\S+) (\S+:NoExecute)(?:\s|$)`)
