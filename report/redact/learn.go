package redact

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// learn takes in the names that a report has in its own fields, and every segment that stands anywhere in it.
func (x *redactor) learn(r *model.Report) {
	for _, in := range r.Incidents {
		x.node(in.From.Node)
		x.node(in.To.Node)
		x.node(in.BlockingAttachment.Node)
		v := model.VolumeID{UniqueName: in.Volume.UniqueName, PersistentVolume: in.Volume.PersistentVolume, Handle: in.Volume.VolumeHandle, Driver: in.Volume.Driver}.Complete()
		x.name(v.PersistentVolume, "vol")
		x.handle(v.Handle)
		x.driver(v.Driver)
		x.driver(in.BlockingAttachment.Attacher)
		x.name(in.Cluster, "cluster")
	}
	for _, g := range r.Groups {
		x.node(g.Node)
	}
	for _, cluster := range r.Bundle.Clusters {
		x.name(cluster, "cluster")
	}
	for _, n := range r.Graph.Nodes {
		x.ref(model.Ref{Kind: n.Kind, Namespace: n.Namespace, Name: n.Name})
	}
	x.walk(reflect.ValueOf(r))
}

// hintOf says of a label what it names.
var hintOf = map[string]string{"node": "node", "namespace": "ns", "pod": "app", "persistentvolumeclaim": "claim", "volumename": "vol"}

// walk visits every value of a report: references to objects, and the segments of all texts.
func (x *redactor) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		x.see(v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			x.walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			x.walk(v.Index(i))
		}
	case reflect.Map:
		x.labels(v)
	case reflect.Struct:
		if ref, ok := v.Interface().(model.Ref); ok {
			x.ref(ref)
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				x.walk(v.Field(i))
			}
		}
	}
}

// labels takes in the labels of a series, of which some name an object.
func (x *redactor) labels(v reflect.Value) {
	labels, _ := v.Interface().(map[string]string) // a report has no other maps
	for _, label := range sortedKeys(labels) {
		x.see(label)
		x.see(labels[label])
		if announcing[label] {
			x.name(labels[label], hintOf[label])
		}
	}
}

// identifiers takes in what volpost itself calls things: an identifier is made of names, and would confirm a guess.
func (x *redactor) identifiers(r *model.Report) {
	add := func(id string) {
		if identifier.MatchString(id) {
			x.ids[id] = true
		}
	}
	for _, e := range r.Evidence {
		add(e.ID)
	}
	for _, t := range r.Timeline {
		add(t.ID)
	}
	for _, i := range r.Incidents {
		add(i.ID)
	}
	for _, g := range r.Groups {
		add(g.ID)
	}
}

var identifier = regexp.MustCompile(`^[a-z]-[0-9a-f]{12}$`)

// sortedKeys are the keys of a map in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// see notes what stands in a text, so that no pseudonym is mistaken for it, and the unique names of volumes.
func (x *redactor) see(s string) {
	if s == "" || x.seen[s] != "" {
		return
	}
	x.seen[s] = s
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
		x.driver(m[1])
		x.handle(m[2])
	}
}

// ref takes in the name of an object.
func (x *redactor) ref(r model.Ref) {
	x.name(r.Namespace, "ns")
	switch r.Kind {
	case "Node":
		x.node(r.Name)
	case "PersistentVolume":
		x.name(r.Name, "vol")
	case "PersistentVolumeClaim":
		x.name(r.Name, "claim")
	case "CSIDriver":
		x.driver(r.Name)
	case "Namespace":
		x.name(r.Name, "ns")
	case "VolumeAttachment":
		if !strings.HasPrefix(r.Name, "csi-") {
			x.name(r.Name, "va")
		}
	default:
		x.name(r.Name, "app")
	}
}

func (x *redactor) node(name string) {
	if name != "" && !x.names["node "+name] {
		x.names["node "+name] = true
		x.nodes = append(x.nodes, name)
	}
	x.name(name, "node")
}

func (x *redactor) handle(name string) {
	if name != "" && !x.names["handle "+name] {
		x.names["handle "+name] = true
		x.handles = append(x.handles, name)
	}
	x.name(name, "vol")
}

// driver takes in the name of a CSI driver. It is public when it is known.
func (x *redactor) driver(name string) {
	if name != "" && !x.names["driver "+name] {
		x.names["driver "+name] = true
		x.drivers = append(x.drivers, name)
	}
	x.name(name, "driver")
}

// name takes in a name of several runs, such as projects/p/zones/z/disks/d.
func (x *redactor) name(s, hint string) {
	if strings.Contains(s, " ") {
		return // such as "not known"; a name has none
	}
	for _, p := range pieces(s) {
		lower := strings.ToLower(p.text)
		if !p.run || x.known.public(lower) || len(pieces(s)) > 1 && (shapes[lower] || below[lower]) {
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
