package ingest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// overlaid are the files of directories in which two clusters lie over one another, by what tells it: to unpack a second bundle over a
// first leaves of the first what has another name in the second.
type overlaid struct {
	r       *reading
	root    map[string]string // file → the root of its collection
	tells   map[string]string // root → what tells it
	cluster map[string]string // file → what it is of, of those that something ties to one
	ties    groups            // files that share a UID
	loose   map[string]bool   // that nothing ties to one of two
}

// sureBefore is by how much an object has to be older than its cluster before it is of another one: clocks of masters differ, by a zone or a
// day where somebody set one by hand, and an object that is wrongly told apart costs more than one of a cluster that is a day younger.
const sureBefore = 36 * time.Hour

// overlay looks for such directories; nil when there are none. Files are told apart by the two identities and the UIDs that they share with
// them; what cannot be is left out, without two identities all: that a node of one cluster explained a pod of the other would be worse.
func (r *reading) overlay() *overlaid {
	o := &overlaid{r: r, root: map[string]string{}, tells: map[string]string{}, cluster: map[string]string{}, ties: groups{}, loose: map[string]bool{}}
	o.byIdentity()
	o.byAge()
	o.byClaim()
	if len(o.tells) == 0 {
		return nil
	}
	o.tie()
	for i := range r.s.Inputs {
		file := r.s.Inputs[i].Path
		o.loose[file] = o.tells[o.rootOf(file)] != "" && o.cluster[file] == ""
	}
	for _, root := range slices.Sorted(maps.Keys(o.tells)) {
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Warning, Path: root, Message: "holds files of two clusters, " + o.tells[root] +
			". Unpack each bundle into a directory of its own"})
	}
	o.leaveOut()
	return o
}

func (o *overlaid) rootOf(file string) string {
	root, ok := o.root[file]
	if !ok {
		root = layout.Of(file).Root
		o.root[file] = root
	}
	return root
}

// byIdentity finds two identities in one directory: neither kube-system nor the id of a cluster is ever replaced.
func (o *overlaid) byIdentity() {
	first := map[string]claim{}
	for _, c := range identities(o.r.s) {
		key := fmt.Sprint(c.rank) + " " + c.root
		f, ok := first[key]
		if !ok {
			first[key] = c
			continue
		}
		if f.id != c.id && f.path != c.path {
			o.tells[c.root] = fmt.Sprintf("as %s says %s and %s says %s; what nothing ties to one of them is left out", f.path, f.id, c.path, c.id)
		}
	}
	for _, c := range identities(o.r.s) {
		if o.tells[c.root] != "" {
			o.cluster[c.path] = c.id
		}
	}
}

// byAge finds objects that are older than the kube-system beside them, which is the first object of a cluster.
func (o *overlaid) byAge() {
	began := map[string]time.Time{}
	for _, ns := range o.r.s.Namespaces {
		if root := o.rootOf(ns.Input); ns.Ref.Name == "kube-system" && o.tells[root] == "" {
			began[root] = ns.Value().CreationTimestamp.Time
		}
	}
	see := func(ref model.Ref, input string, created time.Time) {
		root := o.rootOf(input)
		if at := began[root]; !at.IsZero() && !created.IsZero() && created.Before(at.Add(-sureBefore)) {
			o.foreign(root, fmt.Sprintf("as %s %s was created at %s, before kube-system (%s)", ref.Kind, ref, created.Format(time.RFC3339),
				at.Format(time.RFC3339)))
		}
	}
	for _, p := range o.r.s.PersistentVolumes {
		see(p.Ref, p.Input, p.Value().CreationTimestamp.Time)
	}
	for _, n := range o.r.s.Nodes {
		see(n.Ref, n.Input, n.Value().CreationTimestamp.Time)
	}
	for _, c := range o.r.s.Observations {
		if c.Source.Kind == model.SourceManifest && (c.Kind == model.PodCreated || c.Kind == model.AttachmentCreated) {
			see(c.Object, c.Input, c.At.At)
		}
	}
}

// byClaim finds volumes that are bound to a claim of another UID than the one beside them, which is bound, too, to another volume.
func (o *overlaid) byClaim() {
	type key struct{ root, namespace, name string }
	claims := map[key]model.Object[*corev1.PersistentVolumeClaim]{}
	for _, c := range o.r.s.PersistentVolumeClaims {
		claims[key{o.rootOf(c.Input), c.Ref.Namespace, c.Ref.Name}] = c
	}
	for _, v := range o.r.s.PersistentVolumes {
		pv := v.Value()
		ref := pv.Spec.ClaimRef
		if ref == nil || pv.Status.Phase != corev1.VolumeBound {
			continue
		}
		root := o.rootOf(v.Input)
		c, ok := claims[key{root, ref.Namespace, ref.Name}]
		if !ok || !words.Differ(c.Ref.UID, string(ref.UID)) {
			continue
		}
		if claim := c.Value(); claim.Status.Phase == corev1.ClaimBound && claim.Spec.VolumeName != pv.Name {
			o.foreign(root, fmt.Sprintf("as %s and %s are both bound to claim %s, of the UIDs %s and %s", pv.Name, claim.Spec.VolumeName,
				c.Ref, ref.UID, c.Ref.UID))
		}
	}
}

// foreign notes what tells that a file is not of the cluster whose directory it is in.
func (o *overlaid) foreign(root, tells string) {
	if o.tells[root] == "" {
		o.tells[root] = tells + "; nothing of it is used"
	}
}

// tie gives each file the cluster of the files that share a UID with it. Files of two clusters that do are of neither for certain.
func (o *overlaid) tie() {
	o.ties.byUID(o.r.s, func(input string) string { return words.If(o.tells[o.rootOf(input)] != "", input) })
	of := map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(o.cluster)) {
		group := o.ties.find(file)
		if was, ok := of[group]; ok && was != o.cluster[file] {
			of[group] = ""
			continue
		}
		of[group] = o.cluster[file]
	}
	for file := range o.ties {
		if cluster, ok := of[o.ties.find(file)]; ok {
			o.cluster[file] = cluster
		}
	}
}

// leaveOut takes what the loose files hold out of the snapshot.
func (o *overlaid) leaveOut() {
	s, kept := o.r.s, map[string]bool{}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		kept[in.Path] = !o.loose[in.Path]
		if o.loose[in.Path] && in.Used > 0 {
			in.Skipped, in.Used = in.Records, 0
		}
	}
	*s = *s.OfInputs(kept)
	s.Observations = slices.DeleteFunc(s.Observations, func(ob model.Observation) bool { return o.loose[ob.Input] })
	s.Aged = slices.DeleteFunc(s.Aged, func(a model.Aged) bool { return o.loose[a.Input] })
}

// without takes out the claims of such directories, which would make one cluster of both.
func (o *overlaid) without(claims []claim) []claim {
	if o == nil {
		return claims
	}
	return slices.DeleteFunc(claims, func(c claim) bool { return o.tells[c.root] != "" })
}

// clusters are those that such directories hold.
func (o *overlaid) clusters() []string {
	if o == nil {
		return nil
	}
	all := map[string]bool{}
	for _, cluster := range o.cluster {
		all[cluster] = cluster != ""
	}
	delete(all, "")
	return slices.Collect(maps.Keys(all))
}

// place gives each file the cluster that it is of.
func (o *overlaid) place(near neighbours) {
	if o == nil {
		return
	}
	for i := range o.r.s.Inputs {
		in := &o.r.s.Inputs[i]
		if cluster := o.cluster[in.Path]; cluster != "" {
			near[slashed(in.Path)], in.Cluster = cluster, cluster
		}
	}
}
