package ingest

import (
	"cmp"
	"path"
	"slices"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// listed says of which kinds the bundle holds all objects: lists, and directories that a collector fills with one file
// for each object, which set holds already. A single loose object is no list: it says nothing of the others.
func listed(set map[model.Listed]bool, parts []*part, mustGather bool) []model.Listed {
	for _, p := range parts {
		for _, l := range p.lists {
			for _, ns := range listNamespaces(l, p.place) {
				set[model.Listed{Kind: l.Kind, Namespace: ns}] = true
			}
		}
	}
	// The gather script asks for CSINodes, StorageClasses and VolumeAttachments alike, and writes no directory for what
	// has no objects (openshift/must-gather collection-scripts/gather, 4.6–4.20).
	if mustGather && set[model.Listed{Kind: "CSINode"}] {
		set[model.Listed{Kind: "VolumeAttachment"}] = true
	}
	out := make([]model.Listed, 0, len(set))
	for l := range set {
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b model.Listed) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace))
	})
	return out
}

// listNamespaces are the namespaces that a list covers: "" for all. The path knows which was asked; else several
// namespaces in one list come from asking for all, one from asking for that one, and none tells nothing.
func listNamespaces(l manifest.List, place layout.Place) []string {
	switch {
	case !manifest.Namespaced(l.Kind):
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

// listedDirectory recognises a directory that holds one file for each object of a kind: the directory itself, which may
// be empty, and a file in it, for archives that do not name their directories. A file that could not be read may hold the
// very object that the others do not.
func (r *reading) listedDirectory(e archive.Entry, p *part) {
	kind := manifest.KindOfPlural(p.place.Collection)
	// Below pods/ lie the logs of pods; they do not tell that the pods were listed.
	if kind == "" || p.place.Collection == "pods" || manifest.Namespaced(kind) == p.place.ClusterScoped {
		return
	}
	l := model.Listed{Kind: kind}
	if !p.place.ClusterScoped {
		l.Namespace = p.place.Namespace
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

// directories are the directories of which every file was read. An archive that breaks off lacks files that nothing
// names, and so does what lies behind a limit.
func (r *reading) directories() map[model.Listed]bool {
	set := map[model.Listed]bool{}
	for l, whole := range r.lists {
		if whole && !r.torn {
			set[l] = true
		}
	}
	return set
}
