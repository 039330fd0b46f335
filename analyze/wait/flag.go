package wait

import (
	"slices"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// Configured reports whether the record of a flag is a configuration, which shows no process that runs so.
func Configured(o *model.Observation) bool { return facts.FlagRank(o) == facts.FlagConfigured }

// FlagBasis is how well the record of a flag shows what the process runs with.
func FlagBasis(o *model.Observation) model.Basis {
	if Configured(o) {
		return model.Derived
	}
	return model.Observed
}

// Signature is a line of the case that has the wording of a known error of Kubernetes, with the version of the component
// that wrote it or that it is about. Version and its quote are zero when the bundle does not state it.
type Signature struct {
	Bug      upstream.KnownBug
	Lines    []*model.Observation
	Version  upstream.Version
	VersionO *model.Observation
}

// Signatures are the known errors whose lines are about the blocking VolumeAttachment, or this volume on the old node, in this wait.
func (c *Case) Signatures() []Signature {
	var out []Signature
	for _, bug := range upstream.KnownBugs() {
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
	w := facts.During(c.lastHeld(), c.Ended().Latest)
	out := those(c.own(), w, facts.Kinds(model.AttachmentCheckFailed))
	if c.From == "" || c.Volume.Handle == "" {
		return out
	}
	return slices.Concat(out, those(c.said(), w, facts.Kinds(model.DetachForcedTimeout), onNode(c.From)),
		those(c.ofNode(), w, facts.Kinds(model.NodeDenied), says(c.Volume.HandleHash())))
}

// versionOf is the version of a component as the bundle states it: of the kubelet that of the old node.
func (c *Case) versionOf(component string) (upstream.Version, *model.Observation) {
	if node, ok := c.World.Node(c.From); ok && component == "kubelet" {
		v, _ := upstream.ParseVersion(node.Value().Status.NodeInfo.KubeletVersion)
		return v, facts.Cite(node, "status.nodeInfo.kubeletVersion")
	}
	if component == "kubelet" || c.World.VersionO == nil {
		return upstream.Version{}, nil
	}
	return c.World.Version, c.World.VersionO
}
