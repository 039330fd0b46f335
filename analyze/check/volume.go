package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// fitBudget bounds the comparisons of claims with volumes: clusters have few volumes made by hand, hostile bundles many.
const fitBudget = 2_000_000

func lookClaimNoVolume(w *facts.World, _ *scene, hit func(Hit)) {
	free, held := freeVolumes(w)
	budget := fitBudget
	for _, p := range pendingClaims(w, namesVolume, handMade) {
		switch p.why {
		case namesVolume:
			name := p.Value().Spec.VolumeName
			if _, ok := w.PV(name); !ok {
				hit(Hit{
					Objects: []model.Ref{p.Ref, volumeRef(name)}, Shown: facts.CiteAll(p.claim, "spec.volumeName", "status.phase"),
					Text:   fmt.Sprintf("Claim %s is Pending: it asks for PersistentVolume %s, which does not exist.", p.Ref, name),
					Remedy: fmt.Sprintf("Create PersistentVolume %s, or recreate claim %s without spec.volumeName.", name, p.Ref),
				})
			}
		case handMade:
			if budget -= len(free[p.name]); budget < 0 {
				return
			}
			if why, fits := p.noneFits(free[p.name], held[p.name]); !fits {
				hit(p.unserved(why))
			}
		}
	}
}

func (p waiting) unserved(why string) Hit {
	of := "of no class"
	shown := facts.CiteAll(p.claim, "spec.storageClassName", "status.phase", "spec.resources.requests.storage")
	h := Hit{Objects: []model.Ref{p.Ref}, Shown: shown}
	if p.name != "" {
		of, h.Objects = "of class "+p.name, append(h.Objects, classRef(p.name))
	}
	if p.class.Value() != nil {
		h.Shown = append(h.Shown, facts.CiteAll(p.class, "provisioner")...)
	}
	h.Text = fmt.Sprintf("Claim %s is Pending: it asks for a volume %s, which no provisioner creates, and %s.", p.Ref, of, why)
	return h
}

// freeVolumes are the Available volumes by class, and how many others each class has.
func freeVolumes(w *facts.World) (free map[string][]volume, held map[string]int) {
	free, held = map[string][]volume{}, map[string]int{}
	for _, pv := range w.PVs {
		class := pv.Value().Spec.StorageClassName
		if pv.Value().Status.Phase == corev1.VolumeAvailable && pv.Value().DeletionTimestamp == nil {
			free[class] = append(free[class], pv)
		} else {
			held[class]++
		}
	}
	return free, held
}

// noneFits says why no volume is for the claim.
func (p waiting) noneFits(free []volume, held int) (string, bool) {
	if len(free) == 0 && held == 0 {
		return "there is none", false
	}
	if len(free) == 0 {
		return fmt.Sprintf("none is Available (%s)", words.Plural(held, "other exists", "others exist")), false
	}
	var misfits []string
	for _, pv := range free {
		why := misfit(p.Value(), pv.Value())
		if why == "" {
			return "", true
		}
		if len(misfits) < maxNamed {
			misfits = append(misfits, pv.Ref.Name+" "+why)
		}
	}
	if more := len(free) - len(misfits); more > 0 {
		misfits = append(misfits, fmt.Sprintf("%d more do not fit either", more))
	}
	return "no Available one fits: " + strings.Join(misfits, "; "), false
}

// misfit says why a volume is not for a claim; "" when it may be.
func misfit(c *corev1.PersistentVolumeClaim, pv *corev1.PersistentVolume) string {
	want, has := c.Spec.Resources.Requests[corev1.ResourceStorage], pv.Spec.Capacity[corev1.ResourceStorage]
	lacking := slices.IndexFunc(c.Spec.AccessModes, func(m corev1.PersistentVolumeAccessMode) bool {
		return !slices.Contains(pv.Spec.AccessModes, m)
	})
	mode := deref(pv.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
	s, err := metav1.LabelSelectorAsSelector(c.Spec.Selector)
	switch ref := pv.Spec.ClaimRef; {
	case ref != nil && !keptFor(ref, c):
		return "is kept for " + ref.Namespace + "/" + ref.Name
	case has.Cmp(want) < 0:
		return fmt.Sprintf("is too small (%s, asked for %s)", has.String(), want.String())
	case lacking >= 0:
		return "does not admit " + string(c.Spec.AccessModes[lacking])
	case mode != deref(c.Spec.VolumeMode, corev1.PersistentVolumeFilesystem):
		return "is of mode " + string(mode)
	case c.Spec.Selector != nil && (err != nil || !s.Matches(labels.Set(pv.Labels))):
		return "does not have the labels that the claim selects"
	}
	return ""
}

// keptFor reports that the claim that a volume is kept for may be this one.
func keptFor(ref *corev1.ObjectReference, c *corev1.PersistentVolumeClaim) bool {
	same := ref.UID == "" || ref.UID == c.UID
	return same && ref.Namespace == c.Namespace && ref.Name == c.Name
}

func lookVolumeReleased(w *facts.World, _ *scene, hit func(Hit)) {
	failures := map[string]*model.Observation{}
	for _, o := range w.ByKind[model.ReclaimFailed] {
		failures[o.Volume.PersistentVolume] = o
	}
	for _, pv := range w.PVs {
		phase := pv.Value().Status.Phase
		if pv.Value().DeletionTimestamp != nil || phase != corev1.VolumeReleased && phase != corev1.VolumeFailed {
			continue
		}
		if h, ok := leftOver(w, pv, failures[pv.Ref.Name]); ok {
			hit(h)
		}
	}
}

// leftOver says in which way a volume is left over.
func leftOver(w *facts.World, pv volume, failure *model.Observation) (Hit, bool) {
	was, refs := "a claim", []model.Ref{pv.Ref}
	if ref := pv.Value().Spec.ClaimRef; ref != nil {
		was = "claim " + ref.Namespace + "/" + ref.Name
		refs = append(refs, model.Ref{Kind: "PersistentVolumeClaim", Namespace: ref.Namespace, Name: ref.Name, UID: string(ref.UID)})
	}
	shown := facts.CiteAll(pv, "status.phase", "spec.persistentVolumeReclaimPolicy", "spec.claimRef.name", "status.message")
	h := Hit{Objects: refs, Shown: shown}
	if failure != nil {
		h.Shown = append(h.Shown, failure)
	}
	policy := pv.Value().Spec.PersistentVolumeReclaimPolicy
	if pv.Value().Status.Phase == corev1.VolumeFailed || failure != nil {
		h.Severity = "warning"
		h.Text = fmt.Sprintf("Volume %s of %s, which is gone, could not be reclaimed (policy %s): %s",
			pv.Ref.Name, was, policy, reclaimError(pv.Value(), failure))
		h.Remedy = fmt.Sprintf("Remove what the error names (a VolumeAttachment of %s, for one); the deletion is tried again by itself.",
			pv.Ref.Name)
	} else if policy == corev1.PersistentVolumeReclaimDelete {
		since := pv.Value().Status.LastPhaseTransitionTime
		if since == nil || atLeast(w, *since) < provisionPatience {
			return Hit{}, false
		}
		h.Severity = "warning"
		h.Shown = append(h.Shown, facts.CiteAll(pv, "status.lastPhaseTransitionTime")...)
		h.Text = fmt.Sprintf("Volume %s of %s, which is gone, was to be deleted and is still Released; it became so %s.",
			pv.Ref.Name, was, ago(w, *since))
		h.Remedy = fmt.Sprintf("Look at the log of the provisioner for %s (container csi-provisioner of the CSI controller), and for a "+
			"VolumeAttachment of it.", pv.Ref.Name)
	} else {
		h.Text = fmt.Sprintf("Volume %s is Released with policy %s: %s is gone, the data are kept, and no other claim can have the volume.",
			pv.Ref.Name, policy, was)
		h.Remedy = fmt.Sprintf("When the data are not needed, delete it (kubectl delete pv %s) and the disk in the back end. To use it again: "+
			`kubectl patch pv %s --type=json -p '[{"op":"remove","path":"/spec/claimRef"}]'; the next claim that it fits then gets it and its data.`,
			word(pv.Ref.Name), word(pv.Ref.Name))
	}
	return h, true
}

func reclaimError(pv *corev1.PersistentVolume, failure *model.Observation) string {
	if failure != nil {
		return shorten(failure.Detail)
	}
	return cmp.Or(shorten(pv.Status.Message), "the reason is not recorded.")
}

// Shares of a volume's bytes or inodes, in percent, from which on it is a finding.
const (
	filling  = 70
	nearFull = 90
)

func lookVolumeFull(w *facts.World, _ *scene, hit func(Hit)) {
	for _, o := range w.ByKind[model.VolumeUsage] {
		text, _, _ := strings.Cut(o.Detail, "%")
		share, err := strconv.Atoi(text)
		if err != nil || share < filling || newer(w, o) {
			continue
		}
		what, about := fullVolume(w, o)
		h := Hit{
			Objects: about, Shown: []*model.Observation{o},
			Text: fmt.Sprintf("%s was full to %s at %s, by the kubelet's last sample.", what, o.Detail, model.Stamp(o.At.At)),
		}
		if o.Source.Kind == model.SourceText {
			h.Text = fmt.Sprintf("%s was full to %s when this was printed.", what, o.Detail)
		}
		if share < nearFull {
			h.Severity = "info"
		}
		hit(h)
	}
}

// fullVolume names the volume of a sample: by its claim, by its PersistentVolume, or by the pod that has it.
func fullVolume(w *facts.World, o *model.Observation) (what string, about []model.Ref) {
	v := w.Volumes.Find(o.Volume)
	if o.Claim.Name != "" {
		return "The volume of claim " + o.Claim.String(), []model.Ref{o.Claim}
	}
	if v != nil && v.Claim.Name != "" {
		return "The volume of claim " + v.Claim.String(), []model.Ref{v.Claim, volumeRef(v.Key())}
	}
	if o.Pod.Name != "" {
		return "The file system of pod " + o.Pod.String(), []model.Ref{o.Pod}
	}
	return "Volume " + volumeName(w, o), []model.Ref{volumeNamed(w, o)}
}

// newer reports a later sample of the same: the volume moved to another node, or two servers scraped it.
func newer(w *facts.World, o *model.Observation) bool {
	of := func(o *model.Observation) string {
		_, what, _ := strings.Cut(o.Detail, "% of its ")
		return fmt.Sprint(o.Claim, o.Volume, o.Pod, what)
	}
	return slices.ContainsFunc(w.ByKind[model.VolumeUsage], func(p *model.Observation) bool { return p.Compare(o) > 0 && of(p) == of(o) })
}

// setVolumes are the volumes with policy Delete of one StatefulSet.
type setVolumes struct {
	set     model.Object[*appsv1.StatefulSet]
	volumes []volume
}

func (s setVolumes) class() string { return s.volumes[0].Value().Spec.StorageClassName }

// cite quotes the policy of one of the volumes.
func (s setVolumes) cite() []*model.Observation {
	return facts.CiteAll(s.volumes[0], "spec.persistentVolumeReclaimPolicy")
}

func lookDeletePolicy(w *facts.World, s *scene, hit func(Hit)) {
	var usual []setVolumes
	for _, s := range deletable(w) {
		var when []string
		if r := s.set.Value().Spec.PersistentVolumeClaimRetentionPolicy; r != nil {
			const deletes = appsv1.DeletePersistentVolumeClaimRetentionPolicyType
			when = facts.Where([]string{words.If(r.WhenDeleted == deletes, "deleted"), words.If(r.WhenScaled == deletes, "scaled down")},
				func(s string) bool { return s != "" })
		}
		if len(when) == 0 {
			usual = append(usual, s)
			continue
		}
		const policy = "spec.persistentVolumeClaimRetentionPolicy."
		hit(Hit{
			Objects: append([]model.Ref{s.set.Ref}, facts.Each(s.volumes, refOf)...),
			Shown:   append(facts.CiteAll(s.set, policy+"whenDeleted", policy+"whenScaled"), s.cite()...),
			Text: fmt.Sprintf("StatefulSet %s deletes its claims when it is %s, and the reclaim policy of %d of its volumes is Delete: the data "+
				"go with them.", s.set.Ref, strings.Join(when, " or "), len(s.volumes)),
		})
	}
	for _, g := range grouped(usual, setVolumes.class) {
		hit(deleted(w, g))
	}
}

// deleted is the finding for the StatefulSets of one class.
func deleted(w *facts.World, g []setVolumes) Hit {
	var h Hit
	if c, ok := w.Class(g[0].class()); ok {
		h.Objects, h.Shown = []model.Ref{c.Ref}, facts.CiteAll(c, "reclaimPolicy")
	}
	n := 0
	for _, s := range g {
		n += len(s.volumes)
		h.Objects = append(h.Objects, s.set.Ref)
	}
	h.Shown = append(h.Shown, quoted(g, setVolumes.cite)...)
	h.Text = fmt.Sprintf("The reclaim policy of %s of class %s, of %s, is Delete: whoever deletes a claim deletes its data.",
		words.Count(n, "volume"),
		cmp.Or(g[0].class(), "none"), several("StatefulSet", "StatefulSets", facts.Each(g, func(s setVolumes) string { return s.set.Ref.String() })))
	return h
}

// deletable are the StatefulSets with volumes of policy Delete, in the order of their names.
func deletable(w *facts.World) []setVolumes {
	of := map[string][]volume{} // by namespace/template-set
	for _, c := range w.Claims {
		pv, ok := volumeOf(w, c.Value())
		if !ok || pv.Value().Spec.PersistentVolumeReclaimPolicy != corev1.PersistentVolumeReclaimDelete {
			continue
		}
		i := strings.LastIndexByte(c.Ref.Name, '-')
		if i < 0 || !digits(c.Ref.Name[i+1:]) {
			continue
		}
		key := c.Ref.Namespace + "/" + c.Ref.Name[:i]
		of[key] = append(of[key], pv)
	}
	var out []setVolumes
	for _, set := range w.StatefulSets {
		s := setVolumes{set: set}
		for _, t := range set.Value().Spec.VolumeClaimTemplates {
			s.volumes = append(s.volumes, of[set.Ref.Namespace+"/"+t.Name+"-"+set.Ref.Name]...)
		}
		if len(s.volumes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func lookHandleShared(w *facts.World, s *scene, hit func(Hit)) {
	for _, v := range w.Volumes.All {
		once := v.SharesHandle() && v == v.Storage()
		if !once || v.Driver == "" || !attachRequired(w, v.Driver) {
			continue
		}
		var list []*facts.Volume
		single := false
		for _, s := range v.Same() {
			if s.PV == nil && (s.PersistentVolume == "" || w.Listed("PersistentVolume", "")) {
				continue // gone
			}
			list, single = append(list, s), single || s.Exclusive()
		}
		if len(list) > 1 && single {
			hit(ofOneHandle(list))
		}
	}
}

// ofOneHandle is the finding for some PersistentVolumes.
func ofOneHandle(list []*facts.Volume) Hit {
	var h Hit
	var names []string
	bound := 0
	for i, v := range list {
		h.Objects = append(h.Objects, volumeRef(v.PersistentVolume))
		if v.Claim.Name != "" {
			h.Objects = append(h.Objects, claimRef(v.Claim))
		}
		phase := corev1.VolumeBound // as far as is known
		if v.PV != nil {
			phase = v.PV.Value().Status.Phase
		}
		if phase == corev1.VolumeBound || phase == "" && v.Claim.Name != "" {
			bound++
		}
		names = append(names, v.PersistentVolume+words.If(v.Claim.Name != "", " (claim "+v.Claim.String()+")"))
		if i < maxShown && v.PV != nil {
			h.Shown = append(h.Shown, facts.CiteAll(*v.PV, "spec.csi.volumeHandle", "spec.claimRef.name")...)
		}
	}
	h.Objects = withoutRepeats(h.Objects)
	h.Text = fmt.Sprintf("PersistentVolumes %s name one volume of the storage, %s of %s: to the attach/detach controller they are one, "+
		"which one node at a time may have.", words.List(names), list[0].Handle, list[0].Driver)
	if bound < 2 {
		h.Severity = "info"
	}
	reclaimed := func(v *facts.Volume) bool {
		return v.PV != nil && v.PV.Value().Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete
	}
	if i := slices.IndexFunc(list, reclaimed); i >= 0 {
		h.Text += fmt.Sprintf(" The reclaim policy of %s is Delete: deleting its claim deletes the data of all.", list[i].PersistentVolume)
	}
	return h
}
