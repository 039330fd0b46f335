package cause_test

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

const lost = "NotReady=-100 node-not-ready@node-a=-100/Unknown "

// orders are cases in which several causes speak, or none: what comes first, how sure it is, and of which phase.
var orders = []made{
	{"a lost node", lost + "phase:release=0..300", nil},
	{"of an inferred holder", lost + "+Inferred phase:release=0..300", nil},
	{"of an inferred holder, likely", "NotReady=-100 +Inferred phase:release=0..300", nil},
	{"of a wait that objects show", lost + "+Shown phase:release=0..300", nil},
	{"of a detach that nobody waits for", lost + "+Stuck phase:release=0..300", nil},
	{"of an undecidable one that nobody waits for", "+Stuck failover=30 Variant=used-by-pods", nil},
	{"before an attach was asked for", lost + "+Before phase:release=0..300", nil},
	{"of an unknown holder", lost + "From= phase:release=0..300", nil},
	{"a phase without a cause that is shorter", lost + "phase:release=0..300 phase:attach=300..599", nil},
	{"as long", lost + "phase:release=0..300 phase:attach=300..600", nil},
	{"longer", lost + "phase:release=0..300 phase:attach=300..601", nil},
	{"a mount that is longer", lost + "phase:release=0..300 phase:mount=300..900", nil},
	{"two phases that are longer together", lost + "phase:release=0..300 phase:detach=300..460 phase:attach=460..620", nil},
	{"a detach after a deletion by hand", lost + "phase:release=0..60 phase:detach=60..200", held(60, 139)},
	{"one that ended long after the sync", lost + "phase:release=0..60 phase:detach=60..260", held(60, 140)},
	{"one that began before the deletion", lost + "phase:release=0..60 phase:detach=59..200", held(60, 139)},
	{"one by the controller", lost + "phase:release=0..60 phase:detach=60..200",
		func(c *wait.Case) { held(60, 139)(c); c.Lives[0].ByHand = model.Unknown }},
	{"an undecidable cause of less", lost + "DetachRequested=300 phase:release=0..300 phase:detach=300..599", nil},
	{"of as much", lost + "DetachRequested=300 phase:release=0..300 phase:detach=300..600", nil},
	{"of more", lost + "DetachRequested=300 phase:release=0..300 phase:detach=300..601", nil},
	{"of more, in a stretch that may be the first's", lost + "DetachRequested=300 phase:release=0..300 phase:release/detach=300..900", nil},
	{"of more, in a stretch that is not the first's", lost + "DetachRequested=300 phase:release=0..300 phase:detach/attach=300..900", nil},
	{"a later loss explains less",
		"NotReady=255 node-not-ready@node-a=255/Unknown DetachRequested=300 phase:release=0..300 phase:detach=300..399", nil},
	{"and less than what is undecided",
		"NotReady=255 node-not-ready@node-a=255/Unknown DetachRequested=300 phase:release=0..300 phase:detach=300..401", nil},
	{"a phase from before the report counts from there", lost + "DetachRequested=300 phase:eviction=-500..100 phase:detach=300..401", nil},
	{"of an open wait, what blocks now", lost + "DetachRequested=300 phase:release=0..300 phase:detach=300..400", opened},
	{"of an open wait, the one that was there first", "NotReady=255 NodeGone=280 node-deleted@node-a=280!audit phase:release=0..300", opened},
	{"of an open wait, and the other way round", "NotReady=285 NodeGone=80 node-deleted@node-a=80!audit phase:release=0..300", opened},
	{"the mount that is to come", "Attached=10 captured=900 phase:attach=0..10", nil},
	{"a surer cause of the same phase", "NotReady=-100 NodeGone=20 node-deleted@node-a=20!audit phase:release=0..300", nil},
	{"a failing move is no ordinary one",
		"Released=0 Attached=200 DetachRequested=100 Gone=190 failed=110/" + broken +
			" phase:unmount-wait=0..100 phase:detach=100..190 phase:attach=190..200", nil},
	{"an undivided stretch", lost + "phase:scheduling/release=0..300", nil},
	{"an undivided stretch, of which the second part is explained", lost + "phase:attach/release=0..300", nil},
	{"nothing", "phase:release=0..300", nil},
	{"nothing, of metrics", "+Sampled phase:release=0..300", nil},
	{"nothing, of objects", "+Shown phase:release=0..300", nil},
	{"nothing, of a forced detach", "+Taken phase:release=0..300", nil},
	{"nothing, of a failing detach", "+Stuck phase:release=0..300", nil},
	{"nothing, but another node was lost", "From= node-not-ready@node-c=-100/Unknown phase:release=0..300", nil},
	{"nothing, with all that there is", "phase:release=0..300 old:web-0 new:web-1", func(c *wait.Case) {
		cluster(node(corev1.ConditionTrue, -100), pod("web-0", "node-a", "", deletedAt(-10)), pod("web-1", "node-b", "", other))(c)
		over(c, func(s *model.Snapshot) {
			s.Inputs = append(s.Inputs, model.Input{Path: "kcm.log", Component: "kube-controller-manager", Records: 9})
		})
	}},

	{"the storage refuses, and little is known", "phase:release=0..300 attach-failed@node-b=20/" + refused, nil},
	{"it refused and was attached", "Attached=200 phase:release=0..300 attach-failed@node-b=20/" + refused, nil},
	{"it refused and the detach failed", "phase:release=0..300 failed=10/" + broken + " attach-failed@node-b=20/" + refused, nil},
	{"an error that the attachment keeps", "phase:release=0..300 attachment-detach-error@pvc-1=0/" + broken, stuckError},
	{"a cloud's", "phase:release=0..300 attachment-detach-error@pvc-1=0/" + cloud, stuckError},
	{"one of a machine", "phase:release=0..300 attachment-detach-error@pvc-1=0/" + machine, stuckError},
	{"one of an unknown node", "From= phase:release=0..300 attachment-detach-error@pvc-1=0/" + broken, stuckError},
	{"one that nobody waits for", "+Stuck phase:release=0..300 attachment-detach-error@pvc-1=0/" + broken, stuckError},
	{"one, and it was attached", "Attached=200 phase:release=0..300 attachment-detach-error@pvc-1=0/" + broken, stuckError},
	{"one of a wait that is well known", "+Sampled phase:release=0..300 attachment-detach-error@pvc-1=0/" + broken, stuckError},
	{"an attachment that is being deleted", "phase:release=0..300 attachment-deleting@pvc-1=30", nil},
	{"one that was, and it was attached", "Attached=200 phase:release=0..300 attachment-deleting@pvc-1=30", nil},
	{"a class for many", "phase:release=0..300", class("maxShares", "2")},
	{"a class for one", "phase:release=0..300", class("maxShares", "1")},
	{"a class for many, exclusively attached", "Variant=exclusively-attached phase:release=0..300", class("maxShares", "2")},
	{"a class for many, and a volume for many", "phase:release=0..300",
		func(c *wait.Case) { class("maxShares", "2")(c); c.Volume.Access = []string{"ReadWriteMany"} }},
	{"names of two revisions", revisions + "phase:release=0..300", nil},
	{"two revisions, of which a list shows one", "old:web-66f4d9c58f-bcdfg phase:release=0..300", rows},
	{"names of one revision", replicas + "phase:release=0..300", nil},
	{"two users", "old:web-66f4d9c58f-bcdfg old:web-7c9d5b4f6b-hjklm phase:release=0..300", namedAtOnce},
	{"two users, of two reports", "old:web-66f4d9c58f-bcdfg old:web-7c9d5b4f6b-hjklm phase:release=0..300", nil},
	{"two users of one revision", replicas + "old:web-66f4d9c58f-zzzzz phase:release=0..300", namedAtOnce},
	{"two users of one revision, of two reports", replicas + "old:web-66f4d9c58f-zzzzz phase:release=0..300", nil},
	{"two ordinals", "old:db-0 new:db-1 phase:release=0..300", nil},
	{"two owners", "old:web-66f4d9c58f-bcdfg new:api-7c9d5b4f6b-hjklm phase:release=0..300", nil},
	{"a pod that a list shows", "old:web-66f4d9c58f-bcdfg new:web-66f4d9c58f-hjklm phase:release=0..300", rows},
	{"one user, deleted before", revisions + "DeletionRequested=0 phase:release=0..300", nil},
	{"one user, on a lost node", revisions + "NotReady=-100 DetachRequested=-100 phase:release=0..300", nil},
	{"one user, released", revisions + "Released=59 phase:release=0..300", nil},
	{"one user, exclusively attached", revisions + "Variant=exclusively-attached phase:release=0..300", nil},
	{"one user, attached", revisions + "+Stuck Attached=200 phase:release=0..300", nil},
	{"one user of a Deployment", "old:web-66f4d9c58f-bcdfg phase:release=0..300", nil},
	{"one user of a Deployment, and a detach that is not known to be tried",
		"old:web-66f4d9c58f-bcdfg DetachRequested=10 phase:detach=10..170", nil},
	{"one user of a StatefulSet", "old:db-0 phase:release=0..300", nil},
	{"one user of a Deployment that goes", "old:web-66f4d9c58f-bcdfg DeletionRequested=-10 phase:release=0..300", nil},
	{"one user, and a new leader", "old:web-66f4d9c58f-bcdfg failover=30 phase:release=0..300", nil},
	{"the author says that the kubelet was stopped, and a list shows the node as not Ready", kubeletStopped + "phase:release=0..300", shownNotReady},
	{"the author alone", kubeletStopped + "phase:release=0..300", nil},
	{"the list alone", "phase:release=0..300", shownNotReady},
	{"six minutes without a user", "Variant=exclusively-attached Attached=360 phase:unmount-wait=0..360", nil},
	{"less", "Variant=exclusively-attached Attached=359 phase:unmount-wait=0..359", nil},
	{"a little more", "Variant=exclusively-attached Attached=405 phase:unmount-wait=0..405", nil},
	{"more", "Variant=exclusively-attached Attached=406 phase:unmount-wait=0..406", nil},
	{"six minutes with a user", "Attached=360 phase:unmount-wait=0..360", nil},
	{"six minutes, not known well", "Variant=exclusively-attached Attached=350..373 phase:unmount-wait=0..361", nil},
	{"six minutes, known well enough", "Variant=exclusively-attached Attached=350..372 phase:unmount-wait=0..361", nil},
	{"six minutes, by an age", "Variant=exclusively-attached Attached=361 phase:unmount-wait=0..361", byAge(22)},
	{"six minutes, by a rounded age", "Variant=exclusively-attached Attached=361 phase:unmount-wait=0..361", byAge(60)},
}

const kubeletStopped = "author-said@pvc-1=-10/" + model.SaidKubeletStopped + ":_so_it_was "

// shownNotReady is a row of a pasted list that shows the old node as not Ready.
func shownNotReady(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		o := cases.Seen(0, model.Observation{Kind: model.NodeNotReady, Node: "node-a", Source: model.Source{Kind: model.SourceText}})
		o.At = model.Moment{}
		s.Observations = append(s.Observations, *o)
	})
}

func opened(c *wait.Case) { c.Span.Open = true }

// held is a deletion of the attachment by hand, and its end.
func held(deleted, gone float64) func(*wait.Case) {
	return func(c *wait.Case) {
		c.Lives = []wait.Life{{ByHand: model.True, DeletionRequested: instant(deleted), Gone: instant(gone)}}
	}
}

// stuckError is an error that a pasted attachment keeps.
var stuckError = observed(func(_ int, o *model.Observation) { o.Source.Kind = model.SourceText }, model.AttachmentDetachError)

// class is the only StorageClass.
func class(key, value string) func(*wait.Case) {
	return func(c *wait.Case) {
		over(c, func(s *model.Snapshot) {
			k := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "fast"}, Parameters: map[string]string{key: value}}
			s.StorageClasses = append(s.StorageClasses, object("StorageClass", k, k.ObjectMeta))
		})
	}
}

// rows are those of a pasted list: the old pod runs, and one of the next revision is not made yet.
func rows(c *wait.Case) {
	over(c, func(s *model.Snapshot) {
		for _, row := range []model.Observation{{Kind: model.PodReady, Object: model.Ref{Name: "web-66f4d9c58f-bcdfg"}},
			{Kind: model.PodNotReady, Object: model.Ref{Name: "web-7c9d5b4f6b-hjklm"}}} {
			o := cases.Seen(0, model.Observation{Kind: row.Kind, Pod: model.Ref{Kind: "Pod", Namespace: "prod", Name: row.Object.Name},
				Detail: "ContainerCreating", Source: model.Source{Kind: model.SourceText}})
			o.At = model.Moment{}
			s.Observations = append(s.Observations, *o)
		}
	})
}

// byAge lets the attach be known by an age of so many seconds at most.
func byAge(width float64) func(*wait.Case) {
	return func(c *wait.Case) { c.Attached.Witness[0].Age = &model.Range{Min: 100, Max: 100 + width} }
}
