package phrase

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// jsonDump is the part of the JSON rendering that is of use.
type jsonDump struct {
	VolumeName, NodeName string
	VolumeSpec           *struct {
		PersistentVolume *struct {
			Metadata struct{ Name string }
			Spec     struct {
				AccessModes []string
				ClaimRef    *struct{ Namespace, Name, UID string }
				CSI         *struct{ Driver, VolumeHandle string }
			}
		}
	}
	ScheduledPods []struct {
		Metadata struct{ Name, Namespace, UID string }
	}
}

// readDump fills in what a log line's volume={…} says: the controller's whole VolumeToAttach or AttachedVolume, with the PersistentVolume and
// the pods in it (≥ 1.28, as JSON), or without them (1.24–1.27, as a Go struct). Of JSON that was cut the two names count that stand outside
// the dumped objects.
func readDump(value string, o *model.Observation) {
	var j jsonDump
	if !strings.HasPrefix(value, `{"`) {
		readStruct(value, o)
		return
	}
	if json.Unmarshal([]byte(value), &j) != nil {
		_, volume, _ := strings.Cut(value, `"VolumeName":`)
		_, node, _ := strings.Cut(value, `"NodeName":`)
		j.VolumeName, _ = cutField(volume, "")
		j.NodeName, _ = cutField(node, "")
		j.VolumeSpec, j.ScheduledPods = nil, nil
	}
	o.Volume, o.Node = model.VolumeID{UniqueName: j.VolumeName}.Complete(), j.NodeName
	for _, p := range j.ScheduledPods {
		if p.Metadata.Name != "" {
			o.Pods = append(o.Pods, model.PodRef(p.Metadata.Namespace, p.Metadata.Name, p.Metadata.UID))
		}
	}
	if j.VolumeSpec == nil || j.VolumeSpec.PersistentVolume == nil {
		return
	}
	pv := j.VolumeSpec.PersistentVolume
	o.Volume.PersistentVolume, o.Access = pv.Metadata.Name, pv.Spec.AccessModes
	if c := pv.Spec.CSI; c != nil {
		o.Volume.Driver, o.Volume.Handle = c.Driver, c.VolumeHandle
	}
	if c := pv.Spec.ClaimRef; c != nil && c.Name != "" {
		o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name, UID: c.UID}
	}
	o.Volume = o.Volume.Complete()
}

// structPod is the beginning of a pod: ObjectMeta prints name, generateName, namespace, selfLink and uid first; an empty one leaves two blanks.
var structPod = regexp.MustCompile(`&Pod\{ObjectMeta:\{([^ ]+) [^ ]* ([^ ]*) [^ ]* ([^ ]*) `)

// readStruct reads Go's %+v. A unique name may hold blanks and brackets; the field after it ends it.
func readStruct(value string, o *model.Observation) {
	if unique, ok := between(value, "VolumeName:", " VolumeSpec:"); ok {
		o.Volume = model.VolumeID{UniqueName: unique}.Complete()
	}
	if _, rest, ok := strings.Cut(value, " NodeName:"); ok {
		o.Node = rest[:indexAny(rest, " }")]
	}
	_, pods, _ := strings.Cut(value, "ScheduledPods:")
	for _, m := range structPod.FindAllStringSubmatch(pods, -1) {
		o.Pods = append(o.Pods, model.PodRef(m[2], m[1], m[3]))
	}
}

// indexAny is strings.IndexAny, or the length when nothing is found.
func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
