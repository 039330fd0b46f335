package wait

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ordinaryUnmount is how long a kubelet may take for an unmount without anything being wrong.
const ordinaryUnmount = time.Minute

// UnmountTrouble are the old node's kubelet's words that it cannot unmount the volume, or has volumes of the pod long after the release.
func (c *Case) UnmountTrouble() []*model.Observation {
	if !c.Released.Known() {
		return unique([]*model.Observation{c.UnmountFails()})
	}
	late := c.Released.Latest.Add(ordinaryUnmount)
	return unique(slices.Concat(facts.Where(c.said(), func(o *model.Observation) bool {
		return o.Kind == model.UnmountFailed && mayBeOn(c.From)(o) && !o.Last.At.Before(c.Released.Earliest)
	}), facts.Where(c.about(c.OldPods), func(o *model.Observation) bool { return o.Kind == model.UnmountFailed && !o.Last.At.Before(late) })))
}

// unmountRetry is well beyond the longest pause of a kubelet between two tries of an unmount (exponentialbackoff, 2 min 2 s, 1.13–1.36).
const unmountRetry = 5 * time.Minute

// UnmountFails is the last word of the old node's kubelet that it cannot unmount a volume that no pod used at the report, where the wait goes
// on and nothing shows that it could since; nil for none.
func (c *Case) UnmountFails() *model.Observation {
	lost := c.ListedNotReady() != nil || c.NotReady.Known()
	if c.Variant != model.ExclusivelyAttached || c.Resolved() || lost {
		return nil
	}
	of := func(kind model.Kind) *model.Observation {
		return facts.Last(c.said(), facts.After(c.Began.Earliest.Add(-unmountRetry)), facts.And(facts.Kinds(kind), onNode(c.From)))
	}
	failed, done := of(model.UnmountFailed), of(model.UnmountSucceeded)
	return only(failed, failed != nil && (done == nil || done.At.At.Before(failed.Last.At)))
}

// KillFails is the kubelet's last word that it cannot stop a pod which keeps the volume, where the wait goes on and nothing shows since that
// the pod stopped; nil for none. The pod's deletion was requested before, or it was evicted.
func (c *Case) KillFails() *model.Observation {
	if c.Resolved() || c.Released.Known() {
		return nil
	}
	return facts.Last(c.about(c.OldPods), facts.Window{}, facts.And(facts.Kinds(model.PodKillFailed), mayBeOn(c.From)))
}

// DetachRefused is the controller's last word that it does not detach a volume that no pod uses any more, since the old node lists it as in use,
// where the wait goes on and nothing shows a detach since; nil for none.
func (c *Case) DetachRefused() *model.Observation {
	if c.Resolved() {
		return nil
	}
	of := func(kinds ...model.Kind) *model.Observation {
		return facts.Last(c.said(), facts.After(c.Began.Earliest), facts.And(facts.Kinds(kinds...), onNode(c.From)))
	}
	refused, done := of(model.DetachRefusedInUse), of(model.DetachSucceeded, model.DetachForcedTimeout, model.DetachForcedTaint)
	return only(refused, refused != nil && (done == nil || done.At.At.Before(refused.Last.At)))
}

// HeldMount is the mount that the old node's kubelet found busy, by its newest word of it; empty when it does not say so.
func (c *Case) HeldMount() (path, words string) {
	for _, o := range slices.Backward(c.UnmountTrouble()) {
		if p, w, ok := upstream.BusyMount(o.Detail); ok {
			return p, w
		}
	}
	return "", ""
}

// KubeletLog is the path of a log of the old node's kubelet that covers the time from the release on, for as long as an ordinary unmount
// may take, so that its silence means something; else empty.
func (c *Case) KubeletLog() string {
	if !c.Released.Known() || c.From == "" {
		return ""
	}
	long := facts.Instant{Moment: model.Between(c.Released.Earliest, c.Released.Latest.Add(ordinaryUnmount+time.Millisecond))} // beyond it
	return c.KubeletLogAt(long)
}

// KubeletLogAt is the path of a log of the old node's kubelet that covers an instant; else empty.
func (c *Case) KubeletLogAt(i facts.Instant) string {
	hosts := map[string]bool{}
	for _, o := range c.ofNode() {
		hosts[o.Input] = hosts[o.Input] || o.Component == facts.Kubelet && fromLog(o)
	}
	for _, in := range c.World.Logs[facts.Kubelet] {
		if facts.Covers(in, i.Earliest, i.Latest) && (hosts[in.Path] || namedAfter(in.Path, c.From)) {
			return in.Path
		}
	}
	return ""
}

// namedAfter reports that a folder of a path is called like a node, or that the file begins with its name.
func namedAfter(file, node string) bool {
	parts := strings.Split(file, "/")
	rest, ours := strings.CutPrefix(path.Base(file), node)
	if ours && (rest == ".log" || strings.IndexAny(rest, "-_") == 0) {
		return true
	}
	return slices.Contains(parts[:len(parts)-1], node)
}

// Mounts are the rows of mount tables that show the volume mounted on the old node. A table is of the node after which its place in the
// bundle is named, or of whose old pod it has the UID. It has no time: there are none once the volume was attached elsewhere.
func (c *Case) Mounts() []*model.Observation {
	if c.From == "" || c.Resolved() {
		return nil
	}
	rows := facts.Where(c.World.ByKind[model.VolumeMounted], c.mounts)
	ofOldNode := map[string]bool{} // by input
	for _, o := range rows {
		ofOldNode[o.Input] = ofOldNode[o.Input] || namedAfter(o.Input, c.From) ||
			slices.ContainsFunc(c.OldPods, func(p model.Ref) bool { return p.UID != "" && p.UID == o.Pod.UID })
	}
	return slices.DeleteFunc(rows, func(o *model.Observation) bool { return !ofOldNode[o.Input] })
}

// mounts reports that a row of a mount table is of the volume: it names the PersistentVolume, or its driver and the hash of
// its handle (pkg/volume/csi csi_attacher.go makeDeviceMountPath, since 1.24).
func (c *Case) mounts(o *model.Observation) bool {
	if !o.Volume.IsZero() {
		return c.holds(o)
	}
	return c.Volume.Handle != "" && o.Attacher == c.Volume.Driver && o.Detail == c.Volume.HandleHash()
}
