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
	d.volume.PersistentVolume = persistentVolume(volume)
	d.volume.UniqueName, rest = cutField(rest, " (UniqueName: ")
	// Up to 1.5 the unique name came first: for volume "<unique>" (spec.Name: "<name>").
	if name, after := cutField(rest, " (spec.Name: "); name != "" {
		d.volume, rest = model.VolumeID{UniqueName: volume, PersistentVolume: persistentVolume(name)}, after
	}
	if !ok || strings.HasPrefix(rest, " (UniqueName: ") || strings.HasPrefix(rest, " (spec.Name: ") {
		return d, false
	}
	for _, word := range []string{" from node ", " on node ", " to node "} {
		if d.node == "" {
			d.node, rest = cutField(rest, word)
		}
	}
	if name, after := cutField(rest, " pod "); name != "" && d.node == "" {
		d.pod = model.PodRef("", name, "")
		d.pod.UID, rest = cutField(after, " (UID: ")
	}
	d.suffix = strings.TrimPrefix(strings.TrimSpace(rest), ": ")
	d.volume = d.volume.Complete()
	return d, true
}

// oldAttach begins the event of a failed attach up to 1.7: Failed to attach volume "<name>" on node "<node>" with: <err>.
const oldAttach = "Failed to attach volume "

// cutField is a quoted text behind its name, and what follows it and the bracket that closes it; all of a text that has it not.
func cutField(s, name string) (value, rest string) {
	after, named := strings.CutPrefix(s, name)
	value, after, quoted := cutQuoted(after)
	if !named || !quoted {
		return "", s
	}
	return value, strings.TrimPrefix(after, ")")
}

func (d detail) fill(o *model.Observation) {
	o.Volume, o.Node = d.volume, d.node
	if d.pod.Name != "" {
		o.Pod = d.pod
	}
}
