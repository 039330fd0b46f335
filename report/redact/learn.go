package redact

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// nameFields says of the fields that hold names what they are names of, for their pseudonyms, as Type.Field.
var nameFields = map[string]string{
	"IncidentVolume.PersistentVolume": "vol", "IncidentVolume.VolumeHandle": "handle", "IncidentVolume.Driver": "driver", "Place.Node": "node",
	"BlockingAttachment.Name": "va", "BlockingAttachment.Node": "node", "BlockingAttachment.Attacher": "driver", "BlockingAttachment.UID": "",
	"AttachmentLife.UID": "", "Group.Node": "node", "Incident.Cluster": "cluster", "Bundle.Clusters": "cluster", "Input.Cluster": "cluster",
	"Input.Clusters": "cluster", "Ref.UID": "", "GraphNode.UID": "", "AttachmentState.Name": "va", "AttachmentState.UID": "",
	"AttachmentState.Volume": "vol", "AttachmentState.Node": "node", "IncidentDigest.Volume": "vol", "IncidentDigest.From": "node",
	"IncidentDigest.To": "node", "FleetVolume.Cluster": "cluster", "FleetVolume.Volume": "vol",
}

// learn takes in the names that a value has in fields of their own, and every segment that stands anywhere in it.
func (x *redactor) learn(v reflect.Value, hint string, named bool) {
	switch v.Kind() {
	case reflect.String:
		x.see(v.String())
		if named {
			x.named(v.String(), hint)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			x.learn(v.Elem(), hint, named)
		}
	case reflect.Slice:
		for i := range v.Len() {
			x.learn(v.Index(i), hint, named)
		}
	case reflect.Map:
		x.labels(v)
	case reflect.Struct:
		x.learnStruct(v)
	}
}

func (x *redactor) learnStruct(v reflect.Value) {
	switch one := v.Interface().(type) {
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
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		if s := v.Field(i); field.Name == "ID" && s.Kind() == reflect.String && identifier.MatchString(s.String()) {
			x.ids[s.String()] = true
		}
		hint, named := nameFields[v.Type().Name()+"."+field.Name]
		x.learn(v.Field(i), hint, named)
	}
}

// hintOf says of a label what it names.
var hintOf = map[string]string{"node": "node", "namespace": "ns", "pod": "app", "persistentvolumeclaim": "claim", "volumename": "vol"}

// labels takes in the labels of a series, of which some name an object.
func (x *redactor) labels(v reflect.Value) {
	labels, _ := v.Interface().(map[string]string) // a report has no other maps
	for _, label := range sortedKeys(labels) {
		x.see(label)
		x.see(labels[label])
		if announcing[label] {
			x.object(labels["namespace"], labels[label], hintOf[label])
		}
	}
}

// identifier is what volpost itself calls a thing: it is made of names, and would confirm a guess.
var identifier = regexp.MustCompile(`^[a-z]-[0-9a-f]{12}$`)

// sortedKeys are the keys of a map in order.
func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

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
