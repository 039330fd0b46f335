package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// classRow reads a StorageClass: who makes its volumes, when, and whether they can grow. The default one is marked behind its name.
func classRow(r *row) bool {
	name, marked := strings.CutSuffix(r.get("name"), " (default)")
	provisioner := r.get("provisioner")
	if !nameText(name) || provisioner == "" || strings.ContainsAny(provisioner, " ,=") {
		return false
	}
	detail := "provisioner=" + provisioner
	if mode := r.get("volumebindingmode"); mode == "Immediate" || mode == "WaitForFirstConsumer" {
		detail += ", volumeBindingMode=" + mode
	}
	if grows := r.get("allowvolumeexpansion"); grows == "true" || grows == "false" {
		detail += ", allowVolumeExpansion=" + grows
	}
	if marked {
		detail += ", default=true"
	}
	class := model.Ref{Kind: "StorageClass", Name: name}
	r.age(class)
	return r.say(model.Observation{Kind: model.ObjectShown, Object: class, Detail: detail})
}

// driverRow reads a CSIDriver: whether its volumes have VolumeAttachments at all.
func driverRow(r *row) bool {
	name, attach := r.get("name"), r.get("attachrequired")
	if !nameText(name) || attach != "true" && attach != "false" {
		return false
	}
	driver := model.Ref{Kind: "CSIDriver", Name: name}
	r.age(driver)
	return r.say(model.Observation{Kind: model.ObjectShown, Object: driver, Detail: "attachRequired=" + attach})
}

// listsNodes says that the table whose header this is has all nodes: what it lacks does not exist.
func (r *reader) listsNodes(l line) {
	c := r.command
	if r.table == nil || r.table.kind == nil || c.verb != "get" || c.kind != "Node" || c.filtered {
		return
	}
	r.out = append(r.out, l.says(shown("Node", "", "listed"), r.path))
}

// What kubectl prints of an act (kubectl delete, cordon, drain, scale; 1.13–1.36), and -o name of an object.
var (
	actedQuoted = regexp.MustCompile(`^([a-z]+(?:\.[a-z0-9.-]+)?) "([a-z0-9][a-z0-9.-]*)" (force deleted|deleted)(?: from (\S+) namespace)?$`)
	actedSlash  = regexp.MustCompile(`^([a-z]+(?:\.[a-z0-9.-]+)?)/([a-z0-9][a-z0-9.-]*) ` +
		`(cordoned|uncordoned|drained|evicted|tainted|untainted|scaled|restarted|patched|deleted)$`)
	nameAlone = regexp.MustCompile(`^([a-z]+(?:\.[a-z0-9.-]+)?)/([a-z0-9][a-z0-9.-]*)$`)
)

// notFound is kubectl's word that one object by its name does not exist.
var notFound = regexp.MustCompile(`^Error from server \(NotFound\): ([a-z]+)(?:\.[a-z0-9.-]+)? "([a-z0-9][a-z0-9.-]*)" not found$`)

// output takes a line that a command printed: what it did to an object, or an object's name.
func (r *reader) output(l line) bool {
	if r.hint.Verbatim {
		return false
	}
	text := strings.TrimSpace(l.text)
	var m []string
	for _, form := range []*regexp.Regexp{actedQuoted, actedSlash, nameAlone, notFound} {
		if m = form.FindStringSubmatch(text); m != nil {
			break
		}
	}
	if m == nil {
		return false
	}
	if notFound.MatchString(text) {
		m = append(m, model.NotFound)
	}
	kind := kindOfPrefix(m[1])
	if slices.Contains([]string{"", "ConfigMap", "Namespace"}, kind) || !nameText(m[2]) {
		return false
	}
	// A name alone is printed behind the whole word: po/da.po and event/events.c are files.
	if bare, _, _ := strings.Cut(m[1], "."); len(m) == 3 && (bare != strings.ToLower(kind) || kind == "Event") {
		return false
	}
	o := model.Observation{Kind: model.ObjectShown, Object: model.Ref{Kind: kind, Name: m[2]}}
	if len(m) > 3 {
		o.Detail = m[3]
	}
	if !manifest.ClusterScoped(kind) {
		o.Object.Namespace = r.namespace()
		if len(m) > 4 {
			o.Object.Namespace = cmp.Or(m[4], o.Object.Namespace)
		}
	}
	if o.Detail == "tainted" && r.command.taint != "" {
		return r.tell(l, o, model.Observation{Kind: model.NodeTainted, Node: m[2], Object: o.Object, Detail: r.command.taint})
	}
	return r.tell(l, o)
}

// labelled is a line of a script that names what it found step by step: the claim of a pod, then its volume.
var labelled = regexp.MustCompile(`^ *(PVC|PV): *([a-z0-9][a-z0-9.-]*)$`)

// chain takes such a line: a claim, and the volume below it.
func (r *reader) chain(l line) bool {
	m := labelled.FindStringSubmatch(l.text)
	if printed := r.desc != nil || r.hint.Verbatim; printed || m == nil || !nameText(m[2]) {
		r.claim = model.Ref{}
		return false
	}
	if m[1] == "PVC" {
		r.claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: r.namespace(), Name: m[2]}
		return r.tell(l, model.Observation{Kind: model.ObjectShown, Object: r.claim})
	}
	claim := r.claim
	r.claim = model.Ref{}
	return r.tell(l, bound(model.Ref{Kind: "PersistentVolume", Name: m[2]}, claim, m[2], ""))
}
