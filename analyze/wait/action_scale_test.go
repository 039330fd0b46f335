package wait_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestScalings: what the events of a Deployment's ReplicaSets say of the Deployment: scaled to zero and back, or up; a rollout, which
// does both of two ReplicaSets, is neither.
func TestScalings(t *testing.T) {
	event := model.SourceEvent
	db := model.Ref{Kind: "Deployment", Namespace: "prod", Name: "db"}
	step := func(at float64, text string) *model.Observation {
		return change(of(model.WorkloadScaled, at, detail(text), event), func(o *model.Observation) { o.Object = db })
	}
	set := func(name string, replicas int32) *appsv1.ReplicaSet {
		return &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name, OwnerReferences: owned("Deployment", "db")},
			Spec: appsv1.ReplicaSetSpec{Replicas: &replicas}}
	}
	none := set("db-none", 0)
	none.Spec.Replicas = nil
	down, up := step(-60, "Scaled down replica set db-1 from 1 to 0"), step(-40, "Scaled up replica set db-1 from 0 to 1")
	const both = "scaled to 0 replicas@-60, scaled to 1 replica@-40"
	for _, tt := range []struct {
		rule string
		list things
		want string
	}{
		{"to zero and back", things{down, up}, both},
		{"in the older wording", things{step(-60, "Scaled down replica set db-1 to 0"), step(-40, "Scaled up replica set db-1 to 1")}, both},
		{"in the wording of 1.25", things{step(-60, "Scaled down replica set db-1 to 0 from 1"),
			step(-40, "Scaled up replica set db-1 to 1 from 0")}, both},
		{"to zero only", things{down}, ""},
		{"back only", things{up}, ""},
		{"another came back: a rollout", things{down, step(-40, "Scaled up replica set db-2 from 0 to 1")}, ""},
		{"another has pods: a rollout", things{down, up, set("db-2", 1)}, ""},
		{"another has none", things{down, up, set("db-2", 0)}, both},
		{"another does not say", things{down, up, none}, both},
		{"both at once, which keeps their order", things{step(-40, "Scaled up replica set db-1 from 0 to 1"),
			step(-60, "Scaled down replica set db-1 from 1 to 0")}, both},
		{"in one second, to zero first", things{step(-60, "Scaled up replica set db-2 from 0 to 1"),
			step(-60, "Scaled down replica set db-1 from 1 to 0")}, ""},
		{"two to zero within two seconds, the first back", things{step(-62, "Scaled down replica set db-2 from 1 to 0"), down,
			step(-40, "Scaled up replica set db-2 from 0 to 1")}, both},
		{"two to zero, the second back", things{step(-62, "Scaled down replica set db-2 from 1 to 0"), down, up}, both},
		{"the first long before is a rollout's", things{step(-62.1, "Scaled down replica set db-2 from 1 to 0"), down,
			step(-40, "Scaled up replica set db-2 from 0 to 1")}, ""},
		{"to zero, told twice", things{times(2, -60, step(-62, "Scaled down replica set db-1 from 1 to 0")), up},
			"scaled to 0 replicas@-62, scaled to 1 replica@-40"},
		{"to zero, back, and back again", things{down, up, step(-20, "Scaled up replica set db-1 from 1 to 2")},
			both + ", scaled to 2 replicas@-20"},
		{"grew: the only one", things{step(-40, "Scaled up replica set db-1 from 1 to 2")}, "scaled to 2 replicas@-40"},
		{"grew from none", things{step(-40, "Scaled up replica set db-1 from 0 to 2")}, ""},
		{"grew from what is not told", things{step(-40, "Scaled up replica set db-1 to 2")}, ""},
		{"shrank", things{step(-40, "Scaled down replica set db-1 from 2 to 1")}, "scaled to 1 replica@-40"},
		{"shrank beside another: a rollout", things{step(-40, "Scaled down replica set db-1 from 2 to 1"), set("db-2", 1)}, ""},
		{"shrank to none", things{step(-40, "Scaled down replica set db-1 from 2 to 0")}, ""},
		{"shrank from what is not told", things{step(-40, "Scaled down replica set db-1 to 1")}, ""},
		{"stayed", things{step(-40, "Scaled up replica set db-1 from 2 to 2")}, ""},
		{"grew beside another", things{step(-40, "Scaled up replica set db-1 from 1 to 2"), set("db-2", 1)}, ""},
		{"an event that stands for two", things{times(2, -40, step(-60, "Scaled up replica set db-1 from 1 to 2"))},
			"scaled to 2 replicas@-60, scaled to 2 replicas@-40"},
		{"an event that stands for three", things{times(3, -40, step(-60, "Scaled up replica set db-1 from 1 to 2"))}, ""},
		{"without a time", things{timeless(change(step(0, "Scaled up replica set db-1 from 1 to 2"),
			func(o *model.Observation) { o.Age = &model.Range{} }))}, ""},
		{"a wording that is not known ends it", things{down, up, step(-30, "Scaled something")}, ""},
		{"no number", things{step(-40, "Scaled up replica set db-1 from 1 to two")}, ""},
		{"nor the first", things{step(-40, "Scaled up replica set db-1 from one to 2")}, ""},
		{"no number in the older wording", things{down, up, step(-30, "Scaled up replica set db-1 to two")}, ""},
		{"no number in that of 1.25", things{down, up, step(-30, "Scaled up replica set db-1 to 2 from one")}, ""},
		{"nor the first of that", things{down, up, step(-30, "Scaled up replica set db-1 to two from 1")}, ""},
		{"four words", things{down, up, step(-30, "Scaled up replica set db-1 to 2 replicas")}, ""},
		{"five other words", things{down, up, step(-30, "Scaled up replica set db-1 by 2 for 1")}, ""},
		{"a log line tells nothing", things{change(step(-40, "Scaled up replica set db-1 from 1 to 2"),
			func(o *model.Observation) { o.Source.Kind = model.SourceLog })}, ""},
		{"a change of the template does not either",
			things{change(step(-40, "Scaled up replica set db-1 from 1 to 2"), func(o *model.Observation) { o.Kind = model.WorkloadChanged })},
			"changed-template"},
		{"of another Deployment", things{change(step(-40, "Scaled up replica set db-1 from 1 to 2"),
			func(o *model.Observation) { o.Object.Name = "web" })}, ""},
		{"long before the wait", things{step(-900, "Scaled up replica set db-1 from 1 to 2")}, ""},
	} {
		waiting := change(report(), func(o *model.Observation) { o.Owner = db })
		var got []string
		for _, a := range wait.Actions(waitOf(t, append(tt.list, waiting, of(model.PodReady, 100, newPod))...)) {
			if a.What != wait.Scaled {
				got = append(got, string(a.What))
				continue
			}
			if a.At.Latest.Sub(a.At.Earliest).Seconds() != 1 || !a.Inferred || a.ByPerson != model.Unknown || a.Object != db ||
				len(a.At.Witness) != 1 {
				t.Errorf("%s: %+v", tt.rule, a)
			}
			got = append(got, fmt.Sprintf("%s@%.4g", a.Detail, a.At.At.Sub(at(0)).Seconds()))
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, text, tt.want)
		}
	}
}
