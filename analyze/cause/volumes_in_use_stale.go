package cause

import (
	"fmt"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var volumesInUseStale = Cause{
	ID: model.CauseVolumesInUseStale, Title: "The node lists a volume as in use that nothing uses",
	Label: "volumesInUse is stale", Group: "Volume listed in use without a user on %s",
	Needs: []Need{needHolder}, Check: checkVolumesInUseStale,
}

func checkVolumesInUseStale(c *wait.Case) Result {
	if !c.Released.Known() || c.NodeRemoved().Known() || lostBefore(c) {
		return Result{}
	}
	users, listed := c.UsersOnOldNode()
	if len(users) > 0 || len(c.UnmountTrouble()) > 0 || len(c.Mounts()) > 0 {
		return Result{}
	}
	r := Result{Verdict: model.Confirmed, Explains: []model.PhaseID{model.PhaseUnmountWait}, For: witnesses(c.Released)}
	inUse := c.InUse()
	if c.Resolved() {
		inUse = nil // the list is of a later time
	}
	asked, version := inventedName(c)
	waited, _ := mayPhase(c, model.PhaseUnmountWait)
	log := c.KubeletLog()
	covered := log != "" && listed // by what would show a mount, or a user
	stale := inUse != nil && waited >= unmountPatience && stillReady(c)
	if len(asked) > 0 {
		r.Summary = fmt.Sprintf("The kubelet of %s keeps the volume in its books under a name that does not exist: "+
			"it asks for a PersistentVolume that is called like the hash of the volume's handle", c.From)
		r.For = append(r.For, append(sample(asked), version)...)
	} else if stale && covered {
		r.Verdict = model.Likely
		r.Summary = fmt.Sprintf("%s still lists the volume as in use %s after the old pod released it", c.From, words.Duration(waited))
		r.Reasons = []string{"the kubelet's log " + log + " covers the time and has no failed unmount",
			"the bundle lists the pods, and none on " + c.From + " uses the volume"}
	} else {
		return Result{}
	}
	if inUse == nil {
		r.lacks(model.Likely, "status.volumesInUse of "+c.From+" while the volume waited")
	}
	r.For = append(r.For, inUse)
	r.Summary += "; the old pod released it at " + clock(c.Released)
	if listed {
		r.Summary += ", and no pod on the node uses it"
	} else {
		r.lacks(model.Likely, "the pods of "+c.From+", to see that none uses the volume")
	}
	r.Summary += "."
	r.Missing = append(r.Missing, "proof from the node that nothing is mounted: its mount table")
	return r
}

// inventedName is the old node's kubelet asking for a PersistentVolume named after the hash of this handle, with the kubelet's version.
func inventedName(c *wait.Case) (lines []*model.Observation, version *model.Observation) {
	for _, s := range c.Signatures() {
		if s.Bug.Component == "kubelet" {
			return s.Lines, s.VersionO
		}
	}
	return nil, nil
}
