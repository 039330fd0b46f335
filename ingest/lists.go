package ingest

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

type listing struct {
	kind, namespace string
	path            string // of the file or directory, with archives as directories
}

// listed says of which kinds the bundle holds all objects of a collection: by lists, and by directories with one file for each object.
func (r *reading) listed(near neighbours) []model.Listed {
	// The gather script asks for both, and writes no directory without objects (openshift/must-gather, 4.6–4.20). Where a Node lists an
	// attached volume the directory was lost, rather than every object deleted.
	noAttachments := slices.Contains(r.s.Layouts, "must-gather") && !slices.ContainsFunc(r.s.Nodes, attachedSome)
	set, collected := map[model.Listed]bool{}, r.s.Collected()
	add := func(l listing) {
		of := model.Listed{Kind: l.kind, Namespace: l.namespace, Cluster: near.of(l.path + "/x")}
		if c := collected.Of(l.path); c != nil {
			of.Collection = c.Root
		}
		set[of] = true
		if noAttachments && l.kind == "CSINode" {
			of.Kind = "VolumeAttachment"
			set[of] = true
		}
	}
	for l, whole := range r.lists {
		if whole && !r.incomplete { // an archive that breaks off, and a limit, lack files that nothing names
			add(l)
		}
	}
	for _, p := range r.parts {
		for _, l := range p.lists {
			for _, ns := range listNamespaces(l, p.place) {
				add(listing{l.Kind, ns, slashed(p.input.Path)})
			}
		}
	}
	out := slices.Collect(maps.Keys(set))
	slices.SortFunc(out, func(a, b model.Listed) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Cluster, b.Cluster),
			cmp.Compare(a.Collection, b.Collection))
	})
	return out
}

// attachedSome reports that a Node lists a volume of a CSI driver as attached.
func attachedSome(n model.Object[*corev1.Node]) bool {
	return slices.ContainsFunc(n.Value().Status.VolumesAttached, func(v corev1.AttachedVolume) bool {
		return strings.HasPrefix(string(v.Name), "kubernetes.io/csi/")
	})
}

// listNamespaces are the namespaces that a list covers, "" for all. The path knows, else the items: several come from asking for all.
func listNamespaces(l manifest.List, place layout.Place) []string {
	switch {
	case manifest.ClusterScoped(l.Kind):
		return []string{""}
	case place.Namespace != "":
		return []string{place.Namespace}
	case len(l.Namespaces) == 1:
		return l.Namespaces
	case len(l.Namespaces) > 1:
		return []string{""}
	}
	return nil
}

// listedDirectory recognises a directory with one file for each object of a kind: by itself, as it may be empty, or by a file in it. A file
// that could not be read may hold the very object that the others do not.
func (r *reading) listedDirectory(e archive.Entry, p *part) {
	kind := manifest.KindOfPlural(p.place.Collection)
	// Below pods/ lie the logs of pods; they do not say that the pods were listed.
	if kind == "" || p.place.Collection == "pods" || manifest.ClusterScoped(kind) != p.place.ClusterScoped {
		return
	}
	l := listing{kind: kind, path: slashed(e.Path)}
	if e.Form != archive.Dir {
		l.path = path.Dir(l.path)
	}
	if !p.place.ClusterScoped {
		l.namespace = p.place.Namespace
	}
	whole, seen := r.lists[l]
	switch {
	case p.lost():
		r.lists[l] = false
	case seen && !whole:
	case e.Form == archive.Dir && path.Base(e.Path) == p.place.Collection,
		e.Form != archive.Dir && path.Base(path.Dir(e.Path)) == p.place.Collection && p.input.Kind == model.InputManifests && p.input.Used > 0:
		r.lists[l] = true
	}
}

// lost reports whether a file may have held an object that could not be read.
func (p *part) lost() bool {
	if p.failed() || p.refusedObjects > 0 {
		return true
	}
	in := p.input
	return in != nil && (in.Kind == model.InputUnread || in.Kind == model.InputManifests && in.Used < in.Records && p.warned())
}
