package lanes

import (
	"slices"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// bound are the phases of the claim and the volume as they were collected.
func bound(c *wait.Case) []*Lane {
	at := c.World.Axis.CapturedAt
	if at == nil {
		return nil
	}
	var out []*Lane
	add := func(object model.Ref, role model.LaneRole, phase string, cite *model.Observation) {
		if phase != "" && cite != nil {
			seen := *cite
			seen.At, seen.Last = *at, *at
			out = append(out, &Lane{Object: object, Role: role, States: []State{{Word: model.StateWord(phase), From: wait.At(&seen)}}})
		}
	}
	if claim, ok := c.World.Claim(c.Volume.Claim.Namespace, c.Volume.Claim.Name); ok {
		add(claim.Ref, model.RoleClaim, string(claim.Value().Status.Phase), facts.Cite(claim, "status.phase"))
	}
	if pv := c.Volume.PV; pv != nil {
		add(pv.Ref, model.RoleVolume, string(pv.Value().Status.Phase), facts.Cite(*pv, "status.phase"))
	}
	return out
}

// oneChange is within which several sources report one change of the leader; another leader waits longer.
const oneChange = 10 * time.Second

// leaders are the lanes of the controllers. One that begins to lead while another does is a new one.
func leaders(c *wait.Case) []*Lane {
	var told []*model.Observation
	for _, kind := range []model.Kind{model.LeaderAcquired, model.LeaderLost, model.ControllerStarted, model.ControllerStopped} {
		told = append(told, c.World.ByKind[kind]...)
	}
	told = slices.DeleteFunc(toldOf(c.World, told), func(o *model.Observation) bool { return o.Component != facts.ControllerManager })
	l := &Lane{Object: model.Ref{Kind: "Controller", Name: facts.ControllerManager}, Role: model.RoleController}
	lead := func(o *model.Observation) {
		l.States = append(l.States, State{Word: model.StateLeader, From: wait.At(o)})
	}
	for _, o := range told {
		last := l.Last()
		switch o.Kind {
		case model.LeaderAcquired:
			if last.Word != model.StateLeader || o.At.At.Sub(last.From.At) > oneChange {
				lead(o)
			}
		case model.ControllerStarted:
			if len(l.States) == 0 {
				lead(o)
			}
		case model.LeaderLost, model.ControllerStopped:
			l.say(State{Word: model.StateNone, From: wait.At(o)})
		}
	}
	out := []*Lane{l}
	if start := c.AttacherStart(c.Span.To.Latest); start != nil {
		out = append(out, &Lane{Object: model.Ref{Kind: "Controller", Name: "external-attacher"}, Role: model.RoleAttacher,
			States: []State{{Word: model.StateLeader, From: wait.At(start)}}})
	}
	return out
}
