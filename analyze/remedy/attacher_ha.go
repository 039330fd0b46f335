package remedy

import (
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
)

var attacherHA = Remedy{
	ID: "attacher-ha", Title: "Run two replicas of the driver's controller on different nodes, with an alert on its Lease", Preventive: true,
	References: []string{"external-attacher: --leader-election, lease 15 s, renew 10 s, retry 5 s (2.2.1–4.13.0)",
		"recordings: detaches stood still for as long as no attacher ran"},
	SideEffects: always("the second replica takes room on another node"),

	Phases: []model.PhaseID{model.PhaseDetach, model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		if f := restartAttacher.Fit(i); f.Verdict != Fits {
			return f
		}
		return fits("Replicas that run all the time are assumed; where somebody had scaled them to zero, the alert is what helps.")
	},
	Change: setting(func(s *replay.Settings) { s.AttacherUp = true }),
	Steps: steps(prove("see how many replicas the driver's controller has, and on which nodes",
		"kubectl", "get", "deployment,statefulset,pod", "-A", "-o", "wide"),
		act("give the driver's controller two replicas with --leader-election and a podAntiAffinity over nodes, and alert on its Lease")),
}
