package wait

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// attachers is what the external-attacher's image and container are called.
var attachers = []string{"csi-attacher", "external-attacher"}

// IsAttacherContainer goes by the container's name and by the last part of its image without tag and digest.
func IsAttacherContainer(c corev1.Container) bool {
	image := c.Image[strings.LastIndexByte(c.Image, '/')+1:]
	image, _, _ = strings.Cut(image, "@")
	image, _, _ = strings.Cut(image, ":")
	return c.Name == "attacher" || slices.ContainsFunc(attachers, func(s string) bool {
		return c.Name == s || image == s || strings.HasSuffix(image, "-"+s)
	})
}

// Away is a time in which the workload with the external-attacher had no pods, because it was scaled to zero.
type Away struct {
	Workload model.Ref
	From, To facts.Instant // To is unknown while it was so at the collection
}

// AttacherAway is the newest time without an external-attacher that reaches into the wait: its workload was scaled to zero, by the events
// of its ReplicaSets. False where nothing records it, and where several drivers have an attacher and nothing tells which is meant.
func (c *Case) AttacherAway() (Away, bool) {
	workload, ok := c.attacherWorkload()
	if !ok {
		return Away{}, false
	}
	since := facts.During(c.Began.Earliest.Add(-causalWindow), c.Ended().Latest)
	var away Away
	for _, s := range scaleSteps(c.World, workload) {
		at := facts.Instant{Moment: s.at, Witness: []*model.Observation{s.witness}}
		if s.to == 0 && s.from != 0 && since.Holds(s.at.At) {
			away = Away{Workload: workload, From: at}
		} else if s.to > 0 && away.From.Known() && !away.To.Known() {
			away.To = at
		}
	}
	reaches := !away.To.Known() || away.To.Latest.After(c.Began.Earliest)
	return away, away.From.Known() && reaches
}

// attacherWorkload is the only Deployment whose pods have an external-attacher, or the one whose attacher names the case's attachments.
func (c *Case) attacherWorkload() (model.Ref, bool) {
	var found []model.Ref
	for _, d := range model.Newest(c.World.Snapshot.Deployments) {
		if slices.ContainsFunc(d.Value().Spec.Template.Spec.Containers, IsAttacherContainer) {
			found = append(found, d.Ref)
		}
	}
	if len(found) > 1 {
		own := slices.Concat(c.own(), c.World.ByAttach[c.next.Name])
		found = facts.Where(found, func(d model.Ref) bool {
			return slices.ContainsFunc(own, func(o *model.Observation) bool {
				return o.Component == facts.Attacher && strings.Contains(o.Input, "/"+d.Name+"-")
			})
		})
	}
	if len(found) != 1 {
		return model.Ref{}, false
	}
	return found[0], true
}
