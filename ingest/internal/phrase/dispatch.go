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
	&resizerRows, &driverAnswerRows, &driverPlainRows,
}

// unmistakable are the tables of wordings that no other program has.
var unmistakable = []*table{&reconcilerRows, &operationRows, &pendingRows, &csiRows, &recorderRows, &resizerRows, &driverAnswerRows,
	&driverPlainRows}

// controllers are the tables for controller.go, which several programs have.
var controllers = []*table{&attacherRows, &leaseRows, &resizerRows, &driverRows}

// MayMatch reports whether some line of a source file can match a row, so that Match need not be asked about others.
func MayMatch(file []byte) bool { return len(file) == 0 || tables[string(file)] != nil }

// tables are by the source file that the header names.
var tables = map[string]*table{
	"reconciler.go":               &reconcilerRows,
	"actual_state_of_world.go":    &actualStateRows,
	"attach_detach_controller.go": &attachDetachRows,
	"operation_generator.go":      &operationRows, "operation_executor.go": &operationRows, "volume_manager.go": &operationRows,
	"nestedpendingoperations.go": &pendingRows, "goroutinemap.go": &pendingRows,
	"csi_attacher.go":              &csiRows,
	"attacher.go":                  &inTreeRows,
	"node_lifecycle_controller.go": &nodeLifecycleRows,
	"controller_utils.go":          &controllerUtilsRows,
	"taint_eviction.go":            &taintRows, "taint_manager.go": &taintRows,
	"gc_controller.go":     &podGCRows,
	"leaderelection.go":    &leaderRows,
	"controllermanager.go": &managerRows,
	"main.go":              &programRows, "server.go": &programRows,
	"flags.go":       &flagRows,
	"event.go":       &recorderRows,
	"csi_handler.go": &attacherRows, "util.go": &attacherRows, "controller.go": &attacherRows,
	"replica_set.go":  &replicaSetRows,
	"schedule_one.go": &schedulerRows, "scheduler.go": &schedulerRows, "factory.go": &schedulerRows, "default_binder.go": &schedulerRows,
	"kubelet.go": &kubeletRows, "pod_workers.go": &kubeletRows, "kubelet_pods.go": &kubeletRows, "kubelet_volumes.go": &kubeletRows,
	"kuberuntime_container.go":       &containerRows,
	"reconciler_common.go":           &kubeletReconcilerRows,
	"reconstruct.go":                 &reconstructRows,
	"pod_startup_latency_tracker.go": &startupRows,
	"kubelet_node_status.go":         &nodeStatusRows,
	"setters.go":                     &setterRows,
	"node_status_updater.go":         &statusUpdaterRows,
	"kubernetes_pod_controller.go":   &longhornRows,
	"node_authorizer.go":             &authorizerRows,
	"resize_status.go":               &resizerRows, "expand_and_recover.go": &resizerRows,
	"controllerserver.go": &driverRows, "utils.go": &driverRows, "driver.go": &driverRows, "log.go": &driverRows, "logging.go": &driverRows,
}
