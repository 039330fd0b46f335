package phrase

const (
	controllerManager = "kube-controller-manager"
	externalAttacher  = "external-attacher"
	scheduler         = "kube-scheduler"
	kubelet           = "kubelet"
	longhornManager   = "longhorn-manager"
	csiDriver         = "csi-driver"
	apiServer         = "kube-apiserver"
	externalResizer   = "external-resizer"
)

// anonymous are the tables tried for JSON logs before Kubernetes 1.22, which do not name the source file.
var anonymous = []*table{
	&reconcilerRows, &operationRows, &pendingRows, &csiRows, &recorderRows, &nodeLifecycleRows, &taintRows, &podGCRows,
	&controllerUtilsRows, &actualStateRows, &attachDetachRows, &leaderRows, &managerRows, &flagRows, &replicaSetRows, &schedulerRows,
	&resizerRows,
}

// Tells reports whether some line of a source file can match a row, so that Match need not be asked about others.
func Tells(file []byte) bool { return len(file) == 0 || tableOf(file) != nil }

// tableOf finds the table by the source file that the header names.
func tableOf(file []byte) *table {
	switch string(file) {
	case "reconciler.go":
		return &reconcilerRows
	case "actual_state_of_world.go":
		return &actualStateRows
	case "attach_detach_controller.go":
		return &attachDetachRows
	case "operation_generator.go", "operation_executor.go":
		return &operationRows
	case "nestedpendingoperations.go", "goroutinemap.go":
		return &pendingRows
	case "csi_attacher.go":
		return &csiRows
	case "node_lifecycle_controller.go":
		return &nodeLifecycleRows
	case "controller_utils.go":
		return &controllerUtilsRows
	case "taint_eviction.go", "taint_manager.go":
		return &taintRows
	case "gc_controller.go":
		return &podGCRows
	case "leaderelection.go":
		return &leaderRows
	case "controllermanager.go":
		return &managerRows
	case "main.go", "server.go":
		return &programRows
	case "flags.go":
		return &flagRows
	case "event.go":
		return &recorderRows
	case "csi_handler.go", "util.go", "controller.go":
		return &attacherRows
	case "replica_set.go":
		return &replicaSetRows
	case "schedule_one.go", "scheduler.go", "factory.go", "default_binder.go":
		return &schedulerRows
	case "kubelet.go", "pod_workers.go", "kubelet_pods.go", "kubelet_volumes.go":
		return &kubeletRows
	case "kuberuntime_container.go":
		return &containerRows
	case "reconciler_common.go":
		return &kubeletReconcilerRows
	case "reconstruct.go":
		return &reconstructRows
	case "pod_startup_latency_tracker.go":
		return &startupRows
	case "kubelet_node_status.go":
		return &nodeStatusRows
	case "setters.go":
		return &setterRows
	case "node_status_updater.go":
		return &statusUpdaterRows
	case "kubernetes_pod_controller.go":
		return &longhornRows
	case "node_authorizer.go":
		return &authorizerRows
	case "resize_status.go", "expand_and_recover.go":
		return &resizerRows
	case "controllerserver.go", "utils.go", "driver.go", "log.go", "logging.go":
		return &driverRows
	}
	return nil
}
