package truth

import (
	"slices"
	"strings"
	"time"
)

// Signs returns what a node's kubelet had posted last, for a node that was lost.
type Signs func(node string) (lease, status time.Time)

// Conclude fills in what the watches have seen until now.
func (h *History) Conclude(t *Truth, signs Signs) {
	h.mu.Lock()
	defer h.mu.Unlock()
	t.SnapshotAt = Now()
	t.Affected = h.affected(signs, t.SnapshotAt)
	t.Leaders = h.leaders
	t.Terminating, t.Attachments = []Terminating{}, []Attachment{}
	for _, p := range h.order {
		if p.gone.IsZero() && !p.deleted.IsZero() {
			t.Terminating = append(t.Terminating,
				Terminating{Namespace: p.namespace, Pod: p.name, UID: p.uid, Node: p.node, Owner: p.ownerKind + "/" + p.owner,
					Claims: p.claims, DeleteRequested: p.deleted, DeletionTimestamp: p.deletionValue, Grace: p.grace})
		}
	}
	for _, a := range h.attachments {
		t.Attachments = append(t.Attachments, *a)
	}
}

// affected makes one Affected of all reports of one pod about one volume.
func (h *History) affected(signs Signs, end Time) []*Affected {
	out := []*Affected{}
	known := map[string]*Affected{}
	for _, r := range h.reports {
		if a := known[r.UID+r.Volume]; a != nil {
			a.Events++
			a.Count += r.count
			a.Times.MultiAttachLastValue = r.last
			continue
		}
		p := h.pods[r.UID]
		if p == nil {
			continue
		}
		a := h.waiting(r, p)
		if b := h.blocking(r, p); b != nil {
			h.blocked(a, b, r, signs)
		}
		h.attached(a, r, p)
		h.recovered(a, r, p, end)
		a.Overlaps = h.overlaps(r.Volume, end)
		known[r.UID+r.Volume] = a
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b *Affected) int { return a.Times.MultiAttach.Compare(b.Times.MultiAttach.Time) })
	return out
}

func (h *History) waiting(r *Report, p *pod) *Affected {
	a := &Affected{Volume: r.Volume, Namespace: r.Namespace, NewPod: r.Pod, NewPodUID: r.UID, NewNode: p.node, Message: r.Message,
		Events: 1, Count: r.count,
		WorkloadKind: p.ownerKind, Workload: p.owner}
	if v, err := h.volumes.Get(r.Volume); err == nil && v.Spec.CSI != nil && v.Spec.ClaimRef != nil {
		a.Claim, a.Driver, a.Handle = v.Spec.ClaimRef.Name, v.Spec.CSI.Driver, v.Spec.CSI.VolumeHandle
	}
	if p.ownerKind == "ReplicaSet" { // a ReplicaSet is named after its Deployment and a hash
		a.WorkloadKind, a.Workload = "Deployment", p.owner[:strings.LastIndex(p.owner, "-")]
	}
	t := &a.Times
	t.NewPodCreated, t.NewPodScheduled, t.NewPodReady = p.created, p.scheduled, p.ready
	t.MultiAttach, t.MultiAttachValue, t.MultiAttachLastValue = r.seen, r.first, r.last
	a.Mirror = !p.ready.IsZero() && p.ready.Before(r.seen.Time)
	if !p.ready.IsZero() {
		s := p.ready.Sub(r.seen.Time).Seconds()
		a.Resolved, a.Waited = true, &s
	}
	return a
}

// blocking is the attachment to another node that there was when the report arrived, or just before.
func (h *History) blocking(r *Report, p *pod) *Attachment {
	var b *Attachment
	for _, v := range h.attachments {
		if v.Volume == r.Volume && v.Node != p.node && v.Created.Before(r.seen.Time) &&
			(v.Gone.IsZero() || v.Gone.After(r.seen.Add(-2*time.Second))) {
			b = v
		}
	}
	return b
}

// blocked describes what the pod waits for: the attachment, its node, and the pod there that has the claim.
func (h *History) blocked(a *Affected, b *Attachment, r *Report, signs Signs) {
	a.Blocking, a.OldNode, a.DetachError = b.Name, b.Node, b.detachError
	t := &a.Times
	t.OldDeletion, t.OldGone, t.OldDetachError = b.Deletion, b.Gone, b.FirstDetachError
	for _, p := range h.order {
		if p.namespace != r.Namespace || p.node != b.Node || p.uid == r.UID || p.created.After(r.seen.Time) ||
			!slices.Contains(p.claims, a.Claim) {
			continue
		}
		a.OldPod, a.OldPodUID = p.name, p.uid
		t.OldPodDelete, t.OldPodDeletionValue, t.OldPodGone, t.OldPodTerminal = p.deleted, p.deletionValue, p.gone, p.terminal
	}
	n := h.nodes[b.Node]
	if n == nil {
		return
	}
	t.NodeNotReady, t.NodeUnreachable, t.NodeReadyAgain, t.NodeOutOfService, t.NodeGone = n.notReady, n.unreachable,
		n.readyAgain, n.outOfService, n.gone
	if !n.notReady.IsZero() {
		lease, status := signs(b.Node)
		t.LastHeartbeat, t.LastLease, t.LastStatus = n.heartbeat, Time{lease}, Time{status}
	}
}

// attached finds the attachment that the waiting pod got.
func (h *History) attached(a *Affected, r *Report, p *pod) {
	for _, v := range h.attachments {
		if v.Volume == r.Volume && v.Node == p.node && v.Created.After(r.seen.Time) {
			a.New, a.Times.NewCreated, a.Times.NewAttached = v.Name, v.Created, v.Attached
			return
		}
	}
}

// recovered finds the pod whose readiness ended the wait: the one that waited or, once that is deleted, the first that was Ready with the
// claim. What becomes Ready beside a pod that waits is another replica.
func (h *History) recovered(a *Affected, r *Report, waiter *pod, end Time) {
	var who *pod
	var when Time
	for _, p := range h.order {
		if p.namespace != a.Namespace || !slices.Contains(p.claims, a.Claim) {
			continue
		}
		if len(p.everReady) == 0 || !p.everReady[0].After(r.seen.Time) || p.everReady[0].After(end.Time) {
			continue // never, or all along
		}
		if !p.deleted.IsZero() && p.deleted.Before(p.everReady[0].Time) {
			continue
		}
		waits := !waiter.ready.IsZero() || waiter.deleted.IsZero() || p.everReady[0].Before(waiter.deleted.Time)
		if p != waiter && !a.Mirror && waits {
			continue
		}
		if who == nil || p.everReady[0].Before(when.Time) {
			who, when = p, p.everReady[0]
		}
	}
	if who == nil {
		a.Resolved = a.Resolved || h.unwanted(a, waiter)
		return
	}
	a.Resolved = true
	a.RecoveredPod, a.RecoveredPodUID, a.RecoveredNode, a.Times.Recovered = &who.name, &who.uid, &who.node, when
	for _, v := range h.attachments {
		if v.Volume == r.Volume && v.Node == who.node && v.Created.Before(when.Time) && (v.Gone.IsZero() || v.Gone.After(when.Time)) {
			a.RecoveredVA, a.Times.RecoveredCreated, a.Times.RecoveredAttached = &v.Name, v.Created, v.Attached
		}
	}
}

// unwanted: the pod that waited is gone, and none waits in its place.
func (h *History) unwanted(a *Affected, waiter *pod) bool {
	return !waiter.gone.IsZero() && !slices.ContainsFunc(h.order, func(p *pod) bool {
		return p.namespace == a.Namespace && slices.Contains(p.claims, a.Claim) && p.gone.IsZero() && !p.isReady
	})
}

func (h *History) overlaps(volume string, end Time) []Overlap {
	out := []Overlap{}
	until := func(a *Attachment) time.Time {
		if a.Gone.IsZero() {
			return end.Time
		}
		return a.Gone.Time
	}
	for i, x := range h.attachments {
		for _, y := range h.attachments[i+1:] {
			if x.Volume != volume || y.Volume != volume {
				continue
			}
			from, to := y.Created.Time, until(x)
			if u := until(y); u.Before(to) {
				to = u
			}
			if from.Before(to) {
				out = append(out, Overlap{First: x.Name, FirstNode: x.Node, Second: y.Name, SecondNode: y.Node, From: Time{from}, To: Time{to}})
			}
		}
	}
	return out
}
