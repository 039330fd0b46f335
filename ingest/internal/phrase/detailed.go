package phrase

import (
	"strings"

	"github.com/volpost/volpost/model"
)

// detail is the volume message that the operation executor generates in every version:
//
//	<prefix> for volume "<name>" (UniqueName: "<unique>") from node "<node>" <suffix>   a volume to attach
//	<prefix> for volume "<name>" (UniqueName: "<unique>") on node "<node>" <suffix>     an attached volume
//	<prefix> for volume "<name>" (UniqueName: "<unique>") pod "<pod>" (UID: "<uid>") <suffix>
//
// (operation_executor.go generateVolumeMsgDetailed, 1.13–1.36.) An error follows as ` : <err>`.
type detail struct {
	volume model.VolumeID
	node   string
	pod    model.Ref // without namespace
	suffix string
}

// parseDetail reads the first such message in s. Only the volume's name is needed; events have no more than that.
func parseDetail(s string) (d detail, ok bool) {
	_, rest, found := strings.Cut(s, "for volume ")
	if old, ok := strings.CutPrefix(s, oldAttach); ok {
		rest, found = old, true
	}
	if !found {
		return d, false
	}
	volume, rest, ok := cutQuoted(rest)
	if !ok {
		return d, false
	}
	d.volume.PersistentVolume = persistentVolume(volume)
	if after, found := strings.CutPrefix(rest, " (UniqueName: "); found {
		unique, after, ok := cutQuoted(after)
		if !ok {
			return d, false
		}
		d.volume.UniqueName = unique
		rest = strings.TrimPrefix(after, ")")
	}
	// Up to 1.5 the unique name came first: for volume "<unique>" (spec.Name: "<name>").
	if after, found := strings.CutPrefix(rest, " (spec.Name: "); found {
		name, after, ok := cutQuoted(after)
		if !ok {
			return d, false
		}
		d.volume = model.VolumeID{UniqueName: volume, PersistentVolume: persistentVolume(name)}
		rest = strings.TrimPrefix(after, ")")
	}
	d.node, d.pod, rest = cutPlace(rest)
	d.suffix = strings.TrimPrefix(strings.TrimSpace(rest), ": ")
	d.volume = d.volume.Complete()
	return d, true
}

// oldAttach begins the event of a failed attach up to 1.7: Failed to attach volume "<name>" on node "<node>" with: <err>.
const oldAttach = "Failed to attach volume "

// cutPlace reads where the volume is or goes: a node or, in the kubelet, a pod.
func cutPlace(s string) (node string, p model.Ref, rest string) {
	for _, word := range []string{" from node ", " on node ", " to node "} {
		if after, ok := strings.CutPrefix(s, word); ok {
			if value, rest, ok := cutQuoted(after); ok {
				return value, p, rest
			}
		}
	}
	after, ok := strings.CutPrefix(s, " pod ")
	if !ok {
		return "", p, s
	}
	podName, rest, ok := cutQuoted(after)
	if !ok {
		return "", p, s
	}
	p = model.PodRef("", podName, "")
	if after, ok := strings.CutPrefix(rest, " (UID: "); ok {
		if uid, after, ok := cutQuoted(after); ok {
			p.UID, rest = uid, strings.TrimPrefix(after, ")")
		}
	}
	return "", p, rest
}

func (d detail) fill(o *model.Observation) {
	o.Volume, o.Node = d.volume, d.node
	if d.pod.Name != "" {
		o.Pod = d.pod
	}
}
