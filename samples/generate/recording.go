package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/samples/recordings"
)

// driver serves every volume of the generated cluster. Recordings of others are rewritten to this one: a handle stays as it is.
const driver = "ebs.csi.aws.com"

// recording is one in memory, with what its names stand for.
type recording struct {
	name        string
	files       map[string]string // by path below the collector's directory
	root        string            // the collector's directory
	nodes       []string          // without the control plane
	controlNode string
	addresses   map[string]int // IP to index of node; -1 is the control plane
	instances   map[string]int // what the storage calls a node
	lost        map[string]bool
	attachments map[string]attached
	nodePods    string         // UID of the DaemonSet of the driver
	podNodes    map[string]int // index of the node of each of its pods
	truth       recordedTruth
	affected    []affectedNames // of the truth
}

// attached is what the name of a VolumeAttachment is made of.
type attached struct {
	handle string
	node   int
}

// recordedTruth is what is needed of truth.json.
type recordedTruth struct {
	CauseClass, Scenario string
	SnapshotAt           time.Time
	RecordingBegin       time.Time
	Affected             []json.RawMessage
}

// affectedNames is what names an affected volume in the truth.
type affectedNames struct {
	OldNode, NewNode, VolumeHandle string
	ResolvedAtSnapshot             bool
}

func load(name string) (*recording, error) {
	bundle, err := recordings.Bundle(name)
	if err != nil {
		return nil, err
	}
	r := &recording{name: name, files: map[string]string{}, addresses: map[string]int{}, instances: map[string]int{}, lost: map[string]bool{},
		attachments: map[string]attached{}}
	err = fs.WalkDir(bundle, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundle, path)
		root, rest, inside := strings.Cut(path, "/")
		if inside {
			r.root = root
			r.files[rest] = string(data)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, r.learn()
}

// learn finds out what the names of the recording are.
func (r *recording) learn() error {
	data, err := recordings.Truth(r.name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &r.truth); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &struct{ Affected *[]affectedNames }{&r.affected}); err != nil {
		return err
	}
	if err := r.learnNodes(); err != nil {
		return err
	}
	own := r.driver()
	if err := r.learnAttachments(own); err != nil {
		return err
	}
	// In a finalizer the driver's name has dashes.
	as := strings.NewReplacer(own, driver, strings.ReplaceAll(own, ".", "-"), strings.ReplaceAll(driver, ".", "-"))
	for path, file := range r.files {
		r.files[path] = as.Replace(file)
	}
	for i, a := range r.truth.Affected {
		r.truth.Affected[i] = json.RawMessage(as.Replace(string(a)))
	}
	return r.learnNodePods()
}

// learnNodePods finds the DaemonSet of the driver and the nodes of its pods.
func (r *recording) learnNodePods() error {
	r.podNodes = map[string]int{}
	for path, file := range r.files {
		if strings.HasSuffix(path, "/apps/daemonsets.yaml") {
			for _, item := range items(file) {
				if field(item, "name") == "csi-node" {
					r.nodePods = field(item, "uid")
				}
			}
		}
	}
	for _, item := range r.nodePodItems() {
		node := field(item, "nodeName")
		r.podNodes[field(item, "name")] = slices.Index(r.nodes, node)
	}
	if r.nodePods == "" {
		return fmt.Errorf("%s has no DaemonSet csi-node", r.name)
	}
	return nil
}

// nodePodItems are the pods of the driver's DaemonSet, in the namespace that the generated cluster has them in.
func (r *recording) nodePodItems() []string {
	var out []string
	for _, path := range []string{"namespaces/kube-system/core/pods.yaml", "namespaces/" + driverNamespace + "/core/pods.yaml"} {
		for _, item := range items(r.files[path]) {
			if strings.HasPrefix(field(item, "name"), "csi-node-") {
				out = append(out, strings.ReplaceAll(item, "namespace: kube-system", "namespace: "+driverNamespace))
			}
		}
	}
	return out
}

const driverNamespace = "openshift-cluster-csi-drivers"

const (
	nodeFolder       = "cluster-scoped-resources/core/nodes/"
	volumeFolder     = "cluster-scoped-resources/core/persistentvolumes/"
	attachmentFolder = "cluster-scoped-resources/storage.k8s.io/volumeattachments/"
	csiNodeFolder    = "cluster-scoped-resources/storage.k8s.io/csinodes/"
	driverFolder     = "cluster-scoped-resources/storage.k8s.io/csidrivers/"
)

var (
	addressLine  = regexp.MustCompile(`address: (10\.0\.\d+\.\d+)`)
	instanceLine = regexp.MustCompile(`csi.volume.kubernetes.io/nodeid: '\{"[^"]*":"(i-[0-9a-f]+)"`)
	handleLine   = regexp.MustCompile(`\n +volumeHandle: (\S+)`)
	anAttachment = regexp.MustCompile(`csi-[0-9a-f]{64}`)
	notReady     = regexp.MustCompile(`status: (Unknown|"False")\n +type: Ready`)
)

func (r *recording) learnNodes() error {
	for _, path := range r.below(nodeFolder) {
		name := strings.TrimSuffix(strings.TrimPrefix(path, nodeFolder), ".yaml")
		if strings.Contains(r.files[path], "node-role.kubernetes.io/control-plane") ||
			strings.Contains(r.files[path], "node-role.kubernetes.io/master") {
			r.controlNode = name
			continue
		}
		r.nodes = append(r.nodes, name)
	}
	for _, a := range r.affected {
		for _, n := range []string{a.OldNode, a.NewNode} {
			if n != "" && !slices.Contains(r.nodes, n) {
				r.nodes = append(r.nodes, n) // deleted before the collection
			}
		}
	}
	if r.controlNode == "" {
		return fmt.Errorf("%s has no control plane", r.name)
	}
	for i, name := range append(slices.Clip(r.nodes), r.controlNode) {
		if i == len(r.nodes) {
			i = -1
		}
		doc := r.files[nodeFolder+name+".yaml"]
		if m := addressLine.FindStringSubmatch(doc); m != nil {
			r.addresses[m[1]] = i
		}
		if m := instanceLine.FindStringSubmatch(doc); m != nil {
			r.instances[m[1]] = i
		}
		r.lost[name] = notReady.MatchString(doc)
	}
	return nil
}

func (r *recording) driver() string {
	for _, path := range r.below(driverFolder) {
		return strings.TrimSuffix(strings.TrimPrefix(path, driverFolder), ".yaml")
	}
	return driver
}

// learnAttachments finds out of which volume and node each name of a VolumeAttachment is made, by making them all.
func (r *recording) learnAttachments(driver string) error {
	handles := map[string]bool{}
	for _, a := range r.affected {
		handles[a.VolumeHandle] = true
	}
	for _, path := range r.below(volumeFolder) {
		if m := handleLine.FindStringSubmatch(r.files[path]); m != nil {
			handles[m[1]] = true
		}
	}
	for handle := range handles {
		for i, node := range r.nodes {
			r.attachments[attachmentName(handle, driver, node)] = attached{handle, i}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		for _, name := range anAttachment.FindAllString(r.files[path], -1) {
			if _, ok := r.attachments[name]; !ok {
				return fmt.Errorf("%s: %s names %s, which is made of no volume and node of the recording", r.name, path, name)
			}
		}
	}
	return nil
}

func (r *recording) below(folder string) []string {
	var out []string
	for path := range r.files {
		if strings.HasPrefix(path, folder) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

var uid = regexp.MustCompile(`^[0-9a-f]{8}-`)

// classify says what a found name is. False is what stays as it is.
func (r *recording) classify(name string) (entity, bool) {
	if i := slices.Index(r.nodes, name); i >= 0 || name == r.controlNode {
		return entity{kind: kindNode, node: i}, true
	}
	if i, ok := r.addresses[name]; ok {
		return entity{kind: kindNodeIP, node: i}, true
	}
	if i, ok := r.instances[name]; ok {
		return entity{kind: kindInstance, node: i}, true
	}
	if a, ok := r.attachments[name]; ok {
		return entity{kind: kindAttachment, node: a.node}, true
	}
	switch {
	case name == r.nodePods:
		return entity{kind: kindUID, node: shared}, true
	case uid.MatchString(name):
		return entity{kind: kindUID}, true
	case name == "shop" || name == "backoffice":
		return entity{kind: kindNamespace}, true
	case strings.HasPrefix(name, "vol-"):
		return entity{kind: kindHandle}, true
	case strings.HasPrefix(name, "csi-node-"):
		node, ok := r.podNodes[name]
		return entity{kind: kindNodePod, node: node}, ok
	case strings.HasPrefix(name, "10.1"):
		return entity{kind: kindPodIP}, true
	}
	return entity{}, false
}

// shared marks the UID of an object that the whole cluster has once.
const shared = -2

// item is one of the items of a List as kubectl writes it, with its dash.
var item = regexp.MustCompile(`(?m)^- .*\n(?: .*\n|\n)*`)

func items(list string) []string {
	_, rest, _ := strings.Cut(list, "\nitems:\n")
	return item.FindAllString(rest, -1)
}

// tail is what stands behind the items of a List.
func tail(list string) string {
	at := strings.LastIndex(list, "\nkind: ")
	return list[at+1:]
}

// field is the value of a field of an object's metadata, as an item of a List or as a document.
func field(object, name string) string {
	indent := "\n  "
	if strings.HasPrefix(object, "- ") {
		indent = "\n    "
	}
	_, rest, _ := strings.Cut(object, indent+name+": ")
	value, _, _ := strings.Cut(rest, "\n")
	return value
}
