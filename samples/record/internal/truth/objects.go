package truth

import (
	"regexp"

	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

type pod struct {
	namespace, name, uid, node, ownerKind, owner string

	claims                                                            []string
	created, scheduled, deleted, deletionValue, ready, terminal, gone Time
	grace                                                             int64
	everReady                                                         []Time // each time that it became Ready
	isReady                                                           bool
}

type node struct {
	notReady, unreachable, readyAgain, outOfService, gone, heartbeat Time

	everReady bool // a node that has just registered is not a lost one
}

// first sets t to the present, once.
func first(t *Time, when bool) {
	if when && t.IsZero() {
		*t = Now()
	}
}

func (h *History) pod(p *v1.Pod, gone bool) {
	x := h.pods[string(p.UID)]
	if x == nil {
		x = newPod(p)
		h.pods[x.uid] = x
		h.order = append(h.order, x)
	}
	if gone {
		x.gone = Now()
		return
	}
	x.node = p.Spec.NodeName
	first(&x.scheduled, p.Spec.NodeName != "")
	first(&x.terminal, p.Status.Phase == v1.PodSucceeded || p.Status.Phase == v1.PodFailed)
	if p.DeletionTimestamp != nil {
		first(&x.deleted, true)
		x.deletionValue = Time{p.DeletionTimestamp.Time}
		if p.DeletionGracePeriodSeconds != nil {
			x.grace = *p.DeletionGracePeriodSeconds
		}
	}
	ready := condition(p.Status.Conditions)
	if ready && !x.isReady {
		x.everReady = append(x.everReady, Now())
	}
	x.isReady = ready
	first(&x.ready, ready)
}

func newPod(p *v1.Pod) *pod {
	x := &pod{namespace: p.Namespace, name: p.Name, uid: string(p.UID), created: Now()}
	for _, o := range p.OwnerReferences {
		x.ownerKind, x.owner = o.Kind, o.Name
	}
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			x.claims = append(x.claims, v.PersistentVolumeClaim.ClaimName)
		}
	}
	return x
}

func condition(l []v1.PodCondition) bool {
	for _, c := range l {
		if c.Type == v1.PodReady {
			return c.Status == v1.ConditionTrue
		}
	}
	return false
}

func (h *History) node(n *v1.Node, gone bool) {
	x := h.nodes[n.Name]
	if x == nil {
		x = new(node)
		h.nodes[n.Name] = x
	}
	if gone {
		x.gone = Now()
		return
	}
	for _, c := range n.Status.Conditions {
		if c.Type != v1.NodeReady {
			continue
		}
		ready := c.Status == v1.ConditionTrue
		if ready && x.notReady.IsZero() {
			x.heartbeat = Time{c.LastHeartbeatTime.Time}
		}
		x.everReady = x.everReady || ready
		first(&x.readyAgain, ready && !x.notReady.IsZero())
		first(&x.notReady, !ready && x.everReady)
	}
	for _, t := range n.Spec.Taints {
		first(&x.unreachable, x.everReady && t.Key == v1.TaintNodeUnreachable && t.Effect == v1.TaintEffectNoExecute)
		first(&x.outOfService, t.Key == v1.TaintNodeOutOfService)
	}
}

func (h *History) attachment(v *storagev1.VolumeAttachment, gone bool) {
	x := h.living(v)
	if gone {
		first(&x.Deletion, true)
		x.Gone = Now()
		return
	}
	first(&x.Deletion, v.DeletionTimestamp != nil)
	first(&x.Attached, v.Status.Attached)
	if e := v.Status.DetachError; e != nil && x.FirstDetachError.IsZero() {
		x.FirstDetachError, x.detachError = Now(), e.Message
	}
}

func (h *History) living(v *storagev1.VolumeAttachment) *Attachment {
	for _, x := range h.attachments {
		if x.uid == string(v.UID) {
			return x
		}
	}
	x := &Attachment{Name: v.Name, Node: v.Spec.NodeName, Created: Now(), uid: string(v.UID)}
	if n := v.Spec.Source.PersistentVolumeName; n != nil {
		x.Volume = *n
	}
	h.attachments = append(h.attachments, x)
	return x
}

// multiAttach matches the report in its older and, from v1.37 on, its newer words.
var multiAttach = regexp.MustCompile(`(?:Multi-Attach error|Waiting for detach) for volume "([^"]+)"`)

func (h *History) event(e *v1.Event, gone bool) {
	m := multiAttach.FindStringSubmatch(e.Message)
	if gone || m == nil {
		return
	}
	for _, r := range h.reports {
		if r.event == e.Name {
			r.last, r.count = Time{e.LastTimestamp.Time}, e.Count
			return
		}
	}
	h.reports = append(h.reports, &Report{Namespace: e.InvolvedObject.Namespace, Pod: e.InvolvedObject.Name, UID: string(e.InvolvedObject.UID),
		Volume: m[1], Message: e.Message,
		event: e.Name, seen: Now(), first: Time{e.FirstTimestamp.Time}, last: Time{e.LastTimestamp.Time}, count: max(1, e.Count)})
}
