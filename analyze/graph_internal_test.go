package analyze

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/model"
)

// TestNodeOfGraph: a node's state is that of its object, which may show none, else what the wait says of it, else what was said of it last.
func TestNodeOfGraph(t *testing.T) {
	s := &model.Snapshot{}
	for name, status := range map[string]corev1.ConditionStatus{"up": corev1.ConditionTrue, "down": corev1.ConditionUnknown, "mute": ""} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if status != "" {
			node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: status}}
		}
		s.Nodes = append(s.Nodes, model.Object[*corev1.Node]{Ref: nodeRef(name), Content: model.Whole(node)})
	}
	for _, name := range []string{"said", "mute"} {
		s.Observations = append(s.Observations, model.Observation{Kind: model.NodeDeleted, Node: name, At: model.Exactly(model.T), Last: model.Exactly(model.T), Count: 1})
	}
	w := facts.NewWorld(s)
	for _, c := range []struct{ name, state, want string }{
		{"up", "", "Ready"}, {"up", "deleted", "Ready"}, {"down", "", "NotReady"}, {"mute", "Ready", "deleted"},
		{"said", "", "deleted"}, {"said", "NotReady", "NotReady"}, {"other", "", ""}, {"other", "deleted", "deleted"},
	} {
		g := newGraph()
		if got := g.nodes[g.addNode(w, c.name, c.state)].State; got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.name, c.state, got, c.want)
		}
	}
}

// TestLastState: an object is what its lane ends with, if nothing ended it. Of what blocked, the time until which it did is said, but not where it blocks again.
func TestLastState(t *testing.T) {
	at := facts.Instant{Moment: model.Exactly(model.T)}
	is := func(word model.StateWord) lanes.State { return lanes.State{Word: word, From: at} }
	ended := lanes.State{Word: model.StateWaiting, From: at, To: at}
	clock := model.TimeOfDay(model.T)
	for _, c := range []struct {
		role   model.LaneRole
		states []lanes.State
		want   string
	}{
		{model.RoleBlocking, []lanes.State{is(model.StateBlocking)}, "blocking"},
		{model.RoleBlocking, []lanes.State{is(model.StateBlocking), is(model.StateDetaching)}, "blocking"},
		{model.RoleBlocking, []lanes.State{is(model.StateBlocking), is(model.StateGone)}, "blocked until " + clock},
		{model.RoleBlocking, []lanes.State{is(model.StateGone), is(model.StateAttached)}, "blocked until " + clock},
		{model.RoleBlocking, []lanes.State{is(model.StateGone), is(model.StateBlocking)}, "blocking"},
		{model.RoleBlocking, []lanes.State{is(model.StateBlocking), {Word: model.StateGone}}, "blocked"},
		{model.RoleBlocking, []lanes.State{is(model.StateBlocking), is(model.StateAttached)}, "blocked"},
		{model.RoleAttachment, []lanes.State{is(model.StateAttached)}, "attached " + clock},
		{model.RoleAttachment, []lanes.State{{Word: model.StateAttached}}, "attached"},
		{model.RoleAttachment, []lanes.State{is(model.StateAttached), is(model.StateGone)}, "gone"},
		{model.RoleNewPod, []lanes.State{is(model.StateWaiting)}, "waiting for the volume"},
		{model.RoleNewPod, []lanes.State{ended}, ""},
		{model.RoleNewPod, []lanes.State{is(model.StatePending)}, ""},
		{model.RoleNewPod, nil, ""},
	} {
		if got := lastState(&lanes.Lane{Role: c.role, States: c.states}); got != c.want {
			t.Errorf("%s, %v: %q, want %q", c.role, c.states, got, c.want)
		}
	}
}
