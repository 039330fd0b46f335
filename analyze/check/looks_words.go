package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

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
	if o.Pod.Name != "" {
		return " of pod " + o.Pod.String()
	}
	if o.Claim.Name != "" {
		return " of claim " + o.Claim.String()
	}
	if o.Node != "" {
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
		return upstream.InUseElsewhere(errorOf(o), o.Node) && !attachedSince(w, o)
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
