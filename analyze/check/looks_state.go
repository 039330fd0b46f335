package check

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// nodesNotReady finds nodes that are not Ready: the Nodes of the bundle, and of others what tables, Events, logs and metrics said last.
func nodesNotReady(w *facts.World) answer {
	var found seen
	for _, n := range w.Nodes {
		if r := w.Readiness(n.Ref.Name); r.Known && !r.Ready {
			found.add(n.Ref.Name, r.Shown...)
		}
	}
	for _, o := range lastReadiness(w) {
		if _, here := w.Node(o.Node); here || o.Kind != model.NodeNotReady {
			continue
		}
		if o.At.IsZero() {
			found.add(o.Node, o)
		} else {
			found.add(fmt.Sprintf("%s (from %s, and nothing later tells of it)", o.Node, model.Stamp(o.At.At)), o)
		}
	}
	return found.yes("Not Ready: %s.")
}

// lastReadiness is the last statement on each node's readiness or end, by name. One without a time is of the collection, and so the last.
func lastReadiness(w *facts.World) []*model.Observation {
	newest := map[string]*model.Observation{}
	for _, kind := range []model.Kind{model.NodeReady, model.NodeSampledReady, model.NodeNotReady, model.NodeDeleted} {
		for _, o := range w.ByKind[kind] {
			was := newest[o.Node]
			if o.Node != "" && (was == nil || !was.At.IsZero() && (o.At.IsZero() || o.Last.At.After(was.Last.At))) {
				newest[o.Node] = o
			}
		}
	}
	return facts.Each(slices.Sorted(maps.Keys(newest)), func(n string) *model.Observation { return newest[n] })
}

// lostNodesOff answers whether a lost node still runs: no where all Nodes are Ready, or tainted as shut down by the cloud.
func lostNodesOff(w *facts.World) answer {
	var a answer
	var off, open []string
	for _, n := range w.Nodes {
		if r := w.Readiness(n.Ref.Name); !r.Known || r.Ready {
			continue
		}
		i := slices.IndexFunc(n.Value().Spec.Taints, func(t corev1.Taint) bool { return t.Key == upstream.ShutdownTaint })
		if i < 0 {
			open = append(open, n.Ref.Name)
			continue
		}
		off = append(off, n.Ref.Name)
		a.shown = append(a.shown, facts.Cite(n, fmt.Sprintf("spec.taints[%d].key", i)))
	}
	switch {
	case len(off) > 0 && len(open) == 0:
		a.no, a.text = true, fmt.Sprintf("The cloud says of %s that the machine is shut down (taint %s).",
			words.List(off), upstream.ShutdownTaint)
	case len(off) > 0:
		a.text = fmt.Sprintf("The cloud says of %s that the machine is shut down (taint %s); nothing shows it of %s. A stale Lease proves no end.",
			words.List(off), upstream.ShutdownTaint, words.List(open))
	case len(open) == 0 && nodesListed(w) && len(facts.Where(lastReadiness(w), goneUnready(w))) == 0:
		a.no, a.text = true, fmt.Sprintf("No node is lost: %s of the bundle, each Ready.", words.Count(len(w.Nodes), "Node"))
	}
	return a
}

// goneUnready reports that a node without an object was last not Ready, or deleted: its machine may run.
func goneUnready(w *facts.World) func(*model.Observation) bool {
	return func(o *model.Observation) bool {
		_, here := w.Node(o.Node)
		return !here && (o.Kind == model.NodeNotReady || o.Kind == model.NodeDeleted)
	}
}

// podsWaiting finds pods without an object that wait long for their containers, by metrics or a pasted list with ages.
func podsWaiting(w *facts.World) answer {
	var found seen
	rows := facts.Where(w.ByKind[model.PodNotReady], func(o *model.Observation) bool {
		return o.Source.Kind == model.SourceText && o.At.IsZero() && o.Detail != "" && oldRow(w, o)
	})
	for _, o := range append(rows, facts.Where(w.ByKind[model.PodWaiting], func(o *model.Observation) bool {
		return o.Last.At.Sub(o.At.At) >= startPatience && atLastScrape(w, o)
	})...) {
		if _, here := w.Pod(o.Pod); !here { // else the object shows it
			found.add(o.Pod.String(), o)
		}
	}
	return found.yes("Waiting for containers for more than five minutes at the last that metrics or lists tell: %s.")
}

// oldRow reports that the row of a list shows its pod to be older than a pod may take to start.
func oldRow(w *facts.World, o *model.Observation) bool {
	return slices.ContainsFunc(w.OfPod(o.Pod), func(c *model.Observation) bool {
		return c.Kind == model.PodCreated && c.Source.Path == o.Source.Path && c.Source.Line == o.Source.Line &&
			c.Age != nil && c.Age.Min >= startPatience.Seconds()
	})
}

// atLastScrape reports that a sampled state lasted until two scrapes before the end of its metrics at least.
func atLastScrape(w *facts.World, o *model.Observation) bool {
	i := slices.IndexFunc(w.Snapshot.Metrics, func(m model.MetricSource) bool { return m.Path == o.Source.Path && !m.To.IsZero() })
	return i >= 0 && w.Snapshot.Metrics[i].To.Sub(o.Last.At) <= max(2*w.Snapshot.Metrics[i].Interval, 2*time.Minute)
}

// claimsPending finds Pending claims without a finding, and claims outside of the bundle whose provisioner failed last.
func claimsPending(w *facts.World) answer {
	var found seen
	for _, p := range pendingClaims(w) {
		addObject(&found, p.Ref.String(), p.claim, "status.phase")
	}
	failed := facts.Where(w.ByKind[model.ProvisionFailed], func(o *model.Observation) bool { // that it waits for a provisioner every claim says
		_, here := w.Claim(o.Claim.Namespace, o.Claim.Name)
		return !here && o.Claim.Name != "" && !provisionedSince(w, o)
	})
	for _, g := range grouped(failed, func(o *model.Observation) string { return o.Claim.String() }) {
		o := g[0]
		found.add(o.Claim.String()+" (not in the bundle; its provisioner failed, and nothing later tells of a volume)", o)
	}
	if len(found.names) == 0 && needClaims.Met(w) { // the checks say why one is Pending, for which they need more
		return answer{no: true, text: fmt.Sprintf("Not among %s of the bundle.", words.Count(len(w.Claims), "PersistentVolumeClaim"))}
	}
	return found.yes("Pending: %s.")
}

// rows are pasted rows and descriptions of claims and volumes in one of some states, of objects that the bundle does not hold.
func rows(w *facts.World, states ...string) []*model.Observation {
	return facts.Where(w.ByKind[model.VolumeBound], func(o *model.Observation) bool {
		_, claim := w.Claim(o.Object.Namespace, o.Object.Name)
		_, pv := w.PV(o.Object.Name)
		return o.Source.Kind == model.SourceText && slices.Contains(states, o.Detail) &&
			(o.Object.Kind == "PersistentVolumeClaim" && !claim || o.Object.Kind == "PersistentVolume" && !pv)
	})
}

// objectsIn are the claims and volumes of the bundle that are Lost, or Terminating for longer than a provisioner pauses.
func objectsIn(w *facts.World, states []string) []*model.Observation {
	var out []*model.Observation
	add := func(state string, shown *model.Observation) {
		if shown != nil && slices.Contains(states, state) {
			shown.Detail = state
			out = append(out, shown)
		}
	}
	held := func(m metav1.ObjectMeta) bool {
		return m.DeletionTimestamp != nil && len(m.Finalizers) > 0 && atLeast(w, *m.DeletionTimestamp) >= provisionPatience
	}
	for _, c := range w.Claims {
		if c.Value().Status.Phase == corev1.ClaimLost {
			add("Lost", facts.Cite(c, "status.phase"))
		}
		if held(c.Value().ObjectMeta) {
			add("Terminating", facts.Cite(c, "metadata.finalizers[0]"))
		}
	}
	for _, pv := range w.PVs {
		if held(pv.Value().ObjectMeta) {
			add("Terminating", facts.Cite(pv, "metadata.finalizers[0]"))
		}
	}
	return out
}

// inState looks for objects and rows of one of some states.
func inState(states ...string) func(*facts.World) answer {
	return func(w *facts.World) answer {
		list := append(objectsIn(w, states), rows(w, states...)...)
		if len(list) == 0 {
			return answer{}
		}
		o := list[0]
		return answer{yes: true, text: fmt.Sprintf("%s %s is %s.", o.Object.Kind, o.Object, o.Detail), shown: list[:min(len(list), maxShown)]}
	}
}

// provisionedSince reports that a claim got its volume after an observation, as far as its Events and bindings show.
func provisionedSince(w *facts.World, o *model.Observation) bool {
	if w.Volumes.OfClaim(o.Claim.Namespace, o.Claim.Name) != nil {
		return true
	}
	return slices.ContainsFunc(w.ClaimEvents(o.Claim), func(e *model.Observation) bool {
		return e.Kind == model.KubernetesEvent && e.Detail == "ProvisioningSucceeded" && !e.Last.At.Before(o.Last.At)
	})
}

// stillBlocked reports that the waiting pod, the attachment or records up to the collection show the state of an open incident then.
func stillBlocked(w *facts.World) func(model.Incident) bool {
	last := recordsLast(w)
	return func(in model.Incident) bool {
		b := in.BlockingAttachment
		return last || b.Name != nil && b.NameBasis == model.NameSnapshot || slices.ContainsFunc(in.To.Pods, func(p model.Ref) bool {
			obj, ok := w.Pod(p)
			return ok && obj.Value().Status.Phase == corev1.PodPending && obj.Value().DeletionTimestamp == nil || listedNow(w, p, model.PodNotReady)
		})
	}
}

// oldPodStays reports that something shows the old pod of an incident at the collection.
func oldPodStays(w *facts.World) func(model.Incident) bool {
	last := recordsLast(w)
	return func(in model.Incident) bool {
		return last || slices.ContainsFunc(in.From.Pods, func(p model.Ref) bool {
			_, ok := w.Pod(p)
			return ok || listedNow(w, p, model.PodReady, model.PodNotReady, model.PodScheduled)
		})
	}
}

// listedNow reports a row about a pod in a pasted list, which has no time and shows the state at the collection.
func listedNow(w *facts.World, p model.Ref, kinds ...model.Kind) bool {
	all := append(slices.Clip(w.OfPod(p)), w.OfPod(model.Ref{Kind: p.Kind, Name: p.Name})...) // a list can lack the column of the namespace
	return slices.ContainsFunc(all, func(o *model.Observation) bool {
		return o.Source.Kind == model.SourceText && o.At.IsZero() && slices.Contains(kinds, o.Kind)
	})
}

// longSilent is how long before the collection the controller's log may end and still show the state then.
const longSilent = 15 * time.Minute

// recordsLast reports that Events, metrics or the controller log reach to the collection, and would show the end of a wait.
func recordsLast(w *facts.World) bool {
	if w.EventsCover() || w.MetricsCover() != nil {
		return true
	}
	at := w.Axis.CapturedAt
	return at != nil && w.LogCovers() && slices.ContainsFunc(w.Axis.Inputs, func(in model.Input) bool {
		return in.Component == controllerLog && in.To != nil && at.Earliest.Sub(*in.To) <= longSilent
	})
}
