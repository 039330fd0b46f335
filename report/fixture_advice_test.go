package report

import "github.com/volpost/volpost/model"

// option is a remedy of the fixtures at a moment, after which the pod is Ready so many seconds after start.
func option(id string, anchor model.Anchor, when, ready float64) model.Option {
	o := model.Option{Remedy: id, Title: "Do " + id, Anchor: anchor, DataRisk: model.RiskNone, Effort: model.EffortCommand,
		SideEffects: []string{}, Steps: []model.Step{}, Evidence: []string{"e2"}}
	o.Saved = &model.Range{Best: 842 - ready, Min: 842 - ready - 10, Max: 842 - ready + 10}
	o.ReadyAt = ptr(at(ready))
	if anchor != model.AnchorBefore {
		o.At = ptr(at(when))
	}
	return o
}

// richAdvice is what an expert would say of the first incident of rich: the pod was deleted by force, and a taint would have been better.
func richAdvice() *model.Advice {
	taint := option("out-of-service-taint", model.AnchorAct, 400, 430)
	taint.Title, taint.InsteadOf, taint.DataRisk = "Taint "+richOld+" out-of-service", ptr(1), model.RiskOnceProven
	taint.SideEffects = []string{"every pod on " + richOld + " that does not tolerate the taint is deleted"}
	command := "kubectl taint node " + richOld + " node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
	taint.Steps = []model.Step{
		{Part: model.StepProve, Text: "see at the cloud that the machine is off",
			Command: "aws ec2 describe-instances --instance-ids i-0abc --query 'Reservations[].Instances[].State.Name'"},
		{Part: model.StepAct, Text: "taint the node", Command: command},
		{Part: model.StepAfter, Text: "remove the taint when the machine is back", Command: command + "-"}}
	sooner := option("shorten-tolerations", model.AnchorBefore, 0, 572)
	sooner.Effort, sooner.SideEffects = model.EffortSetting, []string{"evicts pods at short outages too (30 s instead of 5 min)"}
	fence := option("fence-node", model.AnchorBefore, 0, 0)
	fence.Effort, fence.DataRisk, fence.Saved, fence.ReadyAt = model.EffortRollout, model.RiskPossible, nil, nil
	fence.Why = "nothing tells how fast the agent is"
	a := &model.Advice{
		Done: []model.DoneAct{
			{What: "Deployment external-attacher scaled to 0", At: ptr(at(20)), By: ptr("ada@example.com"), Effect: model.ActCaused,
				Evidence: []string{"e5"}},
			{What: "pod shop/orders-db-0 deleted by force", Remedy: ptr("force-delete-pod"), At: ptr(at(400)), Effect: model.ActStarted,
				Saved: &model.Range{Best: -200, Min: -210, Max: -190}, Evidence: []string{"e3"}}},
		Now: []model.Option{}, Better: []model.Option{taint}, Prevent: []model.Option{sooner, fence},
		Floor: &model.Range{Best: 70, Min: 65, Max: 75},
	}
	for n := range 9 {
		act := 40 + float64(n)*90
		a.Curve = append(a.Curve, model.CurvePoint{Act: at(act), Ready: at(min(act+30, 842))})
	}
	return a
}

// openAdvice is that of an incident that has not ended.
func openAdvice() *model.Advice {
	scale := option("scale-to-zero", model.AnchorCollection, 902, 950)
	scale.ReadyAt, scale.Saved, scale.Why = ptr(model.Between(start.Add(940e9), start.Add(980e9))), nil, "nothing tells when it would end by itself"
	scale.SideEffects = []string{"the service of shop/cache stops until the new pod is Ready"}
	scale.Steps = []model.Step{
		{Part: model.StepAct, Text: "scale to zero", Command: "kubectl scale -n shop deployment/cache --replicas=0"},
		{Part: model.StepAct, Text: "wait until the pods are gone", Command: "kubectl wait -n shop --for=delete pod -l app=cache --timeout=5m"},
		{Part: model.StepAct, Text: "scale up again", Command: "kubectl scale -n shop deployment/cache --replicas=1"}}
	return &model.Advice{Done: []model.DoneAct{}, Now: []model.Option{scale}, Better: []model.Option{}, Prevent: []model.Option{}}
}
