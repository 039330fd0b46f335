package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// bare finds in a line of markup what Jira would act on, with escapes and volpost's own marks taken away.
var (
	wikiEscape = regexp.MustCompile(`\\[-#*_+?^~|%{}\[\]()!@]|&#[0-9]+;|&amp;`)
	wikiOwn    = regexp.MustCompile(`^h[34]\. |^\* |\{\{|\}\}|\*[A-Z][a-z -]+(?:\\-[a-z]+ )?[0-9a-z .:]*\*|\*(?:confirmed|likely|undecidable)\*`)
	wikiActs   = regexp.MustCompile(`[{}\[\]~!@#\\^+?%]|://|www\.|[A-Z]{2,}-[0-9]|:\)|\(y\)`)
)

func TestJiraCallsNobody(t *testing.T) {
	for name, r := range map[string]*model.Report{"hostile": hostile(), "calling": calling(), "rich": rich()} {
		block, columns := false, 0
		for _, line := range strings.Split(render(t, "jira", r), "\n") {
			if line == "{expand}" || line == "{expand:Evidence}" {
				continue
			}
			if line == "{noformat}" {
				block = !block
				continue
			}
			if block {
				if strings.Contains(strings.ToLower(line), "{noformat") {
					t.Errorf("%s: the block ends early: %s", name, line)
				}
				continue
			}
			text := wikiOwn.ReplaceAllString(wikiEscape.ReplaceAllString(line, ""), "")
			if found := wikiActs.FindString(text); found != "" {
				t.Errorf("%s: %q acts in %s\n%s", name, found, line, text)
			}
			bars := strings.Count(strings.ReplaceAll(text, "||", "|"), "|")
			if bars > 0 && (columns == 0 || strings.HasPrefix(line, "||")) {
				columns = bars
			}
			if bars > 0 && (bars != columns || !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|")) {
				t.Errorf("%s: a row has %d bars, its table %d: %s", name, bars, columns, line)
			}
			if bars == 0 {
				columns = 0
			}
		}
		if block {
			t.Errorf("%s: a block does not end", name)
		}
	}
}

func TestJiraTellsTheStory(t *testing.T) {
	text := render(t, "jira", rich())
	for _, want := range []string{
		"h3. Post-mortem: ", "h4. Summary\n*RESOLVED · 14 min 1 s.*", "||Who|Deployment {{shop/orders-db}}|", "*confirmed* {{node-down}}",
		"||Action||Effort||Would have saved||Owner||\n|Do shorten-tolerations|setting|4 min 30 s| |", "{expand:Evidence}",
		"* VolumeAttachment {{csi-b2079626",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the comment lacks %q", want)
		}
	}
}
