package reconstruct

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// ordinaryUnmount is how long a kubelet may take for an unmount without anything being wrong; it says meanwhile that
// volumes of the ended pod are not cleaned up.
const ordinaryUnmount = time.Minute

// UnmountTrouble are the old node's kubelet's own words that it cannot unmount the volume, or still has volumes of the old
// pod long after the release.
func (c *Case) UnmountTrouble() []*model.Observation {
	if !c.Released.Known() {
		return nil
	}
	late := c.Released.Latest.Add(ordinaryUnmount)
	return unique(slices.Concat(where(c.World.byVolume[c.Volume], func(o *model.Observation) bool {
		return o.Kind == model.UnmountFailed && (o.Node == "" || o.Node == c.From) && !o.Last.At.Before(c.Released.Earliest)
	}), where(c.about(c.OldPods), func(o *model.Observation) bool { return o.Kind == model.UnmountFailed && !o.Last.At.Before(late) })))
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

// KubeletLog is the path of a log of the old node's kubelet that covers the time from the release on, for as long as an
// ordinary unmount may take; empty when the bundle has none. Only then does its silence mean something.
func (c *Case) KubeletLog() string {
	if !c.Released.Known() || c.From == "" {
		return ""
	}
	hosts := map[string]bool{}
	for _, o := range c.World.byNode[c.From] {
		hosts[o.Input] = hosts[o.Input] || o.Component == Kubelet && fromLog(o)
	}
	for _, in := range c.World.logs[Kubelet] {
		reaches := covers(in, c.Released.Earliest, c.Released.Latest) && in.To.After(c.Released.Latest.Add(ordinaryUnmount))
		if reaches && (hosts[in.Path] || namedAfter(in.Path, c.From)) {
			return in.Path
		}
	}
	return ""
}

// namedAfter reports that a folder of a path is called like a node, or that the file begins with its name.
func namedAfter(file, node string) bool {
	parts := strings.Split(file, "/")
	return slices.Contains(parts[:len(parts)-1], node) || strings.HasPrefix(path.Base(file), node+"-") || strings.HasPrefix(path.Base(file), node+"_") || path.Base(file) == node+".log"
}

// OtherUsers are pods in the bundle, other than the old ones, that use the volume on the old node and have not finished.
func (c *Case) OtherUsers() []model.Ref {
	users, _ := c.UsersOnOldNode()
	return slices.DeleteFunc(users, c.isOldPod)
}

// UsersOnOldNode are the pods in the bundle that use the volume on the old node and have not finished. Listed tells
// whether the bundle lists the pods of the claim's namespace, so that there are no others.
func (c *Case) UsersOnOldNode() (pods []model.Ref, listed bool) {
	for _, p := range c.World.UsersAt(c.Volume, c.From) {
		if p.Value().Status.Phase != "Succeeded" && p.Value().Status.Phase != "Failed" {
			pods = append(pods, p.Ref)
		}
	}
	for _, v := range c.Volume.Same() {
		if v.Claim.Name == "" || !c.World.Listed("Pod", v.Claim.Namespace) {
			return pods, false
		}
	}
	return pods, true
}
