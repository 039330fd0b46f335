package report

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

func TestTextWidth(t *testing.T) {
	for _, c := range fixtures() {
		commands := map[string]bool{} // a command that is broken cannot be copied
		for _, in := range newView(c.report).Incident {
			for _, r := range in.Remediations {
				for _, command := range r.Commands {
					commands[words.OneLine(command)] = true
				}
			}
		}
		for i, line := range strings.Split(render(t, "text", c.report), "\n") {
			if words.Columns(line) > textWidth && !commands[strings.TrimPrefix(line, "         ")] && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s line %d has %d columns: %s", c.name, i+1, words.Columns(line), line)
			}
		}
	}
}

func TestTextDoesNotDrown(t *testing.T) {
	for _, n := range []int{3, 25, 200} {
		if lines := strings.Count(render(t, "text", many(n)), "\n"); lines > 220 {
			t.Errorf("%d incidents take %d lines", n, lines)
		}
	}
	// Eight lost nodes are eight groups.
	r := many(8)
	for i := range r.Incidents {
		r.Groups = append(r.Groups, model.Group{ID: "n" + r.Incidents[i].ID, Title: "Node lost", Incidents: []string{r.Incidents[i].ID}})
	}
	r.Groups = r.Groups[1:]
	if lines := strings.Count(render(t, "text", r), "\n"); lines > 350 {
		t.Errorf("8 groups take %d lines", lines)
	}
	if text := render(t, "text", many(200)); !strings.Contains(text, "and 170 more") {
		t.Error("the incidents that are left out are not counted")
	}
}

func TestTextSaysWhatIsThere(t *testing.T) {
	text := render(t, "text", rich())
	for _, want := range []string{
		"RESOLVED · 14 min 1 s", "\nTHE ANSWER\n", model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", richOld),
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

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		in   model.Range
		want string
	}{
		{model.Range{Best: 420.1, Min: 419.9, Max: 420.3}, "7 min"},
		{model.Range{Best: 420.1, Min: 420.1, Max: 420.1}, "7 min"},
		{model.Range{Best: 420.1, Min: 420.12, Max: 420.14}, "7 min"},
		{model.Range{Best: 0.007, Min: 0.007, Max: 0.007}, "7 ms"},
		{model.Range{}, "0 s"},
		{model.Range{Best: 28, Min: -92, Max: 30}, "28 s (−1 min 32 s to 30 s)"},
		{model.Range{Best: 59.96, Min: 59.96, Max: 59.96}, "1 min"},
		{model.Range{Best: 3725.4, Min: 3725.4, Max: 3725.4}, "1 h 2 min"},
		{model.Range{Best: 3599.96, Min: 3599.96, Max: 3599.96}, "1 h"},
		{model.Range{Best: 200000, Min: 200000, Max: 200000}, "2 d 7 h"},
	} {
		if got := span(c.in); got != c.want {
			t.Errorf("span(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestInstant(t *testing.T) {
	base := time.Date(2026, 11, 21, 6, 12, 32, 164_000_000, time.UTC)
	for _, c := range []struct {
		in   model.Moment
		want string
	}{
		{model.Exactly(base), "2026-11-21 06:12:32.164 UTC"},
		{model.WholeSecond(base), "2026-11-21 06:12:32 UTC"},
		{model.Between(base, base.Add(4*time.Second)), "2026-11-21 06:12:34 UTC ± 2 s"},
		{model.Exactly(base).Widen(0, 5*time.Second), "2026-11-21 06:12:32 UTC (−0 s +5 s)"},
		{model.Moment{}, "unknown"},
		{model.Exactly(model.T.Add(373 * time.Second)).As(model.Assumed), "T+6m13s"},
		{model.Exactly(model.T).As(model.Assumed).Widen(8*time.Second, time.Second), "T+0s (−8 s +1 s)"},
		{model.Exactly(base.AddDate(model.StandInYear-2026, 0, 0)).As(model.Assumed), "Nov 21 06:12:32.164"},
		{model.WholeSecond(base.AddDate(model.StandInYear-2026, 0, 0)).As(model.Derived), "Nov 21 06:12:32"},
		{model.Exactly(base.AddDate(model.StandInYear-2026, 0, 0)), "2000-11-21 06:12:32.164 UTC"}, // by a clock that was never set
	} {
		if got := instant(c.in); got != c.want {
			t.Errorf("instant(%v) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{{0, "T+00:00.0"}, {392.25, "T+06:32.3"}, {-3723.4, "T−1:02:03.4"}, {59.96, "T+01:00.0"}} {
		if got := offset(start, start.Add(time.Duration(c.seconds*float64(time.Second)))); got != c.want {
			t.Errorf("offset of %v = %q, want %q", c.seconds, got, c.want)
		}
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		start, width float64
		want         string
	}{
		{0, 1, strings.Repeat("█", 32)},
		{0, 0.5, strings.Repeat("█", 16) + strings.Repeat("·", 16)},
		{1, 0, strings.Repeat("·", 31) + "▏"},
		{0.5, 0.001, strings.Repeat("·", 16) + "▏" + strings.Repeat("·", 15)},
	} {
		if got := bar(phaseView{Start: c.start, Width: c.width}); got != c.want {
			t.Errorf("bar(%v, %v) = %q, want %q", c.start, c.width, got, c.want)
		}
	}
}

// A stack has the letter of the phase in the middle of each column, "~" up to the latest end, and ">" where the wait went on.
func TestStackLine(t *testing.T) {
	parts := []stackPart{{Letter: "e", From: 0, To: 0.5}, {Letter: "r", From: 0.5, To: 0.75}}
	for _, c := range []struct {
		in   stack
		want string
	}{
		{stack{Parts: parts, End: 0.75, Late: 0.75}, "eeeerr  "},
		{stack{Parts: parts, End: 0.75, Late: 1}, "eeeerr~~"},
		{stack{Parts: parts, End: 0.75, Late: 0.75, Open: true}, "eeeer>  "},
		{stack{Parts: parts, End: 0.001, Late: 0.001}, "e       "},
		{stack{End: 0.5, Late: 0.5}, "····    "},
	} {
		if got := c.in.line(8); got != c.want {
			t.Errorf("%+v is drawn %q, want %q", c.in, got, c.want)
		}
	}
}

// Whatever has to be proven stands above the commands of a remedy with a risk for the data, in both outputs.
func TestProofStandsAboveCommands(t *testing.T) {
	for _, format := range []string{"text", "html"} {
		two := rich()
		two.Incidents = two.Incidents[:2]
		out := render(t, format, two)
		for _, command := range []string{"kubectl taint node " + richOld, "kubectl patch volumeattachment x"} {
			at := strings.Index(out, command)
			if at < 0 {
				t.Fatalf("%s lacks the command %s", format, command)
			}
			before := strings.ToLower(out[:at])
			proof := max(strings.LastIndex(before, "data risk: none once proven: "), strings.LastIndex(before, "data risk: certain: "), strings.LastIndex(before, "to be proven first:"), strings.LastIndex(before, "<h3>prove</h3>"))
			if proof < 0 || proof < strings.LastIndex(before, "tolerationseconds: 30") {
				t.Errorf("%s does not say what has to be proven above %s", format, command)
			}
		}
	}
}

func TestTextTellsRemedies(t *testing.T) {
	two := rich()
	two.Incidents = two.Incidents[:2] // of more, the text tells less
	text := render(t, "text", two)
	for _, want := range []string{
		"If nothing is done, the wait never ends", "reproduces this incident to within", "what they save is never added up",
		"Applied when the bundle was collected", "Shortens by 2 min 22 s (52 s–3 min 52 s)", "Cannot be told\n      delete-volume-attachment: A race",
		"No effect\n      fence-node: ", "The other remedies do not apply here", "Lengthens by 3 min 20 s (2 min 30 s–4 min 10 s)",
		"data risk: none; side effect: evicts pods at", "\n       data risk: none once proven: ", "\n       side effects: every pod on ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q", want)
		}
	}
	withheld := rich()
	withheld.Incidents[0].Model = &model.ReplayModel{Withheld: "the first step that does not fit is the attach."}
	if !strings.Contains(render(t, "text", withheld), "No prediction is made: the first step that does not fit") {
		t.Error("the text does not say that predictions are withheld")
	}
}
