package cause

import (
	"fmt"
	"slices"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

var controllerBug = Cause{
	ID: model.CauseControllerBug, Title: "A known error of this version of Kubernetes",
	Label: "Controller bug", Group: "Controller bug, volume on %s",
	Needs: []Need{needHolder}, Check: checkControllerBug,
}

// miscounted reports a known error of the kube-controller-manager by which it waits without the node's doing.
func miscounted(c *wait.Case) bool {
	return slices.ContainsFunc(c.Signatures(), func(s wait.Signature) bool {
		return s.Bug.Component == "kube-controller-manager" && s.Bug.Affects(s.Version)
	})
}

func checkControllerBug(c *wait.Case) Result {
	for _, s := range c.Signatures() {
		if s.Version.Known() && !s.Bug.Affects(s.Version) {
			continue
		}
		r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: append(sample(s.Lines), s.VersionO)}
		if !s.Version.Known() {
			r.Summary = fmt.Sprintf("A line of the %s has the wording of an error of %s %s; the bundle does not show which version runs here.",
				s.Lines[0].Component, s.Bug.Component, s.Bug.Versions)
			r.lacks(model.Undecidable, "the version of the "+s.Bug.Component)
			return r
		}
		if s.Bug.Component == "kubelet" && c.InUse() == nil {
			r.lacks(model.Likely, "status.volumesInUse of "+c.From+" while the volume waited")
		}
		r.For = append(r.For, c.InUse())
		r.Summary = fmt.Sprintf("The %s of version %s has a known error (%s): %s. Repaired in %s.",
			s.Bug.Component, s.Version, s.Bug.Reference, s.Bug.Effect, s.Bug.Fixed)
		return r
	}
	return Result{}
}
