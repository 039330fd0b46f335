package report

import (
	"time"

	"github.com/volpost/volpost/model"
)

func richModel() *model.ReplayModel {
	return &model.ReplayModel{PredictedSeconds: ptr(845.2), ObservedSeconds: ptr(842.0), ResidualSeconds: ptr(3.2)}
}

// richRemediations has a remedy of each effect, of each class of risk, and one that was used.
func richRemediations() []model.Remediation {
	off := model.Need{Text: richOld + " no longer writes to the volume.", Met: "unknown", Evidence: []string{"e2"}}
	back := model.Need{Text: "The node had not come back.", Met: "no", Evidence: []string{"e3"}}
	gone := model.Need{Text: "The storage shows the volume as detached.", Met: "yes", Evidence: []string{"e5"}}
	taint := remediation("out-of-service-taint", "shortens", 700, 640, 90, off, gone)
	typed(&taint, "kubectl taint node "+richOld+" node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")
	taint.Steps = append([]model.Step{{Part: model.StepProve, Text: "make sure that the machine is off"}}, taint.Steps...)
	taint.Requires, taint.References = model.Requires{Kubernetes: "1.26 and later", After: []string{"fence-node"}}, []string{"KEP-2268"}
	taint.SideEffects = []string{"every pod on " + richOld + " that does not tolerate the taint is deleted",
		"the taint keeps pods away until somebody removes it"}
	sooner := remediation("shorten-tolerations", "shortens", 572, 540, 0)
	sooner.SideEffects = []string{"evicts pods at short outages too (30 s instead of 5 min)"}
	sooner.Kind, sooner.AppliedAt = "preventive", nil
	sooner.Steps = []model.Step{{Part: model.StepAct, Text: "in the pod template: tolerations: [{tolerationSeconds: 30}]"}}
	finalizer := remediation("remove-attachment-finalizer", "shortens", 820, 800, 20, back)
	finalizer.DataRisk = "certain"
	typed(&finalizer, "kubectl patch volumeattachment x --type=merge -p '{}'")
	used := remediation("force-delete-pod", "shortens", 842, 0, 0, off)
	used.WasUsed, used.PredictedPhases, used.SavedSeconds, used.Why = true, nil, nil, "Without it the wait would not have ended."
	longer := remediation("disable-force-detach", "lengthens", 1042, 1000, 0)
	longer.SavedSeconds = &model.Range{Best: -200, Min: -250, Max: -150}
	race := remediation("delete-volume-attachment", "undecidable", 0, 0, 0, off)
	race.PredictedEnd, race.PredictedPhases, race.SavedSeconds, race.Why = nil, nil, nil, "A race: either node may get the volume."
	none := remediation("fence-node", "none", 0, 0, 0)
	none.PredictedEnd, none.PredictedPhases, none.AppliedAt, none.Why = nil, nil, nil, "Kubernetes does not see that a machine is off."
	misfit := remediation("recreate-strategy", "not-applicable", 0, 0, 0)
	misfit.PredictedEnd, misfit.PredictedPhases, misfit.AppliedAt, misfit.Why = nil, nil, nil, "No rollout overlaps."
	return []model.Remediation{sooner, taint, used, finalizer, race, none, longer, misfit}
}

// typed gives a remedy one command.
func typed(r *model.Remediation, command string) {
	r.Commands, r.Steps = []string{command}, []model.Step{{Part: model.StepAct, Text: r.Title, Command: command}}
}

// openRemediations are those of an incident that has not ended.
func openRemediations() []model.Remediation {
	scale := remediation("scale-to-zero", "shortens", 700, 0, 20)
	scale.AppliedAt = ptr(at(641))
	scale.PredictedPhases = []model.Phase{{ID: model.PhaseRelease, From: at(341), To: at(650),
		Seconds: model.Range{Best: 309, Min: 309, Max: 309}},
		{ID: model.PhaseMount, From: at(650), To: at(700), Seconds: model.Range{Best: 50, Min: 50, Max: 50}}}
	scale.Phases = []string{"release"}
	scale.IfAppliedNow = ptr(model.Between(start.Add(940e9), start.Add(980e9)))
	scale.SideEffects = []string{"the service of shop/cache stops until the new pod is Ready"}
	typed(&scale, "kubectl scale -n shop deployment/cache --replicas=0")
	return []model.Remediation{scale}
}

// remediation is a remedy that was applied 600 s after start and ends the wait after so many, give or take.
func remediation(id, effect string, end, attached, give float64, needs ...model.Need) model.Remediation {
	r := model.Remediation{ID: id, Kind: "reactive", Title: "Do " + id, Effect: effect, Phases: []string{"unmount-wait", "mount"},
		Commands: []string{}, AppliedAt: ptr(at(600)),
		Safety: model.Safety{State: "safe", Needs: append([]model.Need{}, needs...)}}
	for _, n := range needs {
		switch {
		case n.Met == "no":
			r.Safety.State = "unsafe"
		case n.Met == "unknown" && r.Safety.State == "safe":
			r.Safety.State = "not-proven"
		}
	}
	r.DataRisk = map[string]string{"safe": model.RiskNone, "unsafe": model.RiskPossible, "not-proven": model.RiskOnceProven}[r.Safety.State]
	m := at(end).Widen(time.Duration(give*1e9), time.Duration(give*1e9))
	r.PredictedEnd, r.SavedSeconds = &m, &model.Range{Best: 842 - end, Min: 842 - end - give, Max: 842 - end + give}
	bounds := []float64{0, 40, 340, 400, min(attached, end), end}
	for i, id := range []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseRelease, model.PhaseUnmountWait,
		model.PhaseMount} {
		from, to := at(bounds[i]), at(bounds[i+1])
		if to.At.After(from.At) {
			r.PredictedPhases = append(r.PredictedPhases, model.Phase{ID: id, From: from, To: to, Seconds: from.Until(to)})
		}
	}
	return r
}
