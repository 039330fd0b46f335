package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// betaClass is where Kubernetes up to 1.5 kept the class, and where it is still honoured.
const betaClass = "volume.beta.kubernetes.io/storage-class"

// classOf is the class that a claim names. It is named as "" for volumes of no class, and not named for the default one.
func classOf(c *corev1.PersistentVolumeClaim) (name string, named bool) {
	if name, ok := c.Annotations[betaClass]; ok {
		return name, true
	}
	return deref(c.Spec.StorageClassName, ""), c.Spec.StorageClassName != nil
}

// volumeOf finds the PersistentVolume that a claim is bound to.
func volumeOf(w *facts.World, c *corev1.PersistentVolumeClaim) (volume, bool) {
	if c.Spec.VolumeName == "" {
		return volume{}, false
	}
	return w.PV(c.Spec.VolumeName)
}

// claimed finds a claim with the PersistentVolume that it is bound to.
func claimed(w *facts.World, namespace, name string) (c claim, pv volume, ok bool) {
	if c, ok = w.Claim(namespace, name); ok {
		pv, ok = volumeOf(w, c.Value())
	}
	return c, pv, ok
}

// oneNode reports that only one node may have a volume, by the modes that the controller uses: those of the PersistentVolume.
func oneNode(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) > 0 && !slices.ContainsFunc(pv.Spec.AccessModes, func(m corev1.PersistentVolumeAccessMode) bool {
		return m == corev1.ReadWriteMany || m == corev1.ReadOnlyMany
	})
}

// onePod reports that only one pod may use a volume at once.
func onePod(pv *corev1.PersistentVolume) bool {
	return len(pv.Spec.AccessModes) == 1 && pv.Spec.AccessModes[0] == corev1.ReadWriteOncePod
}

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

// lastEvent is the newest of a kind that an Event has of a claim.
func lastEvent(w *facts.World, claim model.Ref, kind model.Kind) *model.Observation {
	var out *model.Observation
	for _, o := range w.ClaimEvents(claim) {
		own := o.Kind == kind && o.Claim.Is(claim)
		if own && (out == nil || !o.Last.At.Before(out.Last.At)) {
			out = o
		}
	}
	return out
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
	return facts.Where(list, func(p pod) bool { return !finished(p) })
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
			h.Remedy, h.Shown = remedyOf(failed.Detail, p, provisioner), append(h.Shown, failed)
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

// remedyOf is by what the error names.
func remedyOf(detail string, p waiting, provisioner string) string {
	text := strings.ToLower(detail)
	if quotaWords.MatchString(text) {
		return fmt.Sprintf("Raise the quota or free capacity behind StorageClass %s (%s), or ask for less in claim %s; the provisioner tries "+
			"again by itself.", p.class.Ref.Name, provisioner, p.Ref)
	}
	if strings.Contains(text, "topology") || strings.Contains(text, "zone") {
		return fmt.Sprintf("Compare allowedTopologies of StorageClass %s with the zones of the nodes that the pod may run on (kubectl get "+
			"storageclass %s -o yaml; kubectl get nodes -L topology.kubernetes.io/zone).", p.class.Ref.Name, word(p.class.Ref.Name))
	}
	return fmt.Sprintf("Repair what the error names; the provisioner %s tries again by itself.", provisioner)
}

// Claims of which only Events and logs tell: with the object in the bundle, claim-not-provisioned and expansion-stuck know the step.

func lookToldUnprovisioned(w *facts.World, _ *scene, hit func(Hit)) {
	told(w, hit, "No volume is created for it, so that its pod is not scheduled", func(o *model.Observation) bool {
		lasts := o.Kind == model.ProvisionWaits && o.Last.At.Sub(o.At.At) > provisionPatience
		return (o.Kind == model.ProvisionFailed || lasts) && w.Volumes.OfClaim(o.Claim.Namespace, o.Claim.Name) == nil
	}, "ProvisioningSucceeded")
}

func lookToldUnexpanded(w *facts.World, _ *scene, hit func(Hit)) {
	told(w, hit, "The volume, or its file system, keeps its old size",
		func(o *model.Observation) bool { return o.Kind == model.ResizeFailed }, "FileSystemResizeSuccessful")
}

// told gathers the records of one error about claims, or volumes of pods, that are not in the bundle and that no later Event ends.
func told(w *facts.World, hit func(Hit), says string, test func(*model.Observation) bool, end string) {
	ended := facts.Where(w.ByKind[model.KubernetesEvent], func(o *model.Observation) bool { return o.Detail == end })
	list := facts.Where(slices.Concat(w.ByKind[model.ProvisionFailed], w.ByKind[model.ProvisionWaits], w.ByKind[model.ResizeFailed]),
		func(o *model.Observation) bool {
			if !test(o) || fromObject(o) || known(w, o) {
				return false
			}
			return !slices.ContainsFunc(ended, func(e *model.Observation) bool {
				return e.Object.Name == subjectOf(o).Name && !e.Last.IsZero() && e.Last.At.After(o.Last.At)
			})
		})
	for _, g := range grouped(list, func(o *model.Observation) string { return subjectOf(o).Key() + " " + masked(faultOf(o)) }) {
		hit(Hit{
			Objects: affected(w, g), Shown: ends(g),
			Text: fmt.Sprintf("%s: %s. %s. It is not Multi-Attach.", subject(w, g), strings.TrimRight(shorten(errorOf(g[0])), ". "), says),
		})
	}
}

// known reports that the claim that is told of, or that the pod's volume is bound to, is in the bundle.
func known(w *facts.World, o *model.Observation) bool {
	claim := o.Claim
	if v := w.Volumes.Find(o.Volume); claim.Name == "" && v != nil {
		claim = v.Claim
	}
	_, there := w.Claim(claim.Namespace, claim.Name)
	return there || listedSomewhere(w, "PersistentVolumeClaim")
}

// subjectOf is what an error of a volume is about: the claim, else the pod.
func subjectOf(o *model.Observation) model.Ref {
	if o.Claim.Name != "" {
		return o.Claim
	}
	return o.Pod
}

// expansionPatience is how long an expansion may take: the longest pause between two tries of the external-resizer (--retry-interval-max).
const expansionPatience = 5 * time.Minute

func lookExpansionStuck(w *facts.World, _ *scene, hit func(Hit)) {
	for _, c := range w.Claims {
		want, has := c.Value().Spec.Resources.Requests[corev1.ResourceStorage], c.Value().Status.Capacity[corev1.ResourceStorage]
		grows := !has.IsZero() && want.Cmp(has) > 0
		if c.Value().Status.Phase != corev1.ClaimBound || c.Value().DeletionTimestamp != nil || !grows {
			continue
		}
		e := expansion{w: w, claim: c, want: want, has: has}
		if h, ok := e.step(); ok {
			h.Text = fmt.Sprintf("Claim %s asks for %s and has %s: ", c.Ref, want.String(), has.String()) + h.Text
			h.Objects = append([]model.Ref{c.Ref}, h.Objects...)
			h.Shown = append(facts.CiteAll(c, "spec.resources.requests.storage", "status.capacity.storage"), h.Shown...)
			hit(h)
		}
	}
}

const fileSystemPending = corev1.PersistentVolumeClaimFileSystemResizePending

// expansion is a claim that asks for more than it has.
type expansion struct {
	w *facts.World
	claim
	want, has resource.Quantity
}

// step finds where the expansion stands, the last step first.
func (e expansion) step() (Hit, bool) {
	status := string(e.Value().Status.AllocatedResourceStatuses[corev1.ResourceStorage])
	name, _ := classOf(e.Value())
	class, known := e.w.Class(name)
	failed := lastEvent(e.w, e.Ref, model.ResizeFailed)
	switch {
	case strings.HasPrefix(status, "NodeResize") || e.condition("NodeResizeError") >= 0 || e.condition(fileSystemPending) >= 0:
		return e.atNode(status, failed)
	case strings.HasPrefix(status, "ControllerResizeInfeasible"), strings.HasPrefix(status, "ControllerResizeFailed"),
		e.condition("ControllerResizeError") >= 0, failed != nil:
		h := e.atController(failed)
		if status != "" {
			h.Shown = append(h.Shown, facts.CiteAll(e.claim, "status.allocatedResourceStatuses.storage")...)
		}
		return h, true
	case known && !deref(class.Value().AllowVolumeExpansion, false):
		return Hit{
			Objects: []model.Ref{class.Ref}, Shown: facts.CiteAll(class, "allowVolumeExpansion", "metadata.name"),
			Text: fmt.Sprintf("class %s does not allow expansion (allowVolumeExpansion is not true), so that nothing will act.", name),
			Remedy: fmt.Sprintf("When driver %s can expand volumes: kubectl patch storageclass %s -p '{\"allowVolumeExpansion\":true}'",
				class.Value().Provisioner, word(name)),
		}, true
	}
	i := e.condition(corev1.PersistentVolumeClaimResizing)
	if i < 0 || atLeast(e.w, e.Value().Status.Conditions[i].LastTransitionTime) < expansionPatience {
		return Hit{}, false
	}
	return Hit{
		Text:   fmt.Sprintf("the resizer began %s, and no error is recorded.", ago(e.w, e.Value().Status.Conditions[i].LastTransitionTime)),
		Shown:  e.shown(i),
		Remedy: "Look at the log of the resizer (container csi-resizer of the CSI controller).",
	}, true
}

// condition is the index of a condition that is True; -1 without one.
func (e expansion) condition(of corev1.PersistentVolumeClaimConditionType) int {
	return slices.IndexFunc(e.Value().Status.Conditions, func(c corev1.PersistentVolumeClaimCondition) bool {
		return c.Type == of && c.Status == corev1.ConditionTrue
	})
}

func (e expansion) shown(i int) []*model.Observation {
	field := fmt.Sprintf("status.conditions[%d].", i)
	return facts.CiteAll(e.claim, field+"type", field+"lastTransitionTime", field+"message")
}

func (e expansion) atController(failed *model.Observation) Hit {
	why := "the resizer reports an error"
	h := Hit{Remedy: "Remove what the error names; the resizer tries again by itself. A size that the back end will never grant can be " +
		"lowered again from Kubernetes 1.31 on (down to what the claim has)."}
	if i := e.condition("ControllerResizeError"); i >= 0 {
		why, h.Shown = "the resizer reports: "+cmp.Or(shorten(e.Value().Status.Conditions[i].Message), "an error"), e.shown(i)
	}
	if failed != nil {
		why = fmt.Sprintf("the disk was not enlarged. %s: %s", times(failed), shorten(failed.Detail))
		h.Shown = append(h.Shown, failed)
	}
	h.Text = strings.TrimSuffix(why, ".") + "."
	if pv, ok := volumeOf(e.w, e.Value()); ok {
		h.Objects = []model.Ref{pv.Ref}
	}
	return h
}

// atNode is the last step: the disk is large enough, the file system is not.
func (e expansion) atNode(status string, failed *model.Observation) (Hit, bool) {
	h := Hit{Text: "the disk has been enlarged, the file system has not. "}
	var since time.Duration = -1
	for _, of := range []corev1.PersistentVolumeClaimConditionType{fileSystemPending, "NodeResizeError"} {
		if i := e.condition(of); i >= 0 {
			h.Shown = append(h.Shown, e.shown(i)...)
			since = max(since, atLeast(e.w, e.Value().Status.Conditions[i].LastTransitionTime))
		}
	}
	users := usersOnNodes(e.w.ClaimPods(e.Ref.Namespace, e.Ref.Name))
	if failed == nil {
		failed = e.podFailure(users)
	}
	bad := failed != nil || e.condition("NodeResizeError") >= 0 || slices.Contains([]string{"NodeResizeInfeasible", "NodeResizeFailed"}, status)
	switch {
	case !bad && since < expansionPatience:
		return Hit{}, false
	case len(users) == 0 && e.w.Listed("Pod", e.Ref.Namespace):
		h.Text += "No pod uses the claim; the kubelet enlarges the file system when one does."
		h.Remedy = fmt.Sprintf("Start a pod that uses claim %s.", e.Ref)
	case len(users) == 0:
		h.Text += "The kubelet of the node where a pod uses the claim has to do that; the pods are not in the bundle."
	default:
		u := users[0]
		h.Text += fmt.Sprintf("The kubelet of %s has to do that, where %s uses the claim.", u.Value().Spec.NodeName, u.Ref)
		h.Objects = append(h.Objects, nodeRef(u.Value().Spec.NodeName), u.Ref)
		h.Shown = append(h.Shown, facts.CiteAll(u, "spec.nodeName")...)
		h.Remedy = fmt.Sprintf("Look for NodeExpandVolume in the kubelet's log of %s; when the driver cannot expand a volume in use, restart %s.",
			u.Value().Spec.NodeName, u.Ref)
	}
	if failed != nil {
		h.Text += fmt.Sprintf(" %s: %s", times(failed), shorten(failed.Detail))
		h.Shown = append(h.Shown, failed)
	}
	return h, true
}

// usersOnNodes are the pods that have a node and have not ended.
func usersOnNodes(list []pod) []pod {
	return facts.Where(activePods(list), func(p pod) bool { return nodeOf(p) != "" })
}

// podFailure is an error of the file system's expansion, of this volume, in an Event of one of the pods or in a kubelet's log.
func (e expansion) podFailure(users []pod) *model.Observation {
	name := e.Value().Spec.VolumeName
	list := facts.Where(e.w.ByKind[model.ResizeFailed], func(o *model.Observation) bool {
		v := e.w.Volumes.Find(o.Volume)
		return v != nil && v.PersistentVolume == name && o.Source.Kind == model.SourceLog
	})
	slices.Reverse(list)
	for _, u := range users {
		list = append(list, facts.Where(e.w.OfPod(u.Ref), func(o *model.Observation) bool {
			return o.Kind == model.ResizeFailed && strings.Contains(o.Detail, name)
		})...)
	}
	return append(list, nil)[0]
}
