package wait_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestReplicaNames: which names are those that one ReplicaSet gives its pods: its own, and five characters, none of them a vowel.
func TestReplicaNames(t *testing.T) {
	replicas := func(c *wait.Case) any { return c.ReplicaNames(c.NewPods) }
	named := func(fresh, old string) *model.Observation {
		return reportOf(model.PodRef("prod", fresh, ""), []model.Ref{model.PodRef("prod", old, "")})
	}
	askRows(t, []row{
		{"two of an owner", things{named("rc-xk2lp", "rc-zz2lp")}, replicas, "true"},
		{"of two owners", things{named("rc-xk2lp", "rd-zz2lp")}, replicas, "false"},
		{"four characters in the new one", things{named("rc-xk2l", "rc-zz2lp")}, replicas, "false"},
		{"four characters in the old one", things{named("rc-xk2lp", "rc-zz2l")}, replicas, "false"},
		{"a vowel in the new one", things{named("rc-xa2lp", "rc-zz2lp")}, replicas, "false"},
		{"a vowel in the old one", things{named("rc-xk2lp", "rc-za2lp")}, replicas, "false"},
		{"no owner in the new one", things{named("xk2lp", "rc-zz2lp")}, replicas, "false"},
		{"no owner in the old one", things{named("rc-xk2lp", "zz2lp")}, replicas, "false"},
		{"no owner in either", things{named("xk2lp", "zz2lp")}, replicas, "false"},
	})
}

// TestOwners: whose pods those of a wait are, by their objects, by reports and events, and by their names.
func TestOwners(t *testing.T) {
	event := model.SourceEvent
	workload := func(c *wait.Case) any {
		if c.Workload == nil {
			return "nil"
		}
		return fmt.Sprint(c.Workload.Kind, " ", c.Workload)
	}
	ofOld := func(c *wait.Case) any {
		r, ok := c.OwnerOf(c.OldPods[0])
		return fmt.Sprint(r.Kind, " ", r.Name, " ", ok)
	}
	top := func(c *wait.Case) any {
		pod, _ := c.World.Pod(c.OldPods[0])
		r := c.World.TopOwner(pod)
		return r.Kind + " " + r.Name
	}
	revisions := func(c *wait.Case) any { return c.Revisions() }
	old := func(c *wait.Case) any { r, known := c.OldOwner(); return fmt.Sprint(r, known) }
	meta := func(name string, owners []metav1.OwnerReference) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: "prod", Name: name, OwnerReferences: owners}
	}
	rs := func(name string, owners []metav1.OwnerReference) *appsv1.ReplicaSet {
		return &appsv1.ReplicaSet{ObjectMeta: meta(name, owners)}
	}
	job := func(name string, owners []metav1.OwnerReference) *batchv1.Job {
		return &batchv1.Job{ObjectMeta: meta(name, owners)}
	}
	created := func(kind, name string) *model.Observation {
		return change(of(model.ReplicaCreated, -3, newPod, event),
			func(o *model.Observation) { o.Owner = model.Ref{Kind: kind, Namespace: "prod", Name: name} })
	}
	named := func(pod string) *model.Observation {
		return reportOf(model.PodRef("prod", pod, ""), []model.Ref{model.PodRef("prod", "x", "")})
	}
	oldNamed := func(pod string, owner model.Ref) *model.Observation {
		return reportOf(model.PodRef("prod", "db-0", ""), []model.Ref{model.PodRef("prod", pod, "")},
			func(o *model.Observation) { o.Owner = owner })
	}
	set := &appsv1.StatefulSet{ObjectMeta: meta("db", nil)}
	ofSet := model.Ref{Kind: "StatefulSet", Namespace: "prod", Name: "db"}
	askRows(t, []row{
		{"its object's ReplicaSet, by the name a Deployment", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-6c5d7f9b84"))}, workload,
			"Deployment prod/db"},
		{"by the hash of its label", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-1"), hashed("1"))}, workload,
			"Deployment prod/db"},
		{"with another hash", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-1"), hashed("2"))}, workload,
			"ReplicaSet prod/db-1"},
		{"by the ReplicaSet's object", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "x")), rs("x", owned("Deployment", "db"))}, workload,
			"Deployment prod/db"},
		{"a ReplicaSet that nobody owns", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-6c5d7f9b84")), rs("db-6c5d7f9b84", nil)},
			workload, "ReplicaSet prod/db-6c5d7f9b84"},
		{"a short end", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-6c5d7"))}, workload, "ReplicaSet prod/db-6c5d7"},
		{"no end", things{podOf(newPod, "node-b", ofOwner("ReplicaSet", "bcdfgh"))}, workload, "ReplicaSet prod/bcdfgh"},
		{"a Job", things{podOf(newPod, "node-b", ofOwner("Job", "j"))}, workload, "Job prod/j"},
		{"a Job of a CronJob", things{podOf(newPod, "node-b", ofOwner("Job", "j")), job("j", owned("CronJob", "cj"))}, workload,
			"CronJob prod/cj"},
		{"a Job that nobody owns", things{podOf(newPod, "node-b", ofOwner("Job", "j")), job("j", nil)}, workload, "Job prod/j"},
		{"the report says it", things{reportOf(newPod, []model.Ref{oldPod},
			func(o *model.Observation) { o.Owner = model.Ref{Kind: "ReplicaSet", Name: "db-6c5d7f9b84"} })}, workload, "Deployment prod/db"},
		{"the event that made it", things{created("ReplicaSet", "db-6c5d7f9b84")}, workload, "Deployment prod/db"},
		{"rather one that names the kind", things{created("", "x"), created("StatefulSet", "db")}, workload, "StatefulSet prod/db"},
		{"one that does not", things{created("", "x")}, workload, "prod/x"},
		{"one that names none", things{created("StatefulSet", "")}, workload, "nil"},
		{"another event", things{change(created("StatefulSet", "db"), func(o *model.Observation) { o.Kind = model.ReplicaDeleted })}, workload,
			"nil"},
		{"by its name: a ReplicaSet in the bundle", things{named("x-xk2lp"), rs("x", owned("Deployment", "db"))}, workload,
			"Deployment prod/db"},
		{"a Job of that name, too", things{named("x-xk2lp"), rs("x", nil), job("x", nil)}, workload, "nil"},
		{"by its name: a Job", things{named("x-xk2lp"), job("x", nil)}, workload, "Job prod/x"},
		{"by a name that no generator makes", things{named("x-xa2lp"), rs("x", nil)}, workload, "nil"},
		{"by one that is too short", things{named("x-xk2l"), rs("x", nil)}, workload, "nil"},
		{"a StatefulSet", things{named("db-0"), set}, workload, "StatefulSet prod/db"},
		{"of a StatefulSet no ordinal", things{named("db-x"), set}, workload, "nil"},
		{"of a DaemonSet no number", things{named("db-xk2lp"), set}, workload, "nil"},
		{"nothing tells", things{}, workload, "nil"},

		{"the owner of the old pod, by its object", things{podOf(oldPod, "node-a", ofOwner("Job", "j"))}, ofOld, "Job j true"},
		{"that nobody owns", things{podOf(oldPod, "node-a")}, ofOld, "false"},
		{"as that of the new one, by the names", things{oldNamed("db-1", ofSet)}, ofOld, "StatefulSet db true"},
		{"by the same name", things{oldNamed("db-0", ofSet)}, ofOld, "StatefulSet db true"},
		{"by another set's name", things{oldNamed("web-1", ofSet)}, ofOld, "false"},
		{"by a name without a number", things{oldNamed("db-x", ofSet)}, ofOld, "false"},
		{"of a workload that is not known", things{oldNamed("db-1", model.Ref{})}, ofOld, "false"},
		{"by the old one's own name", things{oldNamed("j-xk2lp", ofSet), job("j", owned("CronJob", "cj"))}, ofOld, "CronJob cj true"},

		{"the top of a ReplicaSet", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "x")), rs("x", owned("Deployment", "db"))}, top,
			"Deployment db"},
		{"by its hash", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-1"), hashed("1"))}, top, "Deployment db"},
		{"by another's hash", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-1"), hashed("2"))}, top, "ReplicaSet db-1"},
		{"what is no ReplicaSet", things{podOf(oldPod, "node-a", ofOwner("Job", "db-1"), hashed("1"))}, top, "Job db-1"},
		{"a pod of its own", things{podOf(oldPod, "node-a")}, top, "Pod db-old"},

		{"two revisions of a Deployment", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-1"), hashed("1")),
			podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-2"), hashed("2"))}, revisions, "true"},
		{"one revision", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-1"), hashed("1")),
			podOf(newPod, "node-b", ofOwner("ReplicaSet", "db-1"), hashed("1"))}, revisions, "false"},
		{"of something else", things{podOf(oldPod, "node-a", ofOwner("Rollout", "r"), hashed("1")),
			podOf(newPod, "node-b", ofOwner("Rollout", "r"), hashed("2"))}, revisions, "false"},
		{"of two Deployments", things{podOf(oldPod, "node-a", ofOwner("ReplicaSet", "db-1"), hashed("1")),
			podOf(newPod, "node-b", ofOwner("ReplicaSet", "web-2"), hashed("2"))}, revisions, "false"},
		{"by their names", things{reportOf(next, []model.Ref{first})}, revisions, "true"},
		{"by names of one revision", things{reportOf(again, []model.Ref{first})}, revisions, "false"},

		{"who makes another old pod", things{podOf(oldPod, "node-a", ofOwner("Job", "j"))}, old, "prod/j true"},
		{"nobody", things{podOf(oldPod, "node-a")}, old, "<nil> true"},
		{"not known", things{}, old, "<nil> false"},
	})
}

// TestSharedHandle: of several PersistentVolumes with one handle, which a report is about, and whose pods are whose.
func TestSharedHandle(t *testing.T) {
	pvOf := func(name, claim string) *corev1.PersistentVolume {
		v := theVolume(claim, corev1.ReadWriteOnce)
		v.Name = name
		return v
	}
	a, b := pvOf("pvc-1", "data"), pvOf("pvc-2", "restored")
	unique := model.VolumeID{UniqueName: model.UniqueCSIName("csi.example.com", "vol-1")}
	bare := func(at float64, node string, pod model.Ref) *model.Observation {
		return change(of(model.MultiAttach, at, node, pod, unique, variant(model.UsedByPods)),
			func(o *model.Observation) { o.Holders = []string{"node-a"} })
	}
	named := func(at float64, node, pv string) *model.Observation {
		return change(bare(at, node, model.Ref{}), func(o *model.Observation) {
			o.Volume = model.VolumeID{PersistentVolume: pv, UniqueName: unique.UniqueName}
		})
	}
	claiming := func(at float64, claim string) *model.Observation {
		return change(bare(at, "node-b", model.Ref{}), func(o *model.Observation) {
			o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: "prod", Name: claim}
		})
	}
	askWorlds(t, waitsOf, []worldRow{
		{"the pod uses the second", things{a, b, podOf(newPod, "node-b", using("restored")), bare(0, "node-b", newPod)},
			"[pvc-2 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"the pod uses both", things{a, b, podOf(newPod, "node-b", using("restored"), using("data")), bare(0, "node-b", newPod)},
			"[kubernetes.io/csi/csi.example.com^vol-1 on node-b from node-a: 1/0 since 0, prod/db-new]"},
		{"the claim is the second's", things{a, b, claiming(0, "restored")}, "[pvc-2 on node-b from node-a: 1/0 since 0, ]"},
		{"the claim is neither's", things{a, b, claiming(0, "x")},
			"[kubernetes.io/csi/csi.example.com^vol-1 on node-b from node-a: 1/0 since 0, ]"},
		{"nothing tells", things{a, b, bare(0, "node-b", model.Ref{})},
			"[kubernetes.io/csi/csi.example.com^vol-1 on node-b from node-a: 1/0 since 0, ]"},
		{"another report on that node names it", things{a, b, bare(0, "node-b", model.Ref{}), named(100, "node-b", "pvc-2")},
			"[pvc-2 on node-b from node-a: 2/0 since 0, ]"},
		{"on another node", things{a, b, bare(0, "node-b", model.Ref{}), named(100, "node-c", "pvc-2")},
			"[kubernetes.io/csi/csi.example.com^vol-1 on node-b from node-a: 1/0 since 0, ][pvc-2 on node-c from node-a: 1/0 since 100, ]"},
		{"in the same breath on no node", things{a, b, bare(0, "node-b", model.Ref{}), named(1, "", "pvc-2")},
			"[pvc-2 on node-b from node-a: 2/0 since 0, ]"},
		{"two of them name two", things{a, b, bare(0, "node-b", model.Ref{}), named(100, "node-b", "pvc-2"), named(200, "node-b", "pvc-1")},
			"[kubernetes.io/csi/csi.example.com^vol-1 on node-b from node-a: 1/0 since 0, ][pvc-2 on node-b from node-a: 1/0 since 100, ][pvc-1 " +
				"on node-b from node-a: 1/0 since 200, ]"},
		{"two of them name one", things{a, b, bare(0, "node-b", model.Ref{}), named(100, "node-b", "pvc-2"), named(200, "node-b", "pvc-2")},
			"[pvc-2 on node-b from node-a: 3/0 since 0, ]"},
	})
	other := func(c *wait.Case) any {
		if v := c.OtherVolumeOf(oldPod); v != nil {
			return v.Key()
		}
		return "nil"
	}
	first := change(report(), func(o *model.Observation) {
		o.Volume = model.VolumeID{PersistentVolume: "pvc-1", UniqueName: unique.UniqueName}
	})
	inTest := pvOf("pvc-2", "restored")
	inTest.Spec.ClaimRef.Namespace = "test"
	elsewhere := change(first, func(*model.Observation) {})
	foreign := *elsewhere
	foreign.Pods = []model.Ref{model.PodRef("test", "db-old", "u-old")}
	workload := func(c *wait.Case) any { return c.Workload == nil }
	askRows(t, []row{
		{"the pod uses the other", things{a, b, first, podOf(oldPod, "node-a", using("restored"))}, other, "pvc-2"},
		{"the pod uses its own", things{a, b, first, podOf(oldPod, "node-a", using("data"))}, other, "nil"},
		{"nothing tells of the pod", things{a, b, first}, other, "nil"},
		{"no other has the handle", things{a, first, podOf(oldPod, "node-a", using("x"))}, other, "nil"},
		{"the other is in another namespace", things{a, inTest, first}, other, "nil"},
		{"a pod that uses the other is no kin", things{a, b, first, podOf(oldPod, "node-a", using("restored"), ofOwner("Job", "j"))}, workload,
			"true"},
		{"one that uses its own is", things{a, b, first, podOf(oldPod, "node-a", using("data"), ofOwner("Job", "j"))}, workload, "false"},
		{"one of another name of which nothing tells is none", things{a, b, first, podOf(oldPod, "node-a", ofOwner("Job", "j"))}, workload,
			"true"},
		{"without another volume it is", things{a, first, podOf(oldPod, "node-a", ofOwner("Job", "j"))}, workload, "false"},
	})
	if c := waitOf(t, a, inTest, &foreign); c.OtherVolumeOf(foreign.Pods[0]) == nil || c.OtherVolumeOf(foreign.Pods[0]).Key() != "pvc-2" {
		t.Error("a pod of the namespace of the other's claim does not use the other")
	}
}
