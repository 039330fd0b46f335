package logfile

import (
	"bytes"
	"slices"
)

// The components that a log can belong to. Of kube-apiserver's log little is used; it is accounted for by name.
const (
	controllerManager = iota
	externalAttacher
	scheduler
	kubelet
	apiServer
	components
)

var componentNames = [components]string{"kube-controller-manager", "external-attacher", "kube-scheduler", "kubelet", "kube-apiserver"}

// votes counts the records whose source file, or text, only one component writes. The content decides, because paths and
// container names vary by distribution and a collector may have merged files.
type votes struct{ n [components]int }

func (v *votes) see(file, text []byte) {
	if c := owner(file, text); c >= 0 {
		v.n[c]++
	}
}

// add takes the component that a wording names; an event's reporter is none. A few lines of the API server do not make a mixed log its own.
func (v *votes) add(name string) {
	for c, n := range componentNames {
		if n == name && c != apiServer {
			v.n[c]++
		}
	}
}

// component is the one with most votes, "" without any.
func (v *votes) component() string {
	most := slices.Max(v.n[:])
	if most == 0 {
		return ""
	}
	return componentNames[slices.Index(v.n[:], most)]
}

// ComponentOf is the component that runs in a container of that name, "" when the name is no component's in particular.
func ComponentOf(container string) string {
	switch container {
	case "kube-controller-manager", "kube-scheduler", "kubelet", "kube-apiserver", "external-attacher":
		return container
	case "csi-attacher":
		return componentNames[externalAttacher]
	case "controller-manager": // Google Kubernetes Engine
		return componentNames[controllerManager]
	case "scheduler":
		return componentNames[scheduler]
	case "apiserver":
		return componentNames[apiServer]
	}
	return ""
}

// owner is the component that a record proves, -1 for files that several programs share.
func owner(file, text []byte) int {
	if c, byText := ownerOf(file); !byText {
		return c
	}
	return ownerByText(file, text)
}

// ownerOf is the component whose source file that is, -1 for no component's in particular, unless the text says.
func ownerOf(file []byte) (c int, byText bool) {
	switch string(file) {
	case "attach_detach_controller.go", "node_lifecycle_controller.go", "taint_manager.go", "taint_eviction.go", "gc_controller.go",
		"pv_controller.go", "pv_controller_base.go", "replica_set.go", "deployment_controller.go", "stateful_set_control.go",
		"stateful_set.go", "daemon_controller.go", "resource_quota_monitor.go", "controllermanager.go", "node_status_updater.go",
		"graph_builder.go", "ttl_controller.go", "endpointslice_controller.go", "job_controller.go":
		return controllerManager, false
	case "csi_handler.go", "trivial_handler.go":
		return externalAttacher, false
	case "schedule_one.go", "scheduling_queue.go", "generic_scheduler.go", "default_preemption.go", "node_tree.go":
		return scheduler, false
	case "kubelet.go", "kubelet_node_status.go", "kubelet_pods.go", "pod_workers.go", "reconciler_common.go", "reconstruct.go",
		"pod_startup_latency_tracker.go", "kuberuntime_manager.go", "volume_manager.go", "setters.go":
		return kubelet, false
	case "cacher.go", "genericapiserver.go", "apf_controller.go", "default_servicecidr_controller.go", "storage_scheduling.go":
		return apiServer, false
	case "reconciler.go", "operation_generator.go", "controller.go", "flags.go", "":
		return -1, true
	}
	return -1, false
}

// ownersByText are words of files with many owners that only one of them writes, the first that a text holds. The reconciler exists in the
// controller manager and in the kubelet; its messages differ.
var ownersByText = [...]struct {
	file   string
	begins bool // the text begins with the words
	words  string
	owner  int
}{
	{"reconciler.go", false, "attacherDetacher.", controllerManager},
	{"reconciler.go", false, "Multi-Attach", controllerManager},
	{"reconciler.go", false, "Waiting for detach", controllerManager},
	{"reconciler.go", false, "operationExecutor.", kubelet},
	{"reconciler.go", false, "Volume detached for volume", kubelet},
	{"operation_generator.go", true, "AttachVolume.", controllerManager},
	{"operation_generator.go", true, "DetachVolume.", controllerManager},
	{"operation_generator.go", true, "Verified volume is safe", controllerManager},
	{"operation_generator.go", false, "MountVolume", kubelet},
	{"operation_generator.go", false, "Controller attach succeeded", kubelet},
	{"controller.go", false, "Starting CSI attacher", externalAttacher},
	{"flags.go", true, "FLAG: --node-monitor-grace-period=", controllerManager},
	{"flags.go", true, "FLAG: --etcd-servers=", apiServer},
	{"", true, "Multi-Attach error", controllerManager},
	{"", true, "attacherDetacher.", controllerManager},
}

func ownerByText(file, text []byte) int {
	for i := range ownersByText {
		o := &ownersByText[i]
		begins := string(text[:min(len(text), len(o.words))]) == o.words
		if o.file == string(file) && (begins || !o.begins && bytes.Contains(text, []byte(o.words))) {
			return o.owner
		}
	}
	return -1
}
