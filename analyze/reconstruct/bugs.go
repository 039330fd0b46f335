package reconstruct

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Signature is a line of the case that has the wording of a known error of Kubernetes, with the version of the component
// that wrote it or that it is about. Version and its quote are zero when the bundle does not state it.
type Signature struct {
	Bug      upstream.KnownBug
	Lines    []*model.Observation
	Version  upstream.Version
	VersionO *model.Observation
}

// Signatures are the known errors whose lines are about this case: of the blocking VolumeAttachment, or of this volume on
// the old node, between its attach and the end of the wait.
func (c *Case) Signatures() []Signature {
	var out []Signature
	for _, bug := range upstream.KnownBugs {
		s := Signature{Bug: bug}
		for _, o := range c.suspects() {
			if bug.Signature(o.Detail) || bug.Signature(o.Volume.UniqueName) {
				s.Lines = append(s.Lines, o)
			}
		}
		if len(s.Lines) == 0 {
			continue
		}
		s.Version, s.VersionO = c.versionOf(bug.Component)
		out = append(out, s)
	}
	return out
}

// suspects are the lines that can have a signature, as far as they are about the case.
func (c *Case) suspects() []*model.Observation {
	w := window{from: c.lastHeld()}
	if c.Resolved() {
		w.to = c.Ended().Latest
	}
	var out []*model.Observation
	for _, o := range c.World.byAttach[c.Attachment.Name] {
		if o.Kind == model.AttachmentCheckFailed && w.holds(o.At.At) {
			out = append(out, o)
		}
	}
	if c.From == "" || c.Volume.Handle == "" {
		return out
	}
	for _, o := range c.World.byVolume[c.Volume] {
		if o.Kind == model.DetachForcedTimeout && o.Node == c.From && w.holds(o.At.At) {
			out = append(out, o)
		}
	}
	sum := sha256.Sum256([]byte(c.Volume.Handle))
	name := hex.EncodeToString(sum[:])
	for _, o := range c.World.byNode[c.From] {
		if o.Kind == model.NodeDenied && strings.Contains(o.Detail, name) && w.holds(o.At.At) {
			out = append(out, o)
		}
	}
	return out
}

// versionOf is the version of a component as the bundle states it: of the kube-controller-manager its own line, of the
// kubelet that of the old node.
func (c *Case) versionOf(component string) (upstream.Version, *model.Observation) {
	if component != "kubelet" {
		if c.World.VersionO == nil {
			return upstream.Version{}, nil
		}
		return c.World.Version, c.World.VersionO
	}
	node, ok := c.World.Node(c.From)
	if !ok {
		return upstream.Version{}, nil
	}
	v, _ := upstream.ParseVersion(node.Value().Status.NodeInfo.KubeletVersion)
	return v, Cite(node, "status.nodeInfo.kubeletVersion")
}
