package report

import (
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/report/internal/reporttest"
)

// start is the first instant of the fixtures.
var start = time.Date(2026, 11, 21, 6, 6, 51, 686_000_000, time.UTC)

// at is an exact instant so many seconds after start.
func at(seconds float64, evidence ...string) model.Moment {
	m := model.Exactly(start.Add(time.Duration(seconds * float64(time.Second))))
	m.Evidence = evidence
	return m
}

// ptr is the address of a copy.
func ptr[T any](v T) *T { return &v }

// rich is a report with every part that a reader can meet: two groups, an incident with all nine kinds of value, one that is
// still blocked, problems, and data that was not collected.
func rich() *model.Report {
	r := &model.Report{
		Schema:    model.SchemaVersion,
		Generator: model.Generator{Name: "volpost", Version: "v0.1.0"},
		Bundle:    richBundle(),
		Verdict: model.ReportVerdict{
			Status: model.StatusIncident,
			Headline: "shop/orders-db-data stayed attached to the lost node ip-10-0-131-75 for 7m 6.7s after the new pod wanted it on " +
				"ip-10-0-130-38: the old pod was force-deleted at 06:13:32.5 and the controller then waited its six minutes.",
		},
		Groups: []model.Group{
			{ID: "g1", Title: "Node ip-10-0-131-75.eu-west-1.compute.internal was lost", Cause: "node-down",
				Node: "ip-10-0-131-75.eu-west-1.compute.internal", Incidents: []string{"i1", "i2"}},
			{ID: "g2", Title: "Rollout of Deployment shop/reports", Cause: "rollout-surge", Incidents: []string{"i3"}},
		},
	}
	r.Incidents = []model.Incident{richIncident("i1"), openIncident("i2", "cache-data"), openIncident("i3", "reports-data")}
	r.Incidents[1].Advice = openAdvice()
	r.Incidents[2].Causes = []model.Cause{{ID: "rollout-surge", Label: "Rollout starts the new pod before the old one ends", Explains: "incident", Verdict: model.Likely,
		Summary: "The Deployment started the new pod before the old one ended.", For: []string{"e4"}, Against: []string{},
		Missing: []string{"The ReplicaSets were not collected."}}}
	r.Timeline = richTimeline()
	r.Graph = richGraph()
	r.Evidence = richEvidence()
	return r
}

func richBundle() model.Bundle {
	captured := model.WholeSecond(start.Add(902 * time.Second))
	from, to := start.Add(-90*time.Second), start.Add(900*time.Second)
	return model.Bundle{
		Root: "incidents/s01b/bundle", Layouts: []string{"must-gather"}, KubernetesVersion: "v1.34.3", CapturedAt: &captured,
		Inputs: []model.Input{
			{Path: "cluster-scoped-resources/core/nodes/ip-10-0-130-38.yaml", Kind: model.InputManifests, Bytes: 5123, Records: 1, Used: 1},
			{Path: "namespaces/kube-system/pods/kcm/logs/current.log", Kind: "log/kube-controller-manager", Bytes: 4_512_345, Records: 20111,
				Used: 230, Skipped: 19881,
				From: &from, To: &to, Clock: &model.Clock{Year: "2026, from the Event objects", Zone: "UTC, from the Event objects",
					OffsetSeconds: 0.004, OffsetUncertainty: 0.5}},
			{Path: "namespaces/shop/pods/orders-db/logs/app.log", Kind: model.InputIgnored, Bytes: 900},
		},
		Problems: []model.Problem{
			{Severity: model.Info, Path: "namespaces/kube-system/pods/kcm/logs/current.log", Line: 17, Message: "a record of 312 kB was cut"},
			{Severity: model.Warning, Path: "namespaces/shop/core/events.yaml", Line: 4011, Message: "the file ends in the middle of an object"},
		},
		NotCollected: []model.NotCollected{{What: "Leases of kube-node-lease",
			Consequence: "the last heartbeat of a node is known only from controller lines",
			Command:     "oc adm inspect ns/kube-node-lease", Also: []string{"kubectl get leases -n kube-node-lease -o yaml > leases.yaml"}}},
	}
}

const (
	richOld = "ip-10-0-131-75.eu-west-1.compute.internal"
	richNew = "ip-10-0-130-38.eu-west-1.compute.internal"
	richPV  = "pvc-2a7ae987-02b6-4a2d-a641-13333a271ee2"
)

func richIncident(id string) model.Incident {
	pod := model.PodRef("shop", "orders-db-56659c7b56-lp2jr", "db9ca7e0-b36b-46df-a147-b835d73e3e1e")
	replacement := model.PodRef("shop", "orders-db-56659c7b56-jmrkf", "ece78736-b74e-44c8-83cf-cca836a0ba47")
	name := model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", richOld)
	ended := at(766.7, "e6")
	in := model.Incident{
		ID: id,
		Volume: model.IncidentVolume{PersistentVolume: richPV, VolumeHandle: "vol-0c4c569f15e59f410", Driver: "ebs.csi.aws.com",
			UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0c4c569f15e59f410", AccessModes: []string{"ReadWriteOnce"},
			Claim: &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "orders-db-data"}},
		Workload:    &model.Ref{Kind: "Deployment", Namespace: "shop", Name: "orders-db"},
		From:        model.Place{Node: richOld, Pods: []model.Ref{pod}},
		To:          model.Place{Node: richNew, Pods: []model.Ref{replacement}},
		MultiAttach: model.MultiAttachWait{Began: at(340.478, "e1"), Ended: &ended, Variant: model.UsedByPods, Reports: 1},
		BlockingAttachment: model.BlockingAttachment{Name: &name, NameBasis: model.NameDerived, Node: richOld, Attacher: "ebs.csi.aws.com",
			DeletionRequestedAt: ptr(at(760.924, "e5")), GoneAt: ptr(model.Between(start.Add(763*time.Second), start.Add(764*time.Second)))},
		Resolved:       true,
		Phases:         richPhases(),
		Causes:         richCauses(),
		WhyNotDetached: richOperands(),
		IntegrityWindow: &model.IntegrityWindow{From: at(760.924, "e5"),
			Text:     "The volume was detached by force; nothing shows that the old node had stopped writing.",
			Evidence: []string{"e5"}},
	}
	in.Model, in.Remediations, in.Advice, in.Lanes = richModel(), richRemediations(), richAdvice(), richLanes(&in)
	first, last := in.Phases[0].From, in.Phases[len(in.Phases)-1].To
	in.Span = model.Span{From: first, To: last, Seconds: first.Until(last), StartsAt: "last-heartbeat"}
	return in
}

// richLanes are the objects of the incident: of the old pod and the new node nothing is told.
func richLanes(in *model.Incident) []model.Lane {
	state := func(word model.StateWord, from model.Moment) model.LaneState {
		return model.LaneState{Word: word, From: &from, Basis: from.Basis, Evidence: from.Evidence}
	}
	node := func(name string) model.Ref { return model.Ref{Kind: "Node", Name: name} }
	attachment := func(node string) model.Ref {
		return model.Ref{Kind: "VolumeAttachment", Name: model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", node)}
	}
	return []model.Lane{
		{Object: node(richOld), Role: model.RoleOldNode, States: []model.LaneState{
			state(model.StateAlive, at(0, "e2")), state(model.StateNotReady, model.WholeSecond(start.Add(40259*time.Millisecond)))}},
		{Object: node(richNew), Role: model.RoleNewNode, States: []model.LaneState{}},
		{Object: in.From.Pods[0], Role: model.RoleOldPod, Node: richOld, States: []model.LaneState{}},
		{Object: attachment(richOld), Role: model.RoleBlocking, Node: richOld, States: []model.LaneState{
			{Word: model.StateAttached, Reported: "exists", To: ptr(at(340.478)), Basis: model.Derived}, state(model.StateBlocking, at(340.478, "e1")),
			state(model.StateDetaching, at(760.924, "e5")), state(model.StateGone, *in.BlockingAttachment.GoneAt)}},
		{Object: attachment(richNew), Role: model.RoleAttachment, Node: richNew, States: []model.LaneState{state(model.StateAttached, at(766.7, "e6"))}},
		{Object: in.To.Pods[0], Role: model.RoleNewPod, Node: richNew, States: []model.LaneState{
			state(model.StateWaiting, at(340.478, "e1")), state(model.StatePending, at(766.7, "e6"))}},
	}
}

func richPhases() []model.Phase {
	bounds := []model.Moment{at(0, "e2"), model.WholeSecond(start.Add(40259 * time.Millisecond)), at(340.381, "e3"), at(340.388), at(340.398),
		at(400.842, "e4"), at(760.924, "e5"), model.Between(start.Add(763*time.Second), start.Add(764*time.Second)), at(766.7, "e6"),
		model.WholeSecond(start.Add(842 * time.Second)).As(model.Assumed)}
	ids := []model.PhaseID{model.PhaseDetection, model.PhaseEviction, model.PhaseReplacement, model.PhaseScheduling, model.PhaseRelease,
		model.PhaseUnmountWait, model.PhaseDetach, model.PhaseAttach, model.PhaseMount}
	var out []model.Phase
	for i, id := range ids {
		out = append(out, model.Phase{ID: id, From: bounds[i], To: bounds[i+1], Seconds: bounds[i].Until(bounds[i+1])})
	}
	out[0].GovernedBy = &model.Governor{Parameter: "--node-monitor-grace-period", Value: "40s", Basis: model.Observed}
	out[1].GovernedBy = &model.Governor{Parameter: "tolerationSeconds", Value: "300", Basis: model.Assumed}
	out[5].GovernedBy = &model.Governor{Parameter: "maxWaitForUnmountDuration", Value: "6m", Basis: model.Derived}
	return out
}

func richCauses() []model.Cause {
	return []model.Cause{
		{ID: "node-down", Label: "Node lost", Explains: "incident", Verdict: model.Confirmed, Summary: "The node stopped to send heartbeats and never came back.",
			For: []string{"e2", "e3", "The node has no heartbeat in the covered window after 06:06:51."}, Against: []string{}, Missing: []string{}},
		{ID: "old-pod-not-finished", Label: "Old pod did not finish", Explains: "release", Verdict: model.Likely,
			Summary: "The old pod kept running container statuses until it was force-deleted.",
			For:     []string{"e4"}, Against: []string{"e2"}, Missing: []string{"The old pod object was not collected while it existed."}},
		{ID: "unmount-stuck", Label: "Unmount stuck on the old node", Explains: "unmount-wait", Verdict: model.Undecidable, Summary: "Whether the old node unmounted cannot be told.",
			For: []string{}, Against: []string{}, Missing: []string{"Kubelet logs of the old node were not collected."}},
	}
}

func richOperands() []model.Operand {
	released := at(400.842, "e4")
	return []model.Operand{
		{Operand: "old-pod-released", Value: model.False, Until: &released, Text: "The old pod object existed with running containers.",
			Evidence: []string{"e4"}},
		{Operand: "unmounted-by-node", Value: model.False, Text: "The node still listed the volume in volumesInUse.", Evidence: []string{"e2"}},
		{Operand: "node-unhealthy", Value: model.True, Since: ptr(model.WholeSecond(start.Add(40259 * time.Millisecond))),
			Text: "Ready was Unknown.", Evidence: []string{"e3"}},
		{Operand: "timer-elapsed", Value: model.False, Since: &released, Text: "It ran from 06:13:32.5 to 06:19:32.6."},
		{Operand: "force-detach-enabled", Value: model.Unknown, Text: "No log line shows the flag."},
		{Operand: "out-of-service-taint", Value: model.False, Text: "The node has no such taint.", Evidence: []string{"e2"}},
	}
}

// openIncident is still blocked when the bundle was collected, and little is known of it.
func openIncident(id, claim string) model.Incident {
	from, to := at(341, "e1"), at(902)
	phase := model.Phase{ID: model.PhaseRelease, From: from, To: to, Seconds: from.Until(to)}
	return model.Incident{
		Model:        &model.ReplayModel{Outlook: "If nothing is done, the wait never ends: the old pod object stays."},
		Remediations: openRemediations(),
		ID:           id,
		Volume: model.IncidentVolume{UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-" + claim,
			Claim: &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: claim}},
		From: model.Place{Node: richOld}, To: model.Place{Node: richNew},
		MultiAttach:        model.MultiAttachWait{Began: from, Variant: model.UnknownVariant, Reports: 1},
		BlockingAttachment: model.BlockingAttachment{NameBasis: model.NameNone, Node: richOld},
		Span:               model.Span{From: from, To: to, Seconds: from.Until(to), StartsAt: "multi-attach", Open: true},
		Phases:             []model.Phase{phase},
		Causes: []model.Cause{{ID: "unknown", Label: "Cause unknown", Explains: "incident", Verdict: model.Undecidable, Summary: "Nothing in the bundle tells why.",
			Missing: []string{"The log of kube-controller-manager was not collected."}}},
	}
}

func richTimeline() []model.TimelineItem {
	item := func(id string, when model.Moment, kind model.Kind, text, evidence string) model.TimelineItem {
		return model.TimelineItem{ID: id, At: when, Kind: kind, Text: text, Evidence: []string{evidence}, Incidents: []string{"i1"}}
	}
	node := []model.Ref{{Kind: "Node", Name: richOld}}
	out := []model.TimelineItem{
		item("t1", at(0), model.NodeHeartbeat, "Last heartbeat of the old node", "e2"),
		item("t2", model.WholeSecond(start.Add(40*time.Second)), model.NodeNotReady, "The old node became NotReady (Unknown)", "e3"),
		item("t3", at(340.381), model.PodEvictionDecided, "Taint eviction deletes the old pod", "e3"),
		item("t4", at(340.478), model.MultiAttach, "Multi-Attach reported for the new pod", "e1"),
		item("t4-event", model.WholeSecond(start.Add(340478*time.Millisecond)), model.MultiAttach, "Multi-Attach reported for the new pod", "e6"),
		item("t5", at(400.842), model.PodGone, "The old pod is gone", "e4"),
		item("t6", at(760.924), model.DetachForcedTimeout, "Force detach after six minutes", "e5"),
		item("t7", at(761), model.AttacherDetaching, "The attacher detaches", "e5"),
		item("t8", model.Between(start.Add(763*time.Second), start.Add(764*time.Second)), model.AttachmentGone, "The VolumeAttachment is gone",
			"e6"),
		item("t9", at(766.7), model.AttachSucceeded, "Attached on the new node", "e6"),
		item("t10", at(800).As(model.Assumed), model.KubernetesEvent, "Something else happened", "e6"),
	}
	out[0].About = node
	return out
}

func richGraph() model.Graph {
	blockingName := model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", richOld)
	nextName := model.AttachmentName("vol-0c4c569f15e59f410", "ebs.csi.aws.com", richNew)
	return model.Graph{
		Nodes: []model.GraphNode{
			{ID: "deploy", Kind: "Deployment", Namespace: "shop", Name: "orders-db", Presence: model.InSnapshot},
			{ID: "old", Kind: "Pod", Namespace: "shop", Name: "orders-db-56659c7b56-lp2jr", Presence: model.Reconstructed, State: "gone"},
			{ID: "new", Kind: "Pod", Namespace: "shop", Name: "orders-db-56659c7b56-jmrkf", Presence: model.InSnapshot, State: "Ready"},
			{ID: "pvc", Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "orders-db-data", Presence: model.InSnapshot, State: "Bound"},
			{ID: "pv", Kind: "PersistentVolume", Name: richPV, Presence: model.InSnapshot},
			{ID: "va1", Kind: "VolumeAttachment", Name: blockingName, Presence: model.Reconstructed, State: "blocking"},
			{ID: "va2", Kind: "VolumeAttachment", Name: nextName, Presence: model.InSnapshot, State: "attached"},
			{ID: "n1", Kind: "Node", Name: richOld, Presence: model.InSnapshot, State: "NotReady"},
			{ID: "n2", Kind: "Node", Name: richNew, Presence: model.InSnapshot},
			{ID: "far", Kind: "VolumeAttachment", Name: "csi-of-another-volume", Presence: model.InSnapshot, State: "attached"},
		},
		Edges: []model.GraphEdge{
			{From: "deploy", To: "old", Relation: "owns"}, {From: "deploy", To: "new", Relation: "owns"},
			{From: "old", To: "pvc", Relation: "uses"}, {From: "new", To: "pvc", Relation: "uses"},
			{From: "pvc", To: "pv", Relation: "bound"},
			{From: "va1", To: "pv", Relation: "attaches"}, {From: "va2", To: "pv", Relation: "attaches"},
			{From: "va1", To: "n1", Relation: "on"}, {From: "va2", To: "n2", Relation: "on"},
			{From: "old", To: "n1", Relation: "scheduled-on"}, {From: "new", To: "n2", Relation: "scheduled-on"},
			{From: "far", To: "n1", Relation: "on"},
		},
	}
}

func richEvidence() []model.Evidence {
	log := func(id string, line int, text string) model.Evidence {
		q := mask.Quote(text)
		return model.Evidence{ID: id, Source: model.Source{Kind: model.SourceLog, Path: "namespaces/kube-system/pods/kcm/logs/current.log",
			Line: line},
			Text: q.Text, Truncated: q.Truncated, SHA256: q.SHA256}
	}
	return []model.Evidence{
		log("e1", 9001, `I1121 06:12:32.164012       1 reconciler.go:410] "Multi-Attach error" volume="`+richPV+
			`" msg="Volume is already used by pod(s) orders-db-56659c7b56-lp2jr"`),
		{ID: "e2", Source: model.Source{Kind: model.SourceManifest, Path: "cluster-scoped-resources/core/nodes/" + richOld + ".yaml", Line: 88,
			Field: "status.conditions[3].lastHeartbeatTime"},
			Text: `    lastHeartbeatTime: "2026-11-21T06:06:51Z"`},
		log("e3", 8200, `I1121 06:07:31.945002       1 node_lifecycle_controller.go:1103] "Node is unresponsive" node="`+richOld+`"`),
		log("e4", 9100, `I1121 06:13:32.528114       1 util.go:60] "Removing pod from desired state of world"`),
		log("e5", 11800, "I1121 06:19:32.610441       1 reconciler.go:276] \"Detach timed out, forcing\" <\n\tsecond line of the record\n >"),
		{ID: "e6", Source: model.Source{Kind: model.SourceEvent, Path: "namespaces/shop/core/events.yaml", Line: 311},
			Text: `  message: AttachVolume.Attach succeeded for volume "` + richPV + `"`},
	}
}

// none is the report of a bundle in which nothing was found.
func none() *model.Report {
	bundle := richBundle()
	bundle.Problems, bundle.NotCollected = nil, nil
	return &model.Report{Schema: model.SchemaVersion, Generator: model.Generator{Name: "volpost", Version: "v0.1.0"}, Bundle: bundle,
		Verdict: model.ReportVerdict{Status: model.StatusClean,
			Headline: "No Multi-Attach was reported, and the logs cover the attach/detach controller."}}
}

// bare is the least that a report can be: every list nil, every optional value absent.
func bare() *model.Report {
	return &model.Report{Schema: model.SchemaVersion, Generator: model.Generator{Name: "volpost"},
		Verdict: model.ReportVerdict{Status: model.StatusInsufficient, Headline: "Nothing could be read."}}
}

// many is one lost node with n volumes, each with its objects and quotes.
func many(n int) *model.Report { return reporttest.Many(rich, n) }
