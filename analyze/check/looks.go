package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
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
		a.text = fmt.Sprintf("The cloud says of %s that the machine is shut down (taint %s); of %s nothing tells. A stale Lease proves no end.",
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

// The words by which kubelets, drivers and the kernel report what only a node or the storage can know. They are compared in lower case.
var (
	toolWords    = regexp.MustCompile(`\b(resize2fs|xfs_growfs|xfs_info|e2fsck|dumpe2fs|mkfs|blkid|tune2fs|btrfs)\b`)
	missingWords = regexp.MustCompile(`executable file not found|not found in \$path|command not found|no such file or directory`)
	growWords    = regexp.MustCompile(`\b(resize2fs|xfs_growfs|nodeexpandvolume|resizefilesystem)\b|while expanding volume`)
	ioWords      = regexp.MustCompile(`input/output error|\bi/o error|structure needs cleaning|bad superblock|can't read superblock|` +
		`read-only file system|remount(ed|ing)?[ -]+(filesystem )?read-only|ext4-fs error|xfs.{0,40}(corruption|shut(ting)? ?down)`)
	fullWords        = regexp.MustCompile(`no space left on device|disk quota exceeded`)
	unreachableWords = regexp.MustCompile(`connection refused|no route to host|network is unreachable|no such host|connection timed out|` +
		`i/o timeout|host is down|connection reset by peer`)
	// socketWords are of the driver's own socket on the node, behind which no storage is.
	socketWords = regexp.MustCompile(`\.sock\b|dial unix|unix:/`)
)

// nodeKinds report what a kubelet could not do with a volume, and what a node-problem-detector and others say in Events.
var nodeKinds = []model.Kind{model.MountFailed, model.UnmountFailed, model.ResizeFailed, model.KubernetesEvent}

// worded quotes the last of the observations of some kinds whose text passes a test.
func worded(w *facts.World, kinds []model.Kind, test func(text string) bool, say string) answer {
	return newestOf(facts.Where(slices.Concat(facts.Each(kinds, func(k model.Kind) []*model.Observation { return w.ByKind[k] })...), func(o *model.Observation) bool {
		return o.Source.Kind != model.SourceManifest && test(strings.ToLower(errorOf(o)))
	}), say)
}

// newestOf quotes the newest of some observations, and counts them.
func newestOf(list []*model.Observation, say string) answer {
	if len(list) == 0 {
		return answer{}
	}
	slices.SortStableFunc(list, (*model.Observation).Compare)
	o := list[len(list)-1]
	if len(list) == 1 {
		say = strings.Replace(" "+say, " tell ", " tells ", 1)[1:]
	}
	text := fmt.Sprintf("%s %s, the last%s: %s",
		words.Plural(len(list), "line or Event", "lines or Events"), say, about(o), shorten(errorOf(o)))
	return answer{yes: true, text: text, shown: []*model.Observation{o}}
}

// about names the pod, claim or node of an observation for a sentence.
func about(o *model.Observation) string {
	switch {
	case o.Pod.Name != "":
		return " of pod " + o.Pod.String()
	case o.Claim.Name != "":
		return " of claim " + o.Claim.String()
	case o.Node != "":
		return " of " + o.Node
	}
	return ""
}

func attacherErrors(w *facts.World) answer {
	// The attacher writes its errors into the objects, too.
	list := slices.Concat(w.ByKind[model.AttacherFailed], w.ByKind[model.AttachmentAttachError], w.ByKind[model.AttachmentDetachError])
	return newestOf(list, "of the external-attacher tell of errors")
}

func unmountErrors(w *facts.World) answer {
	return newestOf(slices.Clone(w.ByKind[model.UnmountFailed]), "of kubelets tell of failed unmounts")
}

func toolsMissing(w *facts.World) answer {
	return worded(w, nodeKinds, func(text string) bool {
		return toolWords.MatchString(text) && missingWords.MatchString(text)
	}, "tell of a tool that is not there")
}

// fileSystemSmaller finds file systems that were not enlarged with their volume: claims that say so, and kubelets that failed.
func fileSystemSmaller(w *facts.World) answer {
	for _, c := range w.Claims {
		if i := (expansion{w: w, claim: c}).condition(fileSystemPending); i >= 0 {
			return answer{yes: true, text: fmt.Sprintf("The file system of claim %s waits to be enlarged (condition FileSystemResizePending).",
				c.Ref), shown: expansion{w: w, claim: c}.shown(i)}
		}
	}
	failed := facts.Where(slices.Concat(w.ByKind[model.ResizeFailed], w.ByKind[model.MountFailed]), func(o *model.Observation) bool {
		return growWords.MatchString(strings.ToLower(errorOf(o))) && !grown(w, o)
	})
	return newestOf(failed, "tell that a file system was not enlarged")
}

// resizeErrors finds errors of an expansion, of claims that do not have by now what they ask for.
func resizeErrors(w *facts.World) answer {
	failed := facts.Where(w.ByKind[model.ResizeFailed], func(o *model.Observation) bool { return !grown(w, o) })
	return newestOf(failed, "tell that an expansion failed")
}

// grown reports that the claim that an error of an expansion is about is in the bundle and has what it asks for.
func grown(w *facts.World, o *model.Observation) bool {
	claim := o.Claim
	if v := w.Volumes.Find(o.Volume); claim.Name == "" && v != nil {
		claim = v.Claim
	}
	c, ok := w.Claim(claim.Namespace, claim.Name)
	if !ok || claim.Name == "" {
		return false
	}
	want, has := c.Value().Spec.Resources.Requests[corev1.ResourceStorage], c.Value().Status.Capacity[corev1.ResourceStorage]
	return !has.IsZero() && want.Cmp(has) <= 0 && (expansion{w: w, claim: c}).condition(fileSystemPending) < 0
}

func ioErrors(w *facts.World) answer {
	for _, n := range w.Nodes { // as the node-problem-detector sets it
		for i, cond := range n.Value().Status.Conditions {
			if cond.Type == "ReadonlyFilesystem" && cond.Status == corev1.ConditionTrue {
				field := fmt.Sprintf("status.conditions[%d].", i)
				return answer{yes: true, text: fmt.Sprintf("Node %s says of itself that a file system became read-only: %s",
					n.Ref.Name, shorten(cond.Message)),
					shown: facts.CiteAll(n, field+"type", field+"message")}
			}
		}
	}
	return worded(w, append([]model.Kind{model.AttachFailed}, nodeKinds...), ioWords.MatchString, "tell of errors of a device or file system")
}

func volumesFull(w *facts.World) answer {
	return worded(w, nodeKinds, fullWords.MatchString, "tell that a volume is full")
}

func backendUnreachable(w *facts.World) answer {
	return worded(w, []model.Kind{model.MountFailed, model.UnmountFailed, model.ResizeFailed}, func(text string) bool {
		return unreachableWords.MatchString(text) && !socketWords.MatchString(text)
	}, "of kubelets tell that the storage does not answer")
}

func quotaExhausted(w *facts.World) answer {
	for _, kind := range []model.Kind{model.ProvisionFailed, model.ResizeFailed} {
		for _, o := range slices.Backward(w.ByKind[kind]) {
			text := strings.ToLower(o.Detail)
			if containsAny(text, quotaWords) {
				return answer{yes: true, text: fmt.Sprintf("The storage refused%s: %s",
					strings.Replace(about(o), " of ", " for ", 1), shorten(o.Detail)), shown: []*model.Observation{o}}
			}
		}
	}
	return answer{}
}

// backendDisagrees finds what the storage said: the attacher's comparison, and refused attaches without a later success.
func backendDisagrees(w *facts.World) answer {
	const disagree = "of the external-attacher tell that attachments and storage disagree"
	if a := newestOf(slices.Clone(w.ByKind[model.AttachmentDrift]), disagree); a.yes {
		return a
	}
	list := slices.Concat(w.ByKind[model.AttachFailed], w.ByKind[model.AttacherFailed], w.ByKind[model.AttachmentAttachError],
		w.ByKind[model.MountFailed])
	return newestOf(facts.Where(list, func(o *model.Observation) bool {
		return upstream.InUseElsewhere(errorOf(o), o.Node) && !w.AttachedSince(o)
	}), "tell that the storage refused because the volume is attached elsewhere")
}

// countedByForce finds what the controller's own counters have of forced detaches.
func countedByForce(w *facts.World) answer {
	n, list := 0, w.ByKind[model.ForcedDetachesCounted]
	for _, o := range list {
		n += o.Count
	}
	if n == 0 {
		return answer{}
	}
	return answer{yes: true, text: fmt.Sprintf("The controller's counter of forced detaches rose by %d between %s and %s.",
		n, model.DateTime(list[0].At.At), model.Stamp(list[len(list)-1].Last.At)), shown: []*model.Observation{list[len(list)-1]}}
}

// notPlaced finds Events of pods that the scheduler could not place for their volumes' sake, and that nothing shows scheduled since.
func notPlaced(w *facts.World) answer {
	standing := newStanding(w)
	return newestOf(facts.Where(w.ByKind[model.PodSchedulingFailed], func(o *model.Observation) bool {
		return o.Source.Kind != model.SourceManifest && containsAny(strings.ToLower(errorOf(o)), placementWords) && !standing.passed(o)
	}), "of the scheduler tell so")
}

// placementWords are the scheduler's reasons that lie with volumes (plugins volumebinding, volumezone, volumerestrictions).
var placementWords = []string{"volume node affinity conflict", "persistentvolume's node affinity", "available persistent volumes to bind",
	"no available volume zone", "unbound immediate persistentvolumeclaims", "readwriteoncepod access mode",
	"no available disk", maxVolumeCount}

// volumesWithoutAttachment finds volumes without a VolumeAttachment: in-tree plugins, local disks, drivers with attachRequired false.
func volumesWithoutAttachment(w *facts.World) answer {
	skip := map[string]bool{}
	for _, d := range model.Newest(w.Snapshot.CSIDrivers) {
		skip[d.Ref.Name] = !deref(d.Value().Spec.AttachRequired, true)
	}
	var found seen
	for _, pv := range w.PVs {
		if csi := pv.Value().Spec.CSI; (csi == nil || skip[csi.Driver]) && !migrated(pv.Value()) {
			addObject(&found, pv.Ref.Name, pv, "metadata.name", "spec.csi.driver")
		}
	}
	for _, v := range w.Volumes.All { // those that only lines and Events name
		if why, shown := w.Attachless(v); v.PV == nil && why != "" && v.Key() != "" {
			found.add(v.Key(), shown)
		}
	}
	return found.yes(words.Count(len(found.names), "volume") +
		" of an in-tree plugin, a local disk or a driver that needs no attachment (%s): VolumeAttachments say nothing of them.")
}

// migrated reports that an in-tree volume is handled by a CSI driver, and so has a VolumeAttachment.
func migrated(pv *corev1.PersistentVolume) bool {
	return pv.Annotations["pv.kubernetes.io/migrated-to"] != ""
}

func expansionForbidden(w *facts.World) answer {
	used := map[string]int{}
	for _, pv := range boundVolumes(w) {
		used[pv.Value().Spec.StorageClassName]++
	}
	var found seen
	for _, c := range w.Classes {
		if used[c.Ref.Name] > 0 && !deref(c.Value().AllowVolumeExpansion, false) {
			addObject(&found, fmt.Sprintf("%s (%s)",
				c.Ref.Name, words.Count(used[c.Ref.Name], "volume")), c, "metadata.name", "allowVolumeExpansion")
		}
	}
	return found.yes("allowVolumeExpansion is not true of %s.")
}
