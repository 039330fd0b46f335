package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// provisionPatience is how long a claim may wait for its provisioner: the longest pause between two tries (--retry-interval-max).
const provisionPatience = 5 * time.Minute

// selectedNode is where the scheduler writes the node for which a volume is to be made.
const selectedNode = "volume.kubernetes.io/selected-node"

// noProvisioner is the provisioner of classes whose volumes are made by hand.
const noProvisioner = "kubernetes.io/no-provisioner"

// obstacle is why a claim is Pending. Each Pending claim has at most one, so that one check reports it.
type obstacle int

const (
	nothingSeen  obstacle = iota // the claim may be about to be bound
	namesVolume                  // it names a volume: see claim-no-volume
	noClass                      // neither a class nor a volume of its class exists
	handMade                     // its class has no provisioner
	provisioning                 // a provisioner has to act
	waitsForPod                  // the class waits for a pod, and none is scheduled
)

// waiting is a Pending claim with its class.
type waiting struct {
	claim
	name  string // of the class; empty when it names none
	class model.Object[*storagev1.StorageClass]
	why   obstacle
}

// pendingClaims are the claims without a volume that are not being deleted, of some obstacles.
func pendingClaims(w *facts.World, why ...obstacle) []waiting {
	var out []waiting
	volumes := map[string]bool{}
	for _, pv := range w.PVs {
		volumes[pv.Value().Spec.StorageClassName] = true
	}
	byDefault := defaultClasses(w)
	for _, c := range w.Claims {
		if c.Value().Status.Phase != corev1.ClaimPending || c.Value().DeletionTimestamp != nil {
			continue
		}
		name, named := classOf(c.Value())
		p := waiting{claim: c, name: name}
		class, known := w.Class(name)
		if !named && len(byDefault) > 0 {
			class, known = byDefault[0], true
		}
		p.class = class
		if p.why = p.judge(w, named, known, volumes); slices.Contains(why, p.why) {
			out = append(out, p)
		}
	}
	return out
}

// judge follows the order in which the PersistentVolume controller decides (pv_controller.go syncUnboundClaim, 1.13–1.36).
func (p waiting) judge(w *facts.World, named, known bool, volumes map[string]bool) obstacle {
	switch {
	case p.Value().Spec.VolumeName != "":
		return namesVolume
	case named && p.name == "", !known && named && volumes[p.name]:
		return handMade
	case !known:
		return noClass
	case p.waitsForPod(w):
		return waitsForPod
	case p.class.Value().Provisioner == noProvisioner:
		return handMade
	}
	return provisioning
}

// waitsForPod reports that the class waits for the first pod and that the scheduler has not yet chosen a node.
func (p waiting) waitsForPod(w *facts.World) bool {
	mode := deref(p.class.Value().VolumeBindingMode, storagev1.VolumeBindingImmediate)
	return mode == storagev1.VolumeBindingWaitForFirstConsumer && p.Value().Annotations[selectedNode] == "" &&
		lastEvent(w, p.Ref, model.ProvisionFailed) == nil
}

// defaultAnnotations mark a StorageClass as the one for claims that name none; the second is the name before 1.6.
var defaultAnnotations = []string{"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}

// defaultClasses are the default classes, the one for new claims first: the youngest, then by name (GetDefaultClass, 1.26–1.36).
func defaultClasses(w *facts.World) []model.Object[*storagev1.StorageClass] {
	out := facts.Where(w.Classes, func(c model.Object[*storagev1.StorageClass]) bool {
		return slices.ContainsFunc(defaultAnnotations, func(key string) bool { return c.Value().Annotations[key] == "true" })
	})
	slices.SortStableFunc(out, func(a, b model.Object[*storagev1.StorageClass]) int {
		return cmp.Or(b.Value().CreationTimestamp.Compare(a.Value().CreationTimestamp.Time), cmp.Compare(a.Ref.Name, b.Ref.Name))
	})
	return out
}

func lookClaimNoClass(w *facts.World, _ *scene, hit func(Hit)) {
	for _, p := range pendingClaims(w, noClass) {
		h := Hit{
			Objects: []model.Ref{p.Ref},
			Text: fmt.Sprintf("Claim %s is Pending. It names no class, and none of the %s is the default.",
				p.Ref, words.Plural(len(w.Classes), "StorageClass", "StorageClasses")),
			Shown: facts.CiteAll(p.claim, "status.phase"),
			Remedy: "Mark a class as default (kubectl annotate storageclass NAME storageclass.kubernetes.io/is-default-class=true). " +
				"From Kubernetes 1.26 on the claim gets it afterwards; before, recreate the claim.",
		}
		if p.name != "" {
			h.Objects = append(h.Objects, classRef(p.name))
			h.Text = fmt.Sprintf("Claim %s is Pending. Its class %s does not exist, and no volume carries the name of that class.", p.Ref, p.name)
			h.Shown = facts.CiteAll(p.claim, "spec.storageClassName", "status.phase")
			h.Remedy = fmt.Sprintf("Create StorageClass %s, or recreate claim %s with a class that exists (kubectl get storageclass).",
				p.name, p.Ref)
		} else if len(w.Classes) == 0 {
			h.Text = fmt.Sprintf("Claim %s is Pending. It names no class, and the cluster has no StorageClass.", p.Ref)
		}
		hit(h)
	}
}

func lookClaimWaitsForPod(w *facts.World, _ *scene, hit func(Hit)) {
	for _, p := range pendingClaims(w, waitsForPod) {
		h := Hit{
			Objects: []model.Ref{p.Ref, p.class.Ref},
			Shown:   append(facts.CiteAll(p.claim, "status.phase"), facts.CiteAll(p.class, "volumeBindingMode")...),
			Text:    fmt.Sprintf("Claim %s is Pending: class %s creates the volume once a pod that uses it is scheduled", p.Ref, p.class.Ref.Name),
		}
		users := activePods(w.ClaimPods(p.Ref.Namespace, p.Ref.Name))
		if len(users) == 0 && !w.Listed("Pod", p.Ref.Namespace) {
			h.Text += "; the pods of the namespace are not in the bundle."
		} else if len(users) == 0 {
			h.Text += ", and no pod uses the claim."
		} else {
			h = p.unscheduled(h, users)
		}
		hit(h)
	}
}

// unscheduled adds why the scheduler places none of the pods.
func (p waiting) unscheduled(h Hit, users []pod) Hit {
	h.Objects = append(h.Objects, facts.Each(first(users), refOf)...)
	for _, u := range users {
		if i := slices.IndexFunc(u.Value().Status.Conditions, notScheduled); i >= 0 {
			h.Text += fmt.Sprintf(", and %s is not: %s", u.Ref, shorten(u.Value().Status.Conditions[i].Message))
			h.Remedy = fmt.Sprintf("Remove what keeps pod %s from being scheduled; the claim follows.", u.Ref)
			h.Shown = append(h.Shown, facts.CiteAll(u, fmt.Sprintf("status.conditions[%d].message", i))...)
			return h
		}
	}
	h.Text += fmt.Sprintf("; nothing tells how the scheduler decided about %s.", words.List(facts.Each(users, fullNameOf)))
	h.Shown = append(h.Shown, facts.CiteAll(users[0], "metadata.name")...)
	return h
}

// activePods leaves out the pods that have ended.
func activePods(list []pod) []pod {
	return facts.Where(list, func(p pod) bool { return !facts.Finished(p.Value()) })
}

func lookClaimNotProvisioned(w *facts.World, _ *scene, hit func(Hit)) {
	drivers := registered(w)
	for _, p := range pendingClaims(w, provisioning) {
		provisioner := p.class.Value().Provisioner
		h := Hit{
			Objects: []model.Ref{p.Ref, p.class.Ref},
			Shown:   append(facts.CiteAll(p.claim, "status.phase", "spec.storageClassName"), facts.CiteAll(p.class, "provisioner")...),
		}
		if failed := lastEvent(w, p.Ref, model.ProvisionFailed); failed != nil {
			h.Text = fmt.Sprintf("Claim %s is Pending: %s cannot make its volume. %s: %s", p.Ref, provisioner, times(failed), shorten(failed.Detail))
			h.Remedy, h.Shown = provisionerTries, append(h.Shown, failed)
			hit(h)
			continue
		}
		if atLeast(w, p.Value().CreationTimestamp) < provisionPatience {
			continue
		}
		h.Text = fmt.Sprintf("Claim %s was created %s and is Pending; nothing tells that %s has tried to create its volume.",
			p.Ref, ago(w, p.Value().CreationTimestamp), provisioner)
		if w.Listed("CSINode", "") && !drivers[provisioner] && !strings.HasPrefix(provisioner, "kubernetes.io/") {
			h.Text += " No node has registered a CSI driver of that name."
		}
		if waits := lastEvent(w, p.Ref, model.ProvisionWaits); waits != nil {
			h.Shown = append(h.Shown, waits)
		}
		h.Shown = append(h.Shown, facts.CiteAll(p.claim, "metadata.creationTimestamp")...)
		h.Remedy = fmt.Sprintf("Check that the provisioner %s runs and watches (kubectl get pods -A; the log of its container csi-provisioner; "+
			"kubectl get lease -A for its leader).", provisioner)
		hit(h)
	}
}

// registered are the CSI drivers that some node has.
func registered(w *facts.World) map[string]bool {
	out := map[string]bool{}
	for _, n := range w.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			out[d.Name] = true
		}
	}
	return out
}

// times says how often and when an Event was last seen.
func times(o *model.Observation) string {
	return "Reported " + words.Count(o.Count, "time") + words.If(!o.Last.IsZero(), ", last at "+model.Stamp(o.Last.At))
}

// Claims of which only Events and logs tell: with the object in the bundle, claim-not-provisioned and expansion-stuck know the step.

func lookToldUnprovisioned(w *facts.World, _ *scene, hit func(Hit)) {
	told(w, hit, "No volume is created for it, so that its pod is not scheduled", func(o *model.Observation) bool {
		lasts := o.Kind == model.ProvisionWaits && o.Last.At.Sub(o.At.At) > provisionPatience
		return (o.Kind == model.ProvisionFailed || lasts) && w.Volumes.OfClaim(o.Claim.Namespace, o.Claim.Name) == nil
	}, "ProvisioningSucceeded")
}
