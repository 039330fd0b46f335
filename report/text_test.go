package report

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

func TestTextWidth(t *testing.T) {
	for _, c := range fixtures() {
		commands := map[string]bool{} // a command that is broken cannot be copied
		for _, in := range view.New(c.report).Incident {
			for _, r := range in.Remediations {
				for _, command := range r.Commands {
					commands[words.OneLine(command)] = true
				}
			}
		}
		for i, line := range strings.Split(render(t, "text", c.report), "\n") {
			if words.Columns(line) > 80 && !commands[strings.TrimPrefix(line, "         ")] && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s line %d has %d columns: %s", c.name, i+1, words.Columns(line), line)
			}
		}
	}
}

func TestTextDoesNotDrown(t *testing.T) {
	for _, n := range []int{3, 25, 200} {
		if lines := strings.Count(render(t, "text", many(n)), "\n"); lines > 262 {
			t.Errorf("%d incidents take %d lines", n, lines)
		}
	}
	// Eight lost nodes are eight groups.
	r := many(8)
	for i := range r.Incidents {
		r.Groups = append(r.Groups, model.Group{ID: "n" + r.Incidents[i].ID, Title: "Node lost", Incidents: []string{r.Incidents[i].ID}})
	}
	r.Groups = r.Groups[1:]
	if lines := strings.Count(render(t, "text", r), "\n"); lines > 406 {
		t.Errorf("8 groups take %d lines", lines)
	}
	if text := render(t, "text", many(200)); !strings.Contains(text, "and 170 more") {
		t.Error("the incidents that are left out are not counted")
	}
}

func TestTextSaysWhatIsThere(t *testing.T) {
	text := render(t, "text", rich())
	for _, want := range []string{
		"RESOLVED · 14 min 1 s", model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", richOld),
		"(observed)", "(derived)", "(assumed)", "confirmed", "likely", "undecidable", "6 min", "unmount-wait", "█",
		"namespaces/kube-system/pods/kcm/logs/current.log:9001", "Kubelet logs of the old node were not collected.", "NOT COLLECTED", "PROBLEMS",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	empty := render(t, "text", none())
	for _, want := range []string{"CLEAN", "WHAT WAS READ", "log/kube-controller-manager"} {
		if !strings.Contains(empty, want) {
			t.Errorf("the text of a clean bundle lacks %q", want)
		}
	}
	for _, no := range []string{"FINDINGS", "PROBLEMS", "NOT COLLECTED"} {
		if strings.Contains(empty, no) {
			t.Errorf("the text of a clean bundle has an empty part %q", no)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{{0, "T+00:00.0"}, {392.25, "T+06:32.3"}, {-3723.4, "T−1:02:03.4"}, {59.96, "T+01:00.0"}} {
		if got := view.Offset(start, start.Add(time.Duration(c.seconds*float64(time.Second)))); got != c.want {
			t.Errorf("offset of %v = %q, want %q", c.seconds, got, c.want)
		}
	}
}

// Whatever has to be proven stands above the commands of a remedy with a risk for the data, in both outputs.
func TestProofStandsAboveCommands(t *testing.T) {
	for format, commands := range map[string][]string{"text": {"kubectl taint node " + richOld}, // what nobody advises has its commands on the page
		"html": {"kubectl taint node " + richOld, "kubectl patch volumeattachment x"}} {
		two := rich()
		two.Incidents = two.Incidents[:2]
		out := render(t, format, two)
		for _, command := range commands {
			at := strings.Index(out, command)
			if at < 0 {
				t.Fatalf("%s lacks the command %s", format, command)
			}
			before := strings.ToLower(out[:at])
			proof := max(strings.LastIndex(before, "data risk: none if verified: "), strings.LastIndex(before, "data risk: certain: "),
				strings.LastIndex(before, "to be proven first:"), strings.LastIndex(before, "<h3>prove</h3>"), strings.LastIndex(before, "\n1 prove "))
			if proof < 0 || proof < strings.LastIndex(before, "tolerationseconds: 30") {
				t.Errorf("%s does not say what has to be proven above %s", format, command)
			}
		}
	}
}

func TestTextTellsRemedies(t *testing.T) {
	two := rich()
	two.Incidents = two.Incidents[:2]                           // of more, the text tells less
	two.Incidents[0].Advice, two.Incidents[1].Advice = nil, nil // as in a report of an earlier version
	text := render(t, "text", two)
	for _, want := range []string{
		"If nothing is done, the wait never ends", "reproduces this incident to within", "what they save is never added up",
		"Applied when the bundle was collected", "Shortens by 2 min 22 s (52 s–3 min 52 s)",
		"Not known\n      delete-volume-attachment: A race",
		"No effect\n      fence-node: ", "The other remedies do not apply here", "Lengthens by 3 min 20 s (2 min 30 s–4 min 10 s)",
		"data risk: none; side effect: evicts pods at", "\n       data risk: none if verified: ", "\n       side effects: every pod on ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	withheld := rich()
	withheld.Incidents[0].Model = &model.ReplayModel{Withheld: "the first step that does not fit is the attach."}
	if !strings.Contains(render(t, "text", withheld), "No prediction: the first step that does not fit") {
		t.Error("the text does not say that predictions are withheld")
	}
}
