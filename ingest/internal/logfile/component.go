package logfile

import "bytes"

// The components that a log can belong to. kube-apiserver is told apart so that its log is accounted for by name,
// although little in it is used.
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

// see takes one record.
func (v *votes) see(file, text []byte) {
	if c := owner(file, text); c >= 0 {
		v.n[c]++
	}
}

// add takes the component that a wording names; a reporter of events is none. A few lines of the API server in a log of
// several components do not make it the API server's.
func (v *votes) add(name string) {
	for c, n := range componentNames {
		if n == name && c != apiServer {
			v.n[c]++
		}
	}
}

// component is the one with most votes; without any, what the container's name says.
func (v *votes) component(container string) string {
	best := -1
	for c, n := range v.n {
		if n > 0 && (best < 0 || n > v.n[best]) {
			best = c
		}
	}
	if best >= 0 {
		return componentNames[best]
	}
	return componentOf(container)
}

// ComponentOf is the component that runs in a container of that name, "" when the name is nobody's in particular.
func ComponentOf(container string) string { return componentOf(container) }

// componentOf is the component that runs in a container of that name, "" when the name is nobody's in particular.
func componentOf(container string) string {
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

// ownerOf is the component whose source file that is, -1 for nobody's in particular, unless the text tells.
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
	case "kubelet.go", "kubelet_node_status.go", "kubelet_pods.go", "pod_workers.go", "reconciler_common.go", "reconstruct.go", "pod_startup_latency_tracker.go", "kuberuntime_manager.go", "volume_manager.go", "setters.go":
		return kubelet, false
	case "cacher.go", "genericapiserver.go", "apf_controller.go", "default_servicecidr_controller.go", "storage_scheduling.go":
		return apiServer, false
	case "reconciler.go", "operation_generator.go", "controller.go", "flags.go", "":
		return -1, true
	}
	return -1, false
}

// ownerByText is the component that a record of a file with many owners proves, -1 for none. The reconciler exists in the
// controller manager and in the kubelet; its messages differ.
func ownerByText(file, text []byte) int {
	switch string(file) {
	case "reconciler.go":
		if bytes.Contains(text, []byte("attacherDetacher.")) || bytes.Contains(text, []byte("Multi-Attach")) || bytes.Contains(text, []byte("Waiting for detach")) {
			return controllerManager
		}
		if bytes.Contains(text, []byte("operationExecutor.")) || bytes.Contains(text, []byte("Volume detached for volume")) {
			return kubelet
		}
	case "operation_generator.go":
		switch {
		case bytes.HasPrefix(text, []byte("AttachVolume.")), bytes.HasPrefix(text, []byte("DetachVolume.")), bytes.HasPrefix(text, []byte("Verified volume is safe")):
			return controllerManager
		case bytes.Contains(text, []byte("MountVolume")), bytes.Contains(text, []byte("Controller attach succeeded")):
			return kubelet
		}
	case "controller.go":
		if bytes.Contains(text, []byte("Starting CSI attacher")) {
			return externalAttacher
		}
	case "flags.go":
		switch {
		case bytes.HasPrefix(text, []byte("FLAG: --node-monitor-grace-period=")):
			return controllerManager
		case bytes.HasPrefix(text, []byte("FLAG: --etcd-servers=")):
			return apiServer
		}
	case "":
		if bytes.HasPrefix(text, []byte("Multi-Attach error")) || bytes.HasPrefix(text, []byte("attacherDetacher.")) {
			return controllerManager
		}
	}
	return -1
}
