package redact

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
)

// learn takes in the names that a value has in fields of their own, and every segment that stands anywhere in it.
func learn[T any](x *redactor, of *T) {
	fields.Change(of, fields.Changer{Text: func(v reflect.Value, kind string) string {
		s := v.String()
		x.see(s)
		if hint, named := strings.CutPrefix(kind, "name:"); named {
			x.named(s, hint)
		} else if kind == "" && identifier.MatchString(s) {
			x.ids[s] = true
		}
		return s
	}, Enter: func(v reflect.Value) func() {
		x.part(v.Interface())
		return func() {}
	}})
}

// part takes in the names that a part of a report has in several fields.
func (x *redactor) part(of any) {
	switch one := of.(type) {
	case model.Ref:
		x.ref(one)
	case model.GraphNode:
		x.ref(model.Ref{Kind: one.Kind, Namespace: one.Namespace, Name: one.Name})
	case model.IncidentVolume:
		whole := model.VolumeID{UniqueName: one.UniqueName, PersistentVolume: one.PersistentVolume, Handle: one.VolumeHandle, Driver: one.Driver}
		whole = whole.Complete()
		x.named(whole.PersistentVolume, "vol")
		x.named(whole.Handle, "handle")
		x.named(whole.Driver, "driver")
	case model.Fleet: // causes and versions are counted in the same form
		for _, cluster := range one.Clusters {
			x.named(cluster.Name, "cluster")
		}
		for _, driver := range one.Drivers {
			x.named(driver.Name, "driver")
		}
	case map[string]string: // labels of a series, of which some name an object
		for _, label := range slices.Sorted(maps.Keys(one)) {
			if announcing[label] {
				x.object(one["namespace"], one[label], hintOf[label])
			}
		}
	}
}

// hintOf says of a label what it names.
var hintOf = map[string]string{"node": "node", "namespace": "ns", "pod": "app", "persistentvolumeclaim": "claim", "volumename": "vol"}

// identifier is what volpost itself calls a thing: it is made of names, and would confirm a guess.
var identifier = regexp.MustCompile(`^[a-z]-[0-9a-f]{12}$`)

// see notes what stands in a text, so that no pseudonym is mistaken for it, and the unique names of volumes.
func (x *redactor) see(s string) {
	if s == "" || x.seen[s] != "" {
		return
	}
	x.seen[s] = s
	x.size += len(s)
	for _, p := range pieces(s) {
		if !p.run {
			continue
		}
		lower := strings.ToLower(p.text)
		x.present[lower] = true
		for _, q := range segments(lower) {
			x.present[q.text] = true
		}
	}
	for _, m := range uniqueName.FindAllStringSubmatch(s, -1) {
		x.named(m[1], "driver")
		x.named(m[2], "handle")
	}
	for _, m := range commanded.FindAllStringSubmatch(s, -1) {
		x.ref(model.Ref{Kind: m[2], Namespace: m[1], Name: m[3]})
	}
}

// commanded is a workload that a command of kubectl names, which an answer without the evidence has nowhere else.
var commanded = regexp.MustCompile(` -n ([a-z0-9-]+) (deployment|statefulset|daemonset|replicaset)/([a-z0-9.-]*[a-z0-9])`)

// ref takes in the name of an object.
func (x *redactor) ref(r model.Ref) {
	x.named(r.Namespace, "ns")
	hint := map[string]string{"Node": "node", "PersistentVolume": "vol", "PersistentVolumeClaim": "claim", "CSIDriver": "driver",
		"Namespace": "ns", "VolumeAttachment": "va"}[r.Kind]
	x.object(r.Namespace, r.Name, cmp.Or(hint, "app"))
}

// object takes in the name of an object, unless it is a part of Kubernetes itself in a namespace of its own.
func (x *redactor) object(namespace, name, hint string) {
	if systems[namespace] && x.commonTo(segments(name)) > 0 {
		return
	}
	x.named(name, hint)
}

// named takes in a name, unless every cluster has it. hint is what it names, for its pseudonym.
func (x *redactor) named(name, hint string) {
	if name == "" || x.learned[hint+" "+name] {
		return
	}
	x.learned[hint+" "+name] = true
	lower := strings.ToLower(name)
	switch hint {
	case "ns":
		if lower == "default" || systems[lower] {
			return
		}
	case "node":
		x.nodes = append(x.nodes, name)
	case "driver":
		if x.drivers = append(x.drivers, name); drivers[lower] {
			return
		}
	case "handle":
		x.handles, hint = append(x.handles, name), "vol"
	}
	x.name(name, hint)
}

// name takes in a name of several runs, such as projects/p/zones/z/disks/d.
func (x *redactor) name(s, hint string) {
	if strings.Contains(s, " ") {
		return // such as "not known"; a name has none
	}
	list := pieces(s)
	for _, p := range list {
		lower := strings.ToLower(p.text)
		common := shapes[lower] || below[lower] || everybodys(lower)
		if !p.run || len(list) > 1 && common {
			continue
		}
		x.names[lower] = true
		for _, q := range segments(lower) {
			if _, hinted := x.hints[q.text]; q.run && hint != "" && !hinted {
				x.hints[q.text] = hint
			}
		}
	}
}
