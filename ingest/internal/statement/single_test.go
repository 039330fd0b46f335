package statement_test

import "testing"

// TestSingle: what single fields of an object say, each with its near miss; nothing is "".
func TestSingle(t *testing.T) {
	for _, c := range []struct{ what, object, want string }{
		{"asked to go without a grace period",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 0}, spec: {nodeName: a}, status: {}}`,
			"pod-deletion-requested 09:26:10+1s node=a (grace 0s) 4:metadata.deletionTimestamp\n"},
		{"with the longest one that is none",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 315360000}, spec: {nodeName: a}, status: {}}`,
			"pod-deletion-requested 09:26:10+1s node=a (grace 315360000s) 4:metadata.deletionTimestamp\n"},
		{"with the longest one",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 315359999}, spec: {nodeName: a}, status: {}}`,
			"pod-deletion-requested 09:26:11+1s derived node=a (grace 315359999s) 4:metadata.deletionTimestamp\n"},
		{"one ended and one waits",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 30}, spec: {nodeName: a}, status: {containerStatuses: [{state: {waiting: {}}}, {state: {terminated: {finish` +
				`edAt: "2026-03-14T09:26:05Z"}}}]}}`,
			"pod-deletion-requested 09:25:40+1s derived node=a (grace 30s) 4:metadata.deletionTimestamp\n" +
				"pod-containers-stopped 09:26:05+1s node=a 4:status.containerStatuses[1].state.terminated.finishedAt\n"},
		{"both ended, the first of them last",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 30}, spec: {nodeName: a}, status: {containerStatuses: [{state: {terminated: {finishedAt: "2026-03-14T09:26:` +
				`05Z"}}}, {state: {terminated: {finishedAt: "2026-03-14T09:26:01Z"}}}]}}`,
			"pod-deletion-requested 09:25:40+1s derived node=a (grace 30s) 4:metadata.deletionTimestamp\n" +
				"pod-containers-stopped 09:26:05+1s node=a 4:status.containerStatuses[0].state.terminated.finishedAt\n"},
		{"one ended and one runs",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 30}, spec: {nodeName: a}, status: {containerStatuses: [{state: {terminated: {finishedAt: "2026-03-14T09:26:` +
				`05Z"}}}, {state: {running: {}}}]}}`,
			"pod-deletion-requested 09:25:40+1s derived node=a (grace 30s) 4:metadata.deletionTimestamp\n"},
		{"one ended, and of one nothing is known",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, deletionTimestamp: "2026-03-14T09:26:10Z", deletionGracePe` +
				`riodSeconds: 30}, spec: {nodeName: a}, status: {containerStatuses: [{state: {terminated: {finishedAt: "2026-03-14T09:26:` +
				`05Z"}}}, {state: {}}]}}`,
			"pod-deletion-requested 09:25:40+1s derived node=a (grace 30s) 4:metadata.deletionTimestamp\n"},
		{"one ended, and nobody asked it to",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {containerStatuses: [{state:` +
				` {terminated: {finishedAt: "2026-03-14T09:26:05Z"}}}]}}`,
			""},
		{"succeeded",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {phase: Succeeded, container` +
				`Statuses: [{state: {terminated: {finishedAt: "2026-03-14T09:26:05Z"}}}]}}`,
			"pod-finished 09:26:05+1s node=a (Succeeded) 4:status.containerStatuses[0].state.terminated.finishedAt\n"},
		{"failed, and nothing says when",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {phase: Failed, conditions: ` +
				`[{type: Ready, status: "True", lastTransitionTime: "2026-03-14T09:26:53Z"}, {type: Ready, status: "False"}]}}`,
			"pod-ready 09:26:53+1s node=a 4:status.conditions[0].lastTransitionTime\n" +
				"pod-finished at-collection node=a (Failed) 4:status.phase\n"},
		{"running",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {phase: Running, containerSt` +
				`atuses: [{state: {terminated: {finishedAt: "2026-03-14T09:26:05Z"}}}]}}`,
			""},
		{"conditions of no time",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {conditions: [{type: Ready, ` +
				`status: "True"}, {type: PodScheduled, status: "True"}]}}`,
			""},
		{"conditions that are unknown",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {nodeName: a}, status: {conditions: [{type: PodSche` +
				`duled, status: Unknown, lastTransitionTime: "2026-03-14T09:26:53Z"}, {type: DisruptionTarget, status: "False", lastTrans` +
				`itionTime: "2026-03-14T09:26:53Z"}, {type: Ready, status: Unknown, reason: why, lastTransitionTime: "2026-03-14T09:26:53` +
				`Z"}]}}`,
			"pod-not-ready 09:26:53+1s node=a (why) 4:status.conditions[2].lastTransitionTime\n"},
		{"a name of the second before",
			`{apiVersion: v1, kind: Event, metadata: {name: x.189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:54Z"` +
				`, message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53.123456 (VolpostTest) 4:message\n"},
		{"a name of two seconds before",
			`{apiVersion: v1, kind: Event, metadata: {name: x.189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:55Z"` +
				`, message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:55+1s (VolpostTest) 4:message\n"},
		{"a name of the second after",
			`{apiVersion: v1, kind: Event, metadata: {name: x.189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:52Z"` +
				`, message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53.123456 (VolpostTest) 4:message\n"},
		{"a name of two seconds after",
			`{apiVersion: v1, kind: Event, metadata: {name: x.189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:51Z"` +
				`, message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:51+1s (VolpostTest) 4:message\n"},
		{"a name that is too long",
			`{apiVersion: v1, kind: Event, metadata: {name: x.0189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:53Z` +
				`", message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53+1s (VolpostTest) 4:message\n"},
		{"a name that is none but a stamp",
			`{apiVersion: v1, kind: Event, metadata: {name: 189cab0a18562f15, namespace: n}, firstTimestamp: "2026-03-14T09:26:53Z", ` +
				`message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53+1s (VolpostTest) 4:message\n"},
		{"an event that ends within its first second",
			`{apiVersion: v1, kind: Event, metadata: {name: x.189cab0a18562f15, namespace: n}, count: 2, firstTimestamp: "2026-03-14T` +
				`09:26:53Z", lastTimestamp: "2026-03-14T09:26:53Z", message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53.123456 x2 until 09:26:53.123456 (VolpostTest) 4:message\n"},
		{"an event that ends a second later",
			`{apiVersion: v1, kind: Event, metadata: {name: x.1, namespace: n}, count: 2, firstTimestamp: "2026-03-14T09:26:53Z", las` +
				`tTimestamp: "2026-03-14T09:26:54Z", message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53+1s x2 until 09:26:54+1s (VolpostTest) 4:message\n"},
		{"an event of its last time alone",
			`{apiVersion: v1, kind: Event, metadata: {name: x.1, namespace: n}, lastTimestamp: "2026-03-14T09:26:53Z", message: m, re` +
				`ason: VolpostTest}`,
			"kubernetes-event 09:26:53+1s (VolpostTest) 4:message\n"},
		{"a series of less than was counted",
			`{apiVersion: v1, kind: Event, metadata: {name: x.1, namespace: n}, count: 5, series: {count: 2, lastObservedTime: "2026-` +
				`03-14T09:30:00Z"}, firstTimestamp: "2026-03-14T09:26:53Z", message: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:53+1s x5 until 09:30:00 (VolpostTest) 4:message\n"},
		{"an older time of the other form",
			`{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: x.1, namespace: n, creationTimestamp: "2026-03-14T09:28:00Z` +
				`"}, deprecatedFirstTimestamp: "2026-03-14T09:26:00Z", deprecatedLastTimestamp: "2026-03-14T09:27:00Z", deprecatedCount: ` +
				`2, note: m, reason: VolpostTest}`,
			"kubernetes-event 09:26:00+1s x2 until 09:27:00+1s (VolpostTest) 4:note\n"},
		{"tainted by two people",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: [{manager: kubectl, time: "2026-03-14T09:02:00Z", fields` +
				`V1: {f:spec: {f:taints: {}}}}, {manager: other, time: "2026-03-14T09:01:00Z", fieldsV1: {f:spec: {f:taints: {}}}}]}, spe` +
				`c: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}, status: {}}`,
			"node-tainted 09:02:00+1s node=a (node.kubernetes.io/out-of-service=:NoExecute) 4:metadata.managedFields[0].time\n"},
		{"tainted by a cloud's controller",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: [{manager: cloud-controller-manager, time: "2026-03-14T0` +
				`9:00:00Z", fieldsV1: {f:spec: {f:taints: {}}}}]}, spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExe` +
				`cute}]}, status: {}}`,
			"node-tainted at-collection node=a (node.kubernetes.io/out-of-service=:NoExecute) 4:spec.taints[0].key\n"},
		{"tainted by a kubelet",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: [{manager: kubelet, time: "2026-03-14T09:00:00Z", fields` +
				`V1: {f:spec: {f:taints: {}}}}]}, spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}, status: {}}`,
			"node-tainted at-collection node=a (node.kubernetes.io/out-of-service=:NoExecute) 4:spec.taints[0].key\n"},
		{"a Ready condition of no time",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: []}, spec: {}, status: {conditions: [{type: Ready, statu` +
				`s: "False"}]}}`,
			""},
		{"cordoned, and nobody says when",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: []}, spec: {unschedulable: true}, status: {}}`,
			""},
		{"no longer cordoned",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: [{manager: kubectl, time: "2026-03-14T09:00:00Z", fields` +
				`V1: {f:spec: {f:unschedulable: {}}}}]}, spec: {unschedulable: false}, status: {}}`,
			""},
		{"cordoned twice",
			`{apiVersion: v1, kind: Node, metadata: {name: a, managedFields: [{manager: a, time: "2026-03-14T09:02:00Z", fieldsV1: {f` +
				`:spec: {f:unschedulable: {}}}}, {manager: b, time: "2026-03-14T09:01:00Z", fieldsV1: {f:spec: {f:unschedulable: {}}}}, {` +
				`manager: c, time: "2026-03-14T09:03:00Z", fieldsV1: {f:spec: {f:unschedulable: {}}}}]}, spec: {unschedulable: true}, sta` +
				`tus: {}}`,
			"node-cordoned 09:03:00+1s node=a 4:metadata.managedFields[2].time\n"},
		{"paused",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:paused: {}}}}]}, spec: {replicas: 2}}`,
			"workload-changed 09:00:00+1s (rollout paused) 4:metadata.managedFields[0].time\n"},
		{"paused and scaled",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:paused: {}, f:replicas: {}}}}]}, spec: {replicas: 2}}`,
			"workload-scaled 09:00:00+1s (scaled to 2 replicas) 4:metadata.managedFields[0].time\n"},
		{"paused, with its strategy",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:paused: {}, f:strategy: {}}}}]}, spec: {replicas: 2}}`,
			""},
		{"a strategy",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:strategy: {}}}}]}, spec: {replicas: 2, strategy: {type: Recreate}}}`,
			"workload-strategy-changed 09:00:00+1s (strategy changed to Recreate) 4:metadata.managedFields[0].time\n"},
		{"a strategy of no type",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:strategy: {}}}}]}, spec: {replicas: 2}}`,
			""},
		{"a strategy and replicas",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:strategy: {}, f:replicas: {}}}}]}, spec: {replicas: 2, strategy: {type: Recreate}}}`,
			"workload-scaled 09:00:00+1s (scaled to 2 replicas) 4:metadata.managedFields[0].time\n"},
		{"another field",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, time: "202` +
				`6-03-14T09:00:00Z", fieldsV1: {f:spec: {f:minReadySeconds: {}}}}]}, spec: {replicas: 2}}`,
			""},
		{"of no time",
			`{apiVersion: apps/v1, kind: Deployment, metadata: {name: db, namespace: n, managedFields: [{manager: kubectl, fieldsV1: ` +
				`{f:spec: {f:replicas: {}}}}]}, spec: {replicas: 2}}`,
			""},
		{"attached as two wrote",
			`{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: csi-1, managedFields: [{manager: x, time: "2026` +
				`-03-14T09:02:00Z", fieldsV1: {f:status: {f:attached: {}}}}, {manager: y, time: "2026-03-14T09:01:00Z", fieldsV1: {f:stat` +
				`us: {f:attached: {}}}}]}, spec: {attacher: d, nodeName: a, source: {persistentVolumeName: pv}}, status: {attached: true}}`,
			"attachment-attached 09:02:00+1s node=a volume=pv 4:metadata.managedFields[0].time\n"},
		{"attached as one wrote of another field",
			`{apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, metadata: {name: csi-1, managedFields: [{manager: x, time: "2026` +
				`-03-14T09:00:00Z", fieldsV1: {f:status: {f:attachError: {}}}}]}, spec: {attacher: d, nodeName: a, source: {persistentVol` +
				`umeName: pv}}, status: {attached: true}}`,
			"attachment-attached at-collection node=a volume=pv 4:status.attached\n"},
		{"of an image with a tag",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {containers: [{name: x, image: "r/external-attacher` +
				`:v1", args: [--timeout=5s]}]}}`,
			"process-flag at-collection (--timeout=5s) 4:spec.containers[0].args[0]\n"},
		{"of another program",
			`{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n}, spec: {containers: [{name: x, image: "r/csi-attacher-x:v1` +
				`", args: [--timeout=5s]}]}}`,
			""},
	} {
		if got := statements(t, "apiVersion: v1\nkind: List\nitems:\n- "+c.object+"\n"); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.what, got, c.want)
		}
	}
}
