package html

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// firstOf is the first screen of a page.
func firstOf(t *testing.T, r *model.Report) string {
	t.Helper()
	_, screen, _ := strings.Cut(render(t, r), `<section id="verdict"`)
	screen, _, _ = strings.Cut(screen, "<nav")
	return screen
}

// The first screen tells what was done, what would have been better, what waiting cost with its numbers, the floor, and what prevents it.
func TestAdviceOnTheFirstScreen(t *testing.T) {
	r := rich()
	r.Verdict.Incident, r.Incidents[0].Span.Down = "i1", true
	screen := firstOf(t, r)
	containsAll(t, screen, "<h2>What was done</h2>", "scaled to 0, by ada@example.com", "Caused the wait", `<li class="worse">`,
		"Better at that moment", "6 min 52 s sooner", "<h3>Prove</h3>", "<h3>Act</h3>", "<h3>After</h3>",
		`<svg class="curve"`, `aria-label="Down by the time of the action. Done at 06:07:31: down 1 min 10 s;`, "No action could have made it shorter than 1 min 10 s",
		"So that it does not happen again", `<td data-label="Effort">rollout</td>`, "Nothing tells how fast the agent is")
	if done, better := strings.Index(screen, "What was done"), strings.Index(screen, "Better at"); done > better {
		t.Error("of an incident that is over what was done comes first")
	}
	r.Verdict.Incident = "i2"
	containsAll(t, firstOf(t, r), "What to do now", "--replicas=0", "kubectl wait", "--replicas=1")
	r.Incidents[1].Advice.Now = nil
	r.Incidents[1].Span.Open, r.Incidents[1].MultiAttach.Ended, r.Incidents[1].Resolved = false, &r.Incidents[0].Span.To, true
	containsAll(t, firstOf(t, r), "What would have ended it sooner is not known")
}

// A command that decides stands with what its answers mean, which are not left to the other formats.
func TestAnswersOfACommand(t *testing.T) {
	r := rich()
	in := &r.Incidents[0]
	r.Verdict.Incident, r.Verdict.Open, in.Span.Open = in.ID, true, true
	in.Next = []model.NextStep{{Decides: "which node is lost", Command: "kubectl get nodes", Answers: []model.NextAnswer{{If: "NotReady", Then: "prove <it>"}}}}
	containsAll(t, firstOf(t, r), "See which node is lost", `<ul class="answers"><li>NotReady: prove &lt;it&gt;</li></ul>`)
}
