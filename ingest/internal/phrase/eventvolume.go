package phrase

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/volpost/volpost/model"
)

// eventMultiAttach reads the controller's report on the pod that waits; it names the volume and, in one variant, pods of
// the same namespace without their namespace. It names no node:
//
//	Multi-Attach error for volume "pv" Volume is already used by pod(s) a, b and 1 pod(s) in different namespaces
//	Multi-Attach error for volume "pv" Volume is already exclusively attached to one node and can't be attached to another
//	Waiting for detach for volume "pv" Volume is already …            (kubernetes/kubernetes#138837, in 1.35.x and 1.36.x)
func eventMultiAttach(e *EventRecord, o *model.Observation) bool {
	d, ok := parseDetail(e.Message)
	if !ok {
		return false
	}
	o.Volume = d.volume
	o.Node = d.node // of a log line that a person pasted; source.host would be the controller's
	o.Variant = variant(d.suffix)
	if o.Variant != model.UsedByPods {
		if holders, ok := between(d.suffix, "exclusively attached to node ", " and can't be attached"); ok {
			o.Holders = splitNames(holders) // the text of a log line that a person pasted
		} else if holder, ok := between(d.suffix, `already attached by node "`, `"`); ok && podName.MatchString(holder) {
			o.Holders = []string{holder} // no wording of Kubernetes: documents have it
		}
		return true
	}
	o.Pods = usersOf(d.suffix, e.Object.Namespace)
	return true
}

var (
	podName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9.-]*[a-z0-9-])?$`) // a terminal may have cut it behind a dash
	// nextColumn is how a console goes on behind a message: with how often it came, or how long ago.
	nextColumn = regexp.MustCompile(`[^, ] (?: |\d)`)
	// standsFor is what an author writes in the place of a name, or of its generated end.
	standsFor = regexp.MustCompile(`(?:^|-)x{3,}$`)
)

// usersOf are the pods of a namespace that the report on a pod names.
func usersOf(suffix, namespace string) []model.Ref {
	var out []model.Ref
	_, names, _ := strings.Cut(suffix, "by pod(s) ")
	names, _, _ = strings.Cut(names, " and ")
	if behind := nextColumn.FindStringIndex(names); behind != nil {
		names = names[:behind[0]+1]
	}
	for _, n := range splitNames(names) {
		if podName.MatchString(n) && !strings.Contains(n, "..") && !standsFor.MatchString(n) {
			out = append(out, model.PodRef(namespace, n, ""))
		}
	}
	return out
}

func eventAttachFailed(e *EventRecord, o *model.Observation) bool {
	eventVolume(e, o)
	o.Holders = holdersOf(e.Message)
	o.Node = cmp.Or(o.Node, wantedIn(e.Message))
	return true
}

// wantedIn is the machine that an error names as the one to attach to; "" where it names none.
func wantedIn(text string) string {
	if m := wantedNode().FindStringSubmatch(text); m != nil {
		return strings.ToLower(strings.Join(m[1:], ""))
	}
	return ""
}

// wantedNode is the machine that an error names as the one to attach to, where drivers call it as its Node is called: Longhorn, vSphere, Azure.
var wantedNode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`failed to attach to node ([a-z0-9][a-z0-9.-]*[a-z0-9]) with attachmentID |` +
		`cannot be attached to the node ([a-z0-9][a-z0-9.-]*[a-z0-9]) since it is already attached |` +
		`(?:failed to attach disk: "[^"]*" with node: |\bto (?:instance|node) )["'‘“]([A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9])["'’”] (?:failed with|err) `)
})

// eventMountFailed: the kubelet's wait ran out, or a mount call failed. The volume that a mount error names is the
// PersistentVolume's, or of volumes without one the pod's own name for it; only those that can be attached matter.
func eventMountFailed(e *EventRecord, o *model.Observation) bool {
	if ofDevice(e.Message) || strings.HasPrefix(e.Message, `MountVolume.SetUp failed for volume "pvc-`) {
		eventVolume(e, o)
		o.Node = e.Node
	}
	return true
}

// ofDevice reports an operation that only volumes with a device have.
func ofDevice(message string) bool {
	return strings.HasPrefix(message, "MountVolume.WaitForAttach") || strings.HasPrefix(message, "MountVolume.MountDevice") ||
		strings.HasPrefix(message, "MapVolume.")
}

// eventVolume takes volume and node from the message. A node is named only by Kubernetes ≤ 1.6 and by vendors.
func eventVolume(e *EventRecord, o *model.Observation) bool {
	if d, ok := parseDetail(e.Message); ok {
		o.Volume, o.Node = d.volume, d.node
	}
	return true
}

// holdersOf is the machine that an attach error of a cloud names as the holder of the disk. On Compute Engine the instance
// has the name of the node:
//
//	The disk resource 'projects/p/zones/z/disks/d' is already being used by 'projects/p/zones/z/instances/node'
func holdersOf(message string) []string {
	path, closed := between(message, "is already being used by 'projects/", "'")
	_, instance, found := strings.Cut(path, "/instances/")
	if named := instance != "" && !strings.ContainsAny(instance, "/ "); !named || !closed || !found {
		return nil
	}
	return []string{instance}
}
