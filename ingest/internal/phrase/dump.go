package phrase

import (
	"encoding/json"
	"strings"

	"github.com/volpost/volpost/model"
)

// dump is what a log line's volume={…} says: the controller's whole VolumeToAttach or AttachedVolume, with the
// PersistentVolume and the pods in it (≥ 1.28, as JSON), or without them (1.24–1.27, as a Go struct).
type dump struct {
	volume model.VolumeID
	node   string
	pods   []model.Ref
	claim  model.Ref
	access []string
}

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

func parseDump(value string) dump {
	var j jsonDump
	if strings.HasPrefix(value, `{"`) {
		if json.Unmarshal([]byte(value), &j) == nil {
			return j.dump()
		}
		return parseCutJSON(value)
	}
	return parseStruct(value)
}

func (j *jsonDump) dump() dump {
	d := dump{volume: model.VolumeID{UniqueName: j.VolumeName}.Complete(), node: j.NodeName}
	for _, p := range j.ScheduledPods {
		if p.Metadata.Name != "" {
			d.pods = append(d.pods, model.PodRef(p.Metadata.Namespace, p.Metadata.Name, p.Metadata.UID))
		}
	}
	if j.VolumeSpec == nil || j.VolumeSpec.PersistentVolume == nil {
		return d
	}
	pv := j.VolumeSpec.PersistentVolume
	d.volume.PersistentVolume, d.access = pv.Metadata.Name, pv.Spec.AccessModes
	if c := pv.Spec.CSI; c != nil {
		d.volume.Driver, d.volume.Handle = c.Driver, c.VolumeHandle
	}
	if c := pv.Spec.ClaimRef; c != nil && c.Name != "" {
		d.claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: c.Namespace, Name: c.Name, UID: c.UID}
	}
	d.volume = d.volume.Complete()
	return d
}

// parseCutJSON takes the two names that stand outside the dumped objects from a line that was cut.
func parseCutJSON(value string) dump {
	field := func(key string) string {
		if _, rest, ok := strings.Cut(value, key); ok {
			s, _, _ := cutQuoted(rest)
			return s
		}
		return ""
	}
	return dump{volume: model.VolumeID{UniqueName: field(`"VolumeName":`)}.Complete(), node: field(`"NodeName":`)}
}

// parseStruct reads Go's %+v. A unique name may hold blanks and brackets; the field after it ends it.
func parseStruct(value string) dump {
	var d dump
	if unique, ok := between(value, "VolumeName:", " VolumeSpec:"); ok {
		d.volume = model.VolumeID{UniqueName: unique}.Complete()
	}
	if _, rest, ok := strings.Cut(value, " NodeName:"); ok {
		d.node = rest[:indexAny(rest, " }")]
	}
	_, rest, _ := strings.Cut(value, "ScheduledPods:")
	const meta = "&Pod{ObjectMeta:{"
	for {
		var ok bool
		if _, rest, ok = strings.Cut(rest, meta); !ok {
			return d
		}
		// ObjectMeta prints name, generateName, namespace, selfLink and uid first; an empty one leaves two blanks.
		f := strings.SplitN(rest, " ", 6)
		if len(f) == 6 && f[0] != "" {
			d.pods = append(d.pods, model.PodRef(f[2], f[0], f[4]))
		}
	}
}

// indexAny is strings.IndexAny, or the length when nothing is found.
func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
