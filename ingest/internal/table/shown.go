package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// classRow reads a StorageClass: who makes its volumes, when, and whether they can grow. The default one is marked behind its name.
func classRow(r *row) bool {
	name, marked := strings.CutSuffix(r.get("name"), " (default)")
	provisioner := r.get("provisioner")
	if !nameText(name) || provisioner == "" || strings.ContainsAny(provisioner, " ,=") {
		return false
	}
	detail := "provisioner=" + provisioner
	mode, grows := r.get("volumebindingmode"), r.get("allowvolumeexpansion")
	detail += words.If(mode == "Immediate" || mode == "WaitForFirstConsumer", ", volumeBindingMode="+mode) +
		words.If(grows == "true" || grows == "false", ", allowVolumeExpansion="+grows) + words.If(marked, ", default=true")
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

// lists says that the table whose header this is has all nodes: what it lacks does not exist; or after another table of pods, that it has all
// pods of a namespace, or of all.
func (r *reader) lists(l line) {
	c := r.command
	if r.table == nil || r.table.kind == nil || c.verb != "get" || c.filtered {
		return
	}
	all, pods := shown(c.kind, "", model.Listing), r.table.columns.has("ready") // of several commands in one line the table may be another's
	if pods {
		all.Object.Namespace = r.namespace()
		all.AllNamespaces = r.table.columns.has("namespace")
	}
	if c.kind == "Node" && !pods || c.kind == "Pod" && pods && r.pods {
		r.out = append(r.out, l.says(all, r.path))
	}
	r.pods = r.pods || pods
}

// What kubectl prints of an act (kubectl delete, cordon, drain, scale; 1.13–1.36), -o name of an object, and that one does not exist.
var outputs = [...]*regexp.Regexp{
	regexp.MustCompile(`^` + resource + ` "` + resourceName + `" (?P<did>force deleted|deleted)(?: from (?P<namespace>\S+) namespace)?$`),
	regexp.MustCompile(`^` + resource + `/` + resourceName +
		` (?P<did>cordoned|uncordoned|drained|evicted|tainted|untainted|scaled|restarted|rolled back|patched|deleted)$`),
	regexp.MustCompile(`^` + resource + `/` + resourceName + `$`),
	regexp.MustCompile(`^error when evicting (?P<kind>pod)s?[/ ]"` + resourceName + `"(?: -n "(?P<namespace>[^"]+)")?(?: \(will retry after \S+\))?: ` +
		`Cannot evict pod as (?P<did>it would violate) the pod's disruption budget`),
	regexp.MustCompile(`^Error from server \(NotFound\): ` + resource + ` "` + resourceName + `" (?P<did>not found)$`),
}

const (
	resource     = `(?P<kind>[a-z]+)(?:\.[a-z0-9.-]+)?`
	resourceName = `(?P<name>[a-z0-9][a-z0-9.-]*)`
)

// output takes a line that a command printed: what it did to an object, or an object's name.
func (r *reader) output(l line) bool {
	if r.hint.Verbatim {
		return false
	}
	text := strings.TrimSpace(l.text)
	i := slices.IndexFunc(outputs[:], func(form *regexp.Regexp) bool { return form.MatchString(text) })
	if i < 0 {
		return false
	}
	c := newCells(outputs[i].SubexpNames(), outputs[i].FindStringSubmatch(text))
	did, called := c.get("did"), c.get("kind")
	kind := kindOfPrefix(called)
	if slices.Contains([]string{"", "Namespace"}, kind) || !nameText(c.get("name")) {
		return false
	}
	// A name alone is printed behind the whole word: po/da.po and event/events.c are files.
	if did == "" && (called != strings.ToLower(kind) || kind == "Event") {
		return false
	}
	if did == "not found" {
		did = model.NotFound
	} else if did == "patched" && r.command.unholds {
		did = model.Unheld
	}
	o := shown(kind, c.get("name"), did)
	if !manifest.ClusterScoped(kind) {
		o.Object.Namespace = cmp.Or(c.get("namespace"), r.namespace())
	}
	if o.Object.Name == r.command.target.Name {
		r.answer()
	}
	if act, is := r.command.act(o); is && act.Kind == model.EvictionRefused {
		return r.tell(l, act)
	} else if is {
		return r.tell(l, o, act)
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

// What a storage's own tables show amiss: of what is as it should be they say nothing. The storage of Longhorn and LINSTOR is the nodes of the
// cluster, and their volumes are called like the PersistentVolumes.

// longhornRow reads a volume of kubectl get volumes.longhorn.io: degraded, it lacks a replica, and faulted, it has none that could serve.
func longhornRow(r *row) bool {
	name, state := r.get("name"), map[string]string{"degraded": "Degraded", "faulted": model.StorageFaulted}[r.get("robustness")]
	if !nameText(name) {
		return false
	}
	return state == "" || r.storage(model.Ref{Kind: model.LonghornVolume, Name: name}, "", state)
}

// linstorStates are those of a resource on a node, of which the first three are as they should be (linstor-client, resource list).
var linstorStates = []string{"UpToDate", "Diskless", "TieBreaker", "Unknown", "DUnknown", "Outdated", "Inconsistent", "Failed", "SyncTarget", "Consistent"}

// linstorRow reads a satellite, or a resource on a node, by its connection to the other nodes before its state.
func linstorRow(r *row) bool {
	name, node, state := r.get("name"), r.get("node"), cmp.Or(r.get("conns"), r.get("state"))
	if name == "" {
		return state == "Online" || r.storage(model.Ref{Kind: model.LinstorNode, Name: node}, node, state)
	}
	return slices.Contains(linstorStates[:3], state) || r.storage(model.Ref{Kind: model.LinstorResource, Name: name}, node, state)
}

// storage says that a storage shows a thing of it so.
func (r *row) storage(thing model.Ref, node, state string) bool {
	o := model.Observation{Kind: model.ObjectShown, Object: thing, Node: node, Detail: state}
	if thing.Kind != model.LinstorNode {
		o.Volume.PersistentVolume = thing.Name
	}
	return r.say(o)
}

// machineStates are the states of a machine for its cloud: of Nova's servers and of Compute Engine's instances.
var machineStates = map[string]model.Kind{"ACTIVE": model.MachineRunning, "SHUTOFF": model.MachineOff, // for lookup only
	"RUNNING": model.MachineRunning, "TERMINATED": model.MachineOff}

// machineRow reads a row of a cloud's list of machines.
func machineRow(r *row) bool {
	name, status := r.get("name"), r.get("status")
	kind := machineStates[status]
	if kind == "" || name == "" {
		return false
	}
	return r.say(model.Observation{Kind: kind, Object: model.Ref{Kind: "Machine", Name: cmp.Or(r.get("id"), name)}, Node: name, Detail: status})
}
