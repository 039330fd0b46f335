package clock

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// objects adds what objects record that no statement says.
func (t *table) objects(s *model.Snapshot, all []model.Observation) {
	for _, n := range s.Nodes {
		t.creation(n.Ref, n.Value().CreationTimestamp.Time, lag{}, cited(n, "metadata.creationTimestamp"))
	}
	for _, n := range s.CSINodes {
		t.creation(n.Ref, n.Value().CreationTimestamp.Time, lag{-2 * time.Second, 30 * time.Second},
			cited(n, "metadata.creationTimestamp"))
	}
	lost := lostNodes(s)
	for _, l := range s.Leases {
		if l.Ref.Namespace == "kube-node-lease" {
			if r := l.Value().Spec.RenewTime; r != nil && lost[l.Ref.Name] {
				m := model.Exactly(r.Time)
				t.add(objectSource(l.Ref, kubelet(l.Ref.Name)), "node lost "+l.Ref.Name, stated(m, beforeLost),
					cited(l, "spec.renewTime")("the last renewal of "+l.Ref.Name, m))
			}
			t.creation(l.Ref, l.Value().CreationTimestamp.Time, lag{-time.Second, 20 * time.Second},
				cited(l, "metadata.creationTimestamp"))
		}
	}
	for _, p := range s.Pods {
		t.starts(p)
	}
	t.collection(s, all)
}

// beforeLost is when the kubelet of a node that is still lost renewed its Lease at last: so long before as the controller waits, or longer,
// where it looked late.
var beforeLost = lag{-150 * time.Second, 2 * time.Second}

// untilCollected is when a source says something before the collection: at any time.
var untilCollected = lag{-100 * 365 * 24 * time.Hour, time.Minute}

// creation notes that the kubelet of a node created one of the objects that it creates when it joins. A Lease follows its first renewal.
func (t *table) creation(o model.Ref, at time.Time, l lag, w func(string, model.Moment) func() Witness) {
	if !at.IsZero() {
		m := model.WholeSecond(at)
		t.add(objectSource(o, APIServer), "node joined "+o.Name, stated(m, l), w(o.Kind+" "+o.Name+" was created", m))
	}
}

// cited is a field of an object as a witness.
func cited[T any](o model.Object[T], field string) func(string, model.Moment) func() Witness {
	return func(says string, m model.Moment) func() Witness {
		return func() Witness {
			w := Witness{Says: says, At: m.At}
			w.Source, w.Quote = o.SourceOf(field)
			return w
		}
	}
}

// copiesApart are the objects of which two copies of one UID have other times of creation, which nothing changes: one of the files was moved.
func copiesApart[T interface{ GetCreationTimestamp() metav1.Time }](list []model.Object[T]) (out []Offset) {
	first := map[string]int{}
	for n, o := range list {
		at, seen := first[o.Ref.UID]
		if !seen || o.Ref.UID == "" || o.Content == nil {
			first[o.Ref.UID] = n
			continue
		}
		of, a, b := objectSource(o.Ref, ""), o.Value().GetCreationTimestamp().Time, list[at].Value().GetCreationTimestamp().Time
		if b.Sub(a).Abs() <= tolerance || slices.ContainsFunc(out, func(x Offset) bool { return x.Source == of }) {
			continue
		}
		says := "the copy of " + o.Ref.String() + " here"
		own, other := cited(o, "metadata.creationTimestamp"), cited(list[at], "metadata.creationTimestamp")
		out = append(out, Offset{Source: of, Pairs: 1, Own: own(says, model.WholeSecond(a))(), Other: other(says, model.WholeSecond(b))()})
	}
	return out
}

// starts adds when the containers of a pod started, by the kubelet's clock, and when the kubelet first saw the pod.
func (t *table) starts(p model.Object[*corev1.Pod]) {
	pod, of := p.Value(), objectSource(p.Ref, kubelet(p.Value().Spec.NodeName))
	about := p.Ref.Namespace + "/" + p.Ref.Name
	for _, c := range pod.Status.ContainerStatuses {
		if r := c.State.Running; r != nil && !r.StartedAt.IsZero() {
			m := model.WholeSecond(r.StartedAt.Time)
			w := cited(p, "status.containerStatuses[0].state.running.startedAt")("a container of "+about+" started", m)
			t.add(of, "container started "+p.Ref.UID, stated(m, lag{-2 * time.Second, 2 * time.Second}), w)
			t.add(of, "container seen "+about, stated(m, lag{}), w)
		}
	}
}

// collection adds when the bundle was collected, where the collector says so, and what is written every few seconds until then.
func (t *table) collection(s *model.Snapshot, all []model.Observation) {
	if s.CapturedAt == nil || s.CapturedAt.Basis == model.Assumed || len(s.Collections) > 0 {
		return
	}
	at := *s.CapturedAt
	t.add(Source{collected, "", APIServer}, "collection", stated(at, lag{}), func() Witness {
		return Witness{Says: "the collection", At: at.At, Source: s.CapturedFrom.Source, Quote: model.Quote{Text: s.CapturedFrom.Text}}
	})
	t.renewals(s)
	t.heartbeats(s)
	t.future(all, at.Latest.Add(time.Minute))
}

// recorded is the source of what was recorded when it happened: metrics are of their scrapes, and a deletion that is asked for is to come.
func recorded(o *model.Observation) (Source, bool) {
	source, ok := sourceOf(o)
	if source.Stream == sampled || o.Source.Field == "metadata.deletionTimestamp" {
		return source, false
	}
	return source, ok && Timed(o)
}

// Timed reports that a source itself gives the time of a statement, with year and zone, and not as an age.
func Timed(o *model.Observation) bool { return !o.At.IsZero() && !o.Floating && o.Age == nil }

// future adds what a source says of a time after the collection. Where more than one stream does, it is the collector's clock that differs.
func (t *table) future(all []model.Observation, end time.Time) {
	newest := map[Source]*model.Observation{}
	stream := ""
	for i := range all {
		o := &all[i]
		source, ok := recorded(o)
		if !ok || o.At.Basis == model.Assumed || !o.At.Earliest.After(end) {
			continue
		}
		if stream != "" && source.Stream != stream {
			return
		}
		stream = source.Stream
		if n := newest[source]; n == nil || o.At.At.After(n.At.At) {
			newest[source] = o
		}
	}
	for _, source := range slices.SortedFunc(maps.Keys(newest), Source.compare) {
		o := newest[source]
		t.add(source, "collection", stated(o.At, untilCollected), func() Witness {
			return Witness{Says: string(o.Kind), At: o.At.At, Source: o.Source, Quote: o.Quote}
		})
	}
}

// renewals adds the newest renewal of the Leases of nodes, which kubelets renew every 10 s, and of the controllers', every 2 s, unless
// nobody held them any more.
func (t *table) renewals(s *model.Snapshot) {
	newest := map[bool]struct {
		at time.Time
		of model.Ref
		w  func(string, model.Moment) func() Witness
	}{}
	for _, l := range s.Leases {
		node := l.Ref.Namespace == "kube-node-lease"
		if !node && l.Ref.Name != "kube-controller-manager" {
			continue
		}
		if r := l.Value().Spec.RenewTime; r != nil && r.After(newest[node].at) {
			n := newest[node]
			n.at, n.of, n.w = r.Time, l.Ref, cited(l, "spec.renewTime")
			newest[node] = n
		}
	}
	for _, node := range []bool{true, false} {
		if n := newest[node]; !n.at.IsZero() {
			m := model.Exactly(n.at)
			before := lag{-15 * time.Second, 2 * time.Second}
			t.add(objectSource(n.of, Control), "collection", stated(m, before), n.w("the newest renewal", m))
		}
	}
}

// reported is how long before the collection a kubelet posted the status of a node that is Ready: it does every five minutes, changed or not.
var reported = lag{-6 * time.Minute, 2 * time.Second}

func (t *table) heartbeats(s *model.Snapshot) {
	for _, n := range s.Nodes {
		for i, c := range n.Value().Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue && !c.LastHeartbeatTime.IsZero() {
				m := model.WholeSecond(c.LastHeartbeatTime.Time)
				t.add(objectSource(n.Ref, kubelet(n.Ref.Name)), "collection", stated(m, reported),
					cited(n, fmt.Sprintf("status.conditions[%d].lastHeartbeatTime", i))("the newest status of "+n.Ref.Name, m))
			}
		}
	}
}
