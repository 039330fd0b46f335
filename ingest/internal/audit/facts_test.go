package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// ev writes an event as the API server does; parts replace the members of a plain one. Without a value a member is left out.
func ev(verb, ref string, parts ...string) string {
	members := []string{
		"kind", `"Event"`, "apiVersion", `"audit.k8s.io/v1"`, "level", `"RequestResponse"`, "auditID", `""`, "stage", `"ResponseComplete"`,
		"requestURI", `"/x"`, "verb", `"` + verb + `"`, "user", `{"username":"alice","groups":["ops"]}`, "sourceIPs", `["192.0.2.1"]`,
		"userAgent", `"kubectl/v1.34.3 (linux/amd64) kubernetes/0000000"`, "objectRef", ref, "responseStatus", `{"metadata":{},"code":200}`,
		"requestObject", "", "responseObject", "",
		"requestReceivedTimestamp", `"2026-03-14T09:33:01.100000Z"`, "stageTimestamp", `"2026-03-14T09:33:01.104000Z"`,
		"annotations", `{"authorization.k8s.io/decision":"allow"}`,
	}
	var b strings.Builder
	for i := 0; i < len(members); i += 2 {
		value := members[i+1]
		for j := 0; j < len(parts); j += 2 {
			if parts[j] == members[i] {
				value = parts[j+1]
			}
		}
		if value != "" {
			fmt.Fprintf(&b, ",%q:%s", members[i], value)
		}
	}
	return "{" + b.String()[1:] + "}\n"
}

// References of the objects in the tests.
const (
	vaRef   = `{"resource":"volumeattachments","name":"csi-0c7e","apiGroup":"storage.k8s.io","apiVersion":"v1"}`
	vaState = `{"resource":"volumeattachments","name":"csi-0c7e","apiGroup":"storage.k8s.io","apiVersion":"v1","subresource":"status"}`
	podRef  = `{"resource":"pods","namespace":"shop","name":"db-0","apiVersion":"v1"}`
	depRef  = `{"resource":"deployments","namespace":"shop","name":"db","apiGroup":"apps"}`
	nodeRef = `{"resource":"nodes","name":"worker-1","apiVersion":"v1"}`
	vaSpec  = `"spec":{"attacher":"ebs.csi.aws.com","nodeName":"worker-1","source":{"persistentVolumeName":"pvc-1"}}`
	vaGoing = `{"kind":"VolumeAttachment","metadata":{"name":"csi-0c7e","uid":"7f7f","deletionTimestamp":"2026-03-14T09:33:01Z",` +
		`"finalizers":["external-attacher/ebs-csi-aws-com"]},` + vaSpec + `}`
	vaBare = `{"kind":"VolumeAttachment","metadata":{"name":"csi-0c7e","uid":"7f7f","deletionTimestamp":"2026-03-14T09:33:01Z"},` + vaSpec +
		`}`
	kubelet = `{"username":"system:node:worker-1"}`
)

const eventRef = `{"resource":"events","namespace":"shop","name":"db-0.18e9","apiVersion":"v1"}`

func attachEvent(reason string) string {
	return `{"kind":"Event","involvedObject":{"kind":"Pod","namespace":"shop","name":"db-0","uid":"7f7f"},"reason":"` + reason +
		`","message":"Multi-Attach error for volume \"pvc-1\" Volume is already exclusively attached to one node and can't be attached to ` +
		`another","type":"Warning","source":{"component":"attachdetach-controller"},"firstTimestamp":"2026-03-14T09:33:01Z"}`
}

func sub(ref, subresource string) string {
	return strings.TrimSuffix(ref, "}") + `,"subresource":"` + subresource + `"}`
}

// say describes statements: kind, object, node, detail, count, one after the other.
func say(list []model.Observation) string {
	var out []string
	for _, o := range list {
		s := string(o.Kind) + " " + o.Object.String()
		if o.Node != "" && o.Object.Kind != "Node" {
			s += " on " + o.Node
		}
		if o.Detail != "" {
			s += " (" + o.Detail + ")"
		}
		if o.Count > 1 {
			s += fmt.Sprintf(" ×%d", o.Count)
		}
		if o.At.Basis == model.Derived {
			s += " derived"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// cases have what a request is, near misses of it with an empty want, and what is said.
var cases = []struct{ name, log, want string }{
	{"VolumeAttachment created", ev("create", vaRef, "requestObject", `{"kind":"VolumeAttachment","metadata":{"name":"csi-0c7e"},`+vaSpec+`}`),
		"attachment-created csi-0c7e on worker-1"},
	{"created, Metadata only", ev("create", vaRef), "attachment-created csi-0c7e"},
	{"created, name in the answer only",
		ev("create", `{"resource":"volumeattachments","apiGroup":"storage.k8s.io"}`, "responseObject",
			`{"metadata":{"name":"csi-9"},`+vaSpec+`}`), "attachment-created csi-9 on worker-1"},
	{"created, no name at all", ev("create", `{"resource":"volumeattachments","apiGroup":"storage.k8s.io"}`), ""},
	{"creation refused: exists", ev("create", vaRef, "responseStatus", `{"code":409}`), ""},
	{"status not known", ev("create", vaRef, "responseStatus", ""), ""},
	{"an event", ev("create", eventRef, "requestObject", attachEvent("FailedAttachVolume")), ""},
	{"an Event of Kubernetes, no audit event", ev("create", vaRef, "apiVersion", `"v1"`), ""},
	{"a name of 254 characters", ev("create", strings.Replace(vaRef, "csi-0c7e", strings.Repeat("x", 254), 1)), ""},
	{"a name of 253 characters", ev("create", strings.Replace(vaRef, "csi-0c7e", strings.Repeat("x", 253), 1)),
		"attachment-created " + strings.Repeat("x", 253)},
	{"another stage", ev("create", vaRef, "stage", `"RequestReceived"`), ""},
	{"a panic", ev("create", vaRef, "stage", `"Panic"`), ""},
	{"a read", ev("get", vaRef), ""},
	{"a watch", ev("watch", vaRef), ""},
	{"another group's resource of that name", ev("create", `{"resource":"volumeattachments","name":"x","apiGroup":"example.com"}`), ""},
	{"no time", ev("create", vaRef, "requestReceivedTimestamp", "", "stageTimestamp", ""), ""},

	{"VolumeAttachment deleted, held by its finalizer", ev("delete", vaRef, "responseObject", vaGoing),
		"attachment-deletion-requested csi-0c7e on worker-1"},
	{"deleted, Metadata only", ev("delete", vaRef), "attachment-deletion-requested csi-0c7e"},
	{"deleted without finalizer", ev("delete", vaRef, "responseObject", `{"kind":"VolumeAttachment","metadata":{"name":"csi-0c7e"}}`),
		"attachment-deletion-requested csi-0c7e; attachment-gone csi-0c7e"},
	{"deleted, answered with a status", ev("delete", vaRef, "responseObject", `{"kind":"Status","status":"Success"}`),
		"attachment-deletion-requested csi-0c7e"},
	{"deleted again and again", ev("delete", vaRef) + ev("delete", vaRef) + ev("delete", vaRef), "attachment-deletion-requested csi-0c7e ×3"},
	{"deleted by two", ev("delete", vaRef) + ev("delete", vaRef, "user", `{"username":"bob"}`),
		"attachment-deletion-requested csi-0c7e; attachment-deletion-requested csi-0c7e"},
	{"deleted, created, deleted", ev("delete", vaRef) + ev("create", vaRef) + ev("delete", vaRef),
		"attachment-deletion-requested csi-0c7e; attachment-created csi-0c7e; attachment-deletion-requested csi-0c7e"},
	{"deleted long before the file", ev("delete", vaRef, "responseObject", strings.Replace(vaGoing, "09:33:01Z", "09:20:00Z", 1)),
		"attachment-deletion-requested csi-0c7e on worker-1; attachment-deletion-requested csi-0c7e on worker-1"},
	{"deletion not found", ev("delete", vaRef, "responseStatus", `{"code":404}`), ""},
	{"dry run in the query", ev("delete", vaRef, "requestURI", `"/apis/storage.k8s.io/v1/volumeattachments/csi-0c7e?dryRun=All"`), ""},
	{"dry run in the body", ev("delete", vaRef, "requestObject", `{"kind":"DeleteOptions","dryRun":["All"]}`), ""},

	{"attached", ev("patch", vaState, "requestObject", `{"status":{"attached":true}}`), "attachment-attached csi-0c7e"},
	{"attached, told twice", ev("patch", vaState, "requestObject", `{"status":{"attached":true}}`) + ev("update", vaState, "requestObject",
		`{"status":{"attached":true}}`), "attachment-attached csi-0c7e ×2"},
	{"set to not attached", ev("patch", vaState, "requestObject", `{"status":{"attached":false}}`),
		"attachment-edited csi-0c7e (status.attached was set to false)"},
	{"by the administrator", ev("patch", vaState, "requestObject", `{"status":{"attached":false}}`, "user", `{"username":"system:admin"}`),
		"attachment-edited csi-0c7e (status.attached was set to false)"},
	{"by a controller", ev("patch", vaState, "requestObject", `{"status":{"attached":false}}`, "user", `{"username":"system:serviceaccount:ebs:attacher"}`), ""},
	{"attached says only the answer",
		ev("patch", vaState, "requestObject", `{"status":{"attachmentMetadata":{}}}`, "responseObject",
			`{"metadata":{"name":"csi-0c7e"},"status":{"attached":true}}`), ""},
	{"detach error", ev("patch", vaState, "requestObject", `{"status":{"detachError":{"message":"no","time":"2026-03-14T09:33:01Z"}}}`),
		"attachment-detach-error csi-0c7e (no)"},
	{"detach error cleared", ev("patch", vaState, "requestObject", `{"status":{"detachError":null}}`), ""},
	{"attach error", ev("patch", vaState, "requestObject", `{"status":{"attachError":{"message":"no"}}}`),
		"attachment-attach-error csi-0c7e (no)"},
	{"patch at level Metadata", ev("patch", vaState), ""},

	{"last finalizer removed", ev("patch", vaRef, "requestObject", `{"metadata":{"finalizers":null}}`, "responseObject", vaBare),
		"attachment-gone csi-0c7e on worker-1 (last finalizer removed)"},
	{"one of two finalizers removed",
		ev("patch", vaRef, "requestObject", `{"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}}`, "responseObject", vaGoing), ""},
	{"finalizer removed of what is not deleted",
		ev("patch", vaRef, "requestObject", `{"metadata":{"finalizers":null}}`, "responseObject", `{"metadata":{"name":"csi-0c7e"}}`),
		"attachment-edited csi-0c7e (its finalizers were removed)"},
	{"finalizer removed, no answer, deletion in the file",
		ev("delete", vaRef) + ev("patch", vaRef, "requestObject", `{"metadata":{"finalizers":[]}}`),
		"attachment-deletion-requested csi-0c7e; attachment-gone csi-0c7e (last finalizer removed) derived"},
	{"the same as JSON patch", ev("delete", vaRef) + ev("patch", vaRef, "requestObject", `[{"op":"remove","path":"/metadata/finalizers"}]`),
		"attachment-deletion-requested csi-0c7e; attachment-gone csi-0c7e (last finalizer removed) derived"},
	{"finalizer removed, no answer, no deletion", ev("patch", vaRef, "requestObject", `[{"op":"remove","path":"/metadata/finalizers"}]`),
		"attachment-edited csi-0c7e (its finalizers were removed)"},
	{"by a controller", ev("patch", vaRef, "requestObject", `{"metadata":{"finalizers":null}}`, "user", `{"username":"system:serviceaccount:ebs:attacher"}`), ""},
	{"deletion in the file, another patch", ev("delete", vaRef) + ev("patch", vaRef, "requestObject", `{"metadata":{"labels":null}}`),
		"attachment-deletion-requested csi-0c7e"},

	{"pod created", ev("create", podRef, "requestObject",
		`{"kind":"Pod","metadata":{"name":"db-0"},"spec":{"volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data-db-0"}}]}}`),
		"pod-created shop/db-0"},
	{"pod of a generated name, no answer",
		ev("create", `{"resource":"pods","namespace":"shop"}`, "requestObject", `{"metadata":{"generateName":"db-"}}`), ""},
	{"pod of a generated name, answered",
		ev("create", `{"resource":"pods","namespace":"shop"}`, "responseObject", `{"kind":"Pod","metadata":{"name":"db-x"}}`),
		"pod-created shop/db-x"},
	{"exec into a pod", ev("create", sub(podRef, "exec")), ""},
	{"pod metrics", ev("create", `{"resource":"pods","namespace":"shop","name":"db-0","apiGroup":"metrics.k8s.io"}`), ""},
	{"pod bound", ev("create", sub(podRef, "binding"), "responseStatus", `{"code":201}`, "requestObject",
		`{"kind":"Binding","target":{"kind":"Node","name":"worker-2"}}`), "pod-scheduled shop/db-0 on worker-2"},
	{"pod bound, the kind of its target left out", ev("create", sub(podRef, "binding"), "requestObject", `{"target":{"name":"worker-2"}}`),
		"pod-scheduled shop/db-0 on worker-2"},
	{"pod bound to what is no node", ev("create", sub(podRef, "binding"), "requestObject", `{"target":{"kind":"Pod","name":"worker-2"}}`), ""},
	{"binding of a pod patched", ev("patch", sub(podRef, "binding"), "requestObject", `{"target":{"kind":"Node","name":"worker-2"}}`), ""},
	{"eviction patched", ev("patch", sub(podRef, "eviction"), "requestObject", `{"kind":"Eviction"}`), ""},
	{"status of a VolumeAttachment deleted", ev("delete", vaState), ""},
	{"status of a VolumeAttachment created", ev("create", vaState), ""},
	{"node's status deleted", ev("delete", sub(nodeRef, "log")), ""},
	{"scaled by an update", ev("update", sub(depRef, "scale"), "requestObject", `{"kind":"Scale","spec":{"replicas":0}}`),
		"workload-scaled shop/db (scaled to 0 replicas)"},
	{"scale created", ev("create", sub(depRef, "scale"), "requestObject", `{"kind":"Scale","spec":{"replicas":0}}`), ""},
	{"body of another shape", ev("patch", vaState, "requestObject", `{"status":{"attached":true},"metadata":5}`), ""},
	{"a long error", ev("patch", vaState, "requestObject", `{"status":{"attachError":{"message":"`+strings.Repeat("m", maxMessage+1)+`"}}}`),
		"attachment-attach-error csi-0c7e (" + strings.Repeat("m", maxMessage) + ")"},
	{"a long identity, which is not remembered", strings.Repeat(ev("create", vaRef, "auditID", `"`+strings.Repeat("7", 65)+`"`), 2),
		"attachment-created csi-0c7e; attachment-created csi-0c7e"},
	{"the same long identity", strings.Repeat(ev("create", vaRef, "auditID", `"`+strings.Repeat("7", 64)+`"`), 2), "attachment-created csi-0c7e"},
	{"strategy of a deployment changed", ev("patch", depRef, "requestObject", `{"spec":{"strategy":{"type":"Recreate"}}}`),
		"workload-strategy-changed shop/db (strategy changed to Recreate)"},
	{"strategy that is none", ev("patch", depRef, "requestObject", `{"spec":{"strategy":{"type":"Other"}}}`), ""},
	{"pod bound, Metadata only", ev("create", sub(podRef, "binding")), ""},
	{"pod deleted", ev("delete", podRef), "pod-deletion-requested shop/db-0"},
	{"pod deleted, grace in the answer",
		ev("delete", podRef, "responseObject", `{"kind":"Pod","metadata":{"name":"db-0","deletionGracePeriodSeconds":30}}`),
		"pod-deletion-requested shop/db-0 (grace 30s)"},
	{"pod deleted by force", ev("delete", podRef, "requestObject", `{"kind":"DeleteOptions","gracePeriodSeconds":0}`),
		"pod-deletion-requested shop/db-0 (grace 0s)"},
	{"by force in the query", ev("delete", podRef, "requestURI", `"/api/v1/namespaces/shop/pods/db-0?gracePeriodSeconds=0&x=%zz"`),
		"pod-deletion-requested shop/db-0 (grace 0s)"},
	{"by force, gone", ev("delete", podRef, "requestObject", `{"gracePeriodSeconds":0}`, "responseObject",
		`{"kind":"Pod","metadata":{"name":"db-0"}}`), "pod-deletion-requested shop/db-0 (grace 0s); pod-gone shop/db-0"},
	{"by force, held by a finalizer",
		ev("delete", podRef, "requestObject", `{"gracePeriodSeconds":0}`, "responseObject",
			`{"kind":"Pod","metadata":{"name":"db-0","finalizers":["x"]}}`), "pod-deletion-requested shop/db-0 (grace 0s)"},
	{"by pod GC", ev("delete", podRef, "user", `{"username":"system:serviceaccount:kube-system:pod-garbage-collector"}`, "requestObject",
		`{"gracePeriodSeconds":0}`), "pod-force-deleted shop/db-0 (grace 0s)"},
	{"by pod GC under the common user",
		ev("delete", podRef, "user", `{"username":"system:kube-controller-manager"}`, "userAgent",
			`"kube-controller-manager/v1.34.3 (linux/amd64) kubernetes/0/pod-garbage-collector"`, "requestObject", `{"gracePeriodSeconds":0}`),
		"pod-force-deleted shop/db-0 (grace 0s)"},
	{"by a person whose client calls itself so",
		ev("delete", podRef, "userAgent", `"x/pod-garbage-collector"`, "requestObject", `{"gracePeriodSeconds":0}`),
		"pod-deletion-requested shop/db-0 (grace 0s)"},
	{"the kubelet's end of a termination", ev("delete", podRef, "user", kubelet, "requestObject", `{"gracePeriodSeconds":0}`),
		"pod-containers-stopped shop/db-0 derived"},
	{"the kubelet's end, gone", ev("delete", podRef, "user", kubelet, "requestObject", `{"gracePeriodSeconds":0}`, "responseObject",
		`{"kind":"Pod","metadata":{"name":"db-0"}}`), "pod-containers-stopped shop/db-0 derived; pod-gone shop/db-0"},
	{"the kubelet's end, held by a finalizer",
		ev("delete", podRef, "user", kubelet, "requestObject", `{"gracePeriodSeconds":0}`, "responseObject",
			`{"kind":"Pod","metadata":{"name":"db-0","finalizers":["x"]}}`), "pod-containers-stopped shop/db-0 derived"},
	{"the kubelet evicts", ev("delete", podRef, "user", kubelet), "pod-deletion-requested shop/db-0"},
	{"eviction", ev("create", sub(podRef, "eviction"), "responseStatus", `{"code":201}`, "requestObject",
		`{"kind":"Eviction","deleteOptions":{"gracePeriodSeconds":5}}`), "pod-deletion-requested shop/db-0 (eviction, grace 5s)"},
	{"eviction refused by a budget", ev("create", sub(podRef, "eviction"), "responseStatus", `{"code":429}`), ""},
	{"eviction as dry run", ev("create", sub(podRef, "eviction"), "requestObject", `{"deleteOptions":{"dryRun":["All"]}}`), ""},
	{"pods deleted together", ev("deletecollection", `{"resource":"pods","namespace":"shop"}`, "responseObject",
		`{"kind":"PodList","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}`),
		"pod-deletion-requested shop/a; pod-deletion-requested shop/b"},
	{"pods deleted together, Metadata only", ev("deletecollection", `{"resource":"pods","namespace":"shop"}`), ""},
	{"pod ready", ev("patch", sub(podRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-03-14T09:33:01Z"}]}}`), "pod-ready shop/db-0"},
	{"pod not ready", ev("patch", sub(podRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"False","reason":"R","lastTransitionTime":"2026-03-14T09:33:00Z"}]}}`),
		"pod-not-ready shop/db-0 (R)"},
	{"pod ready for long", ev("patch", sub(podRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-03-14T08:33:01Z"}]}}`), ""},
	{"pod initialised", ev("patch", sub(podRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Initialized","status":"True","lastTransitionTime":"2026-03-14T09:33:01Z"}]}}`), ""},
	{"pod failed", ev("patch", sub(podRef, "status"), "requestObject", `{"status":{"phase":"Failed","reason":"Terminated"}}`),
		"pod-finished shop/db-0 (Failed/Terminated)"},
	{"pod runs", ev("patch", sub(podRef, "status"), "requestObject", `{"status":{"phase":"Running"}}`), ""},

	{"node deleted", ev("delete", nodeRef), "node-deleted worker-1"},
	{"node not deleted: forbidden", ev("delete", nodeRef, "responseStatus", `{"code":403}`), ""},
	{"OpenShift's node configuration deleted", ev("delete", `{"resource":"nodes","name":"cluster","apiGroup":"config.openshift.io"}`), ""},
	{"taint with its time", ev("patch", nodeRef, "requestObject",
		`{"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-03-14T09:33:01Z"}]}}`),
		"node-tainted worker-1 (node.kubernetes.io/unreachable=:NoExecute)"},
	{"taint of an hour ago, written again",
		ev("patch", nodeRef, "requestObject",
			`{"spec":{"taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-03-14T08:33:01Z"}]}}`), ""},
	{"taint without time, list before unknown",
		ev("patch", nodeRef, "requestObject", `{"spec":{"taints":[{"key":"a","value":"b","effect":"NoExecute"}]}}`), ""},
	{"taint without time, list before known",
		ev("patch", nodeRef, "requestObject", `{"spec":{"taints":null}}`) + ev("patch", nodeRef, "requestObject",
			`{"spec":{"taints":[{"key":"a","value":"b","effect":"NoExecute"}]}}`), "node-tainted worker-1 (a=b:NoExecute)"},
	{"taint that was there", ev("create", nodeRef, "requestObject", `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`) + ev("patch",
		nodeRef, "requestObject", `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`), ""},
	{"list before known of another node",
		ev("create", strings.Replace(nodeRef, "worker-1", "worker-2", 1), "requestObject", `{}`) + ev("patch", nodeRef, "requestObject",
			`{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`), ""},
	{"taint by a failed request", ev("create", nodeRef, "requestObject", `{}`) + ev("patch", nodeRef, "responseStatus", `{"code":409}`,
		"requestObject", `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`), ""},
	{"taint added by JSON patch", ev("patch", nodeRef, "requestObject",
		`[{"op":"add","path":"/spec/taints/-","value":{"key":"a","effect":"NoSchedule"}}]`), "node-tainted worker-1 (a=:NoSchedule)"},
	{"taint tested by JSON patch",
		ev("patch", nodeRef, "requestObject", `[{"op":"test","path":"/spec/taints/0","value":{"key":"a","effect":"NoSchedule"}}]`), ""},
	{"node labelled", ev("create", nodeRef, "requestObject", `{}`) + ev("patch", nodeRef, "requestObject",
		`{"metadata":{"labels":{"a":"b"}}}`), ""},
	{"node not ready", ev("update", sub(nodeRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"Unknown","lastTransitionTime":"2026-03-14T09:33:01Z"}]}}`),
		"node-not-ready worker-1 (Unknown)"},
	{"node ready again", ev("patch", sub(nodeRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-03-14T09:33:01Z"}]}}`), "node-ready worker-1"},
	{"node still not ready", ev("update", sub(nodeRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"Unknown","lastTransitionTime":"2026-03-14T09:30:01Z"}]}}`), ""},
	{"node under pressure", ev("update", sub(nodeRef, "status"), "requestObject",
		`{"status":{"conditions":[{"type":"Ready","status":"True"},{"type":"DiskPressure","status":"True",`+
			`"lastTransitionTime":"2026-03-14T09:33:01Z"}]}}`), ""},

	{"scaled", ev("patch", `{"resource":"deployments","namespace":"shop","name":"db","apiGroup":"apps","subresource":"scale"}`,
		"requestObject", `{"spec":{"replicas":0}}`), "workload-scaled shop/db (scaled to 0 replicas)"},
	{"scale is read", ev("get", `{"resource":"deployments","namespace":"shop","name":"db","apiGroup":"apps","subresource":"scale"}`), ""},
	{"scale, Metadata only", ev("patch", `{"resource":"deployments","namespace":"shop","name":"db","apiGroup":"apps","subresource":"scale"}`),
		""},
	{"deployment restarted", ev("patch", depRef, "requestObject",
		`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-03-14T09:33:01Z"}}}}}`),
		"workload-changed shop/db (restart)"},
	{"image of a deployment set", ev("patch", depRef, "requestObject",
		`{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"x:2"}]}}}}`), "workload-changed shop/db (pod template changed)"},
	{"rollout paused", ev("patch", depRef, "requestObject", `{"spec":{"paused":true}}`), "workload-changed shop/db (rollout paused)"},
	{"rollout resumed", ev("patch", depRef, "requestObject", `{"spec":{"paused":false}}`), "workload-changed shop/db (rollout resumed)"},
	{"deployment scaled by a patch", ev("patch", depRef, "requestObject", `{"spec":{"replicas":0}}`),
		"workload-scaled shop/db (scaled to 0 replicas)"},
	{"deployment applied as a whole",
		ev("patch", depRef, "requestObject", `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":0,"template":{}}}`), ""},
	{"deployment updated as a whole", ev("update", depRef, "requestObject", `{"spec":{"replicas":0,"template":{}}}`), ""},
	{"status of a deployment", ev("patch", sub(depRef, "status"), "requestObject", `{"spec":{"replicas":0,"template":{}}}`), ""},

	{"node cordoned", ev("patch", nodeRef, "requestObject", `{"spec":{"unschedulable":true}}`), "node-cordoned worker-1"},
	{"node uncordoned", ev("patch", nodeRef, "requestObject", `{"spec":{"unschedulable":null}}`), "node-uncordoned worker-1"},
	{"node cordoned by JSON patch", ev("patch", nodeRef, "requestObject", `[{"op":"add","path":"/spec/unschedulable","value":true}]`),
		"node-cordoned worker-1"},
	{"node uncordoned by JSON patch", ev("patch", nodeRef, "requestObject", `[{"op":"remove","path":"/spec/unschedulable"}]`),
		"node-uncordoned worker-1"},
	{"node updated as a whole", ev("update", nodeRef, "requestObject", `{"spec":{"unschedulable":true}}`), ""},
	{"taint taken away", ev("create", nodeRef, "requestObject", `{"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}}`) + ev("patch",
		nodeRef, "requestObject", `{"spec":{"taints":null}}`), "node-untainted worker-1 (a=:NoSchedule)"},
	{"taint taken away, list before unknown", ev("patch", nodeRef, "requestObject", `{"spec":{"taints":null}}`), ""},

	{"a name that is none", ev("delete", `{"resource":"pods","namespace":"shop","name":"a b\nc"}`), ""},
	{"the same request twice", strings.Repeat(ev("create", vaRef, "auditID", `"97b3"`), 2), "attachment-created csi-0c7e"},
	{"two requests", ev("create", vaRef, "auditID", `"97b3"`) + ev("create", vaRef, "auditID", `"97b4"`),
		"attachment-created csi-0c7e; attachment-created csi-0c7e"},
}

func TestRequests(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := Read(strings.NewReader(c.log), "audit.log")
			if got := say(res.Observations); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if len(res.Problems) > 0 {
				t.Errorf("problems %v", res.Problems)
			}
			if in, n := res.Input, strings.Count(c.log, "\n"); in.Records != n || in.Used+in.Skipped != n || (in.Used == 0) != (c.want == "") {
				t.Errorf("input %+v", in)
			}
		})
	}
}

// Who acted, when, on what, and where it stands.
func TestStatement(t *testing.T) {
	log := "\n" + ev("create", vaRef, "user", `{"username":"system:serviceaccount:kube-system:attachdetach-controller"}`,
		"requestObject", `{"metadata":{"name":"csi-0c7e"},`+vaSpec+`}`, "responseObject", `{"metadata":{"name":"csi-0c7e","uid":"7f7f"}}`)
	res := Read(strings.NewReader(log), "a/audit.log")
	if len(res.Observations) != 1 {
		t.Fatal(say(res.Observations))
	}
	o := res.Observations[0]
	if o.Actor != "system:serviceaccount:kube-system:attachdetach-controller" || o.Agent != "kubectl/v1.34.3" {
		t.Errorf("actor %q, agent %q", o.Actor, o.Agent)
	}
	if o.At.Earliest.Format("05.000000") != "01.100000" || o.At.Latest.Format("05.000000") != "01.104000" || o.At.Basis != model.Observed ||
		o.Last.At != o.At.At {
		t.Errorf("at %+v, last %+v", o.At, o.Last)
	}
	if o.Attachment != "csi-0c7e" || o.Object.UID != "7f7f" || o.Attacher != "ebs.csi.aws.com" || o.Node != "worker-1" ||
		o.Volume != (model.VolumeID{PersistentVolume: "pvc-1", Driver: "ebs.csi.aws.com"}) {
		t.Errorf("%+v", o)
	}
	if o.Source != (model.Source{Kind: model.SourceAudit, Path: "a/audit.log", Line: 2}) || o.Input != "a/audit.log" ||
		!strings.HasPrefix(mask.Text(strings.TrimSpace(log)), o.Quote.Text) || o.Quote.Text == "" {
		t.Errorf("source %+v, quote %q", o.Source, o.Quote.Text)
	}
	in := res.Input
	if in.Kind != model.InputAudit || in.Bytes != int64(len(log)) || in.From == nil || !in.From.Equal(o.At.Latest) ||
		!in.To.Equal(o.At.Latest) {
		t.Errorf("input %+v", in)
	}
}

func TestImpersonation(t *testing.T) {
	line := ev("delete", podRef, "user", `{"username":"system:serviceaccount:cattle-system:rancher"},"impersonatedUser":{"username":"u-abc"}`)
	res := Read(strings.NewReader(line), "x")
	if len(res.Observations) != 1 || res.Observations[0].Actor != "u-abc (through system:serviceaccount:cattle-system:rancher)" {
		t.Errorf("%+v", res.Observations)
	}
}

// A pod keeps its owner, its only claim, its UID.
func TestPodCreated(t *testing.T) {
	const owner = `"ownerReferences":[{"kind":"X","name":"x"},{"kind":"StatefulSet","name":"db","uid":"o1","controller":true}]`
	one := ev("create", podRef, "requestObject",
		`{"metadata":{"name":"db-0",`+owner+`},"spec":{"volumes":[{},{"persistentVolumeClaim":{"claimName":"data"}}]}}`, "responseObject",
		`{"kind":"Pod","metadata":{"uid":"u1"}}`)
	two := ev("create", podRef, "requestObject",
		`{"spec":{"volumes":[{"persistentVolumeClaim":{"claimName":"a"}},{"persistentVolumeClaim":{"claimName":"b"}}]}}`)
	res := Read(strings.NewReader(one+two), "x")
	if len(res.Observations) != 2 {
		t.Fatal(say(res.Observations))
	}
	o := res.Observations[0]
	if o.Pod != model.PodRef("shop", "db-0", "u1") || o.Owner != (model.Ref{Kind: "StatefulSet", Namespace: "shop", Name: "db", UID: "o1"}) ||
		o.Claim != (model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data"}) {
		t.Errorf("%+v", o)
	}
	if o := res.Observations[1]; o.Claim != (model.Ref{}) || o.Owner != (model.Ref{}) {
		t.Errorf("%+v", o)
	}
}
