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

// The tables of one source file each.
var (
	reconcilerTable      = table{controllerManager, reconcilerRows}
	actualStateTable     = table{controllerManager, actualStateRows}
	attachDetachTable    = table{controllerManager, attachDetachRows}
	operationTable       = table{"", operationRows}
	pendingTable         = table{"", pendingRows}
	csiTable             = table{controllerManager, csiRows}
	nodeLifecycleTable   = table{controllerManager, nodeLifecycleRows}
	controllerUtilsTable = table{controllerManager, controllerUtilsRows}
	taintTable           = table{controllerManager, taintRows}
	podGCTable           = table{controllerManager, podGCRows}
	leaderTable          = table{"", leaderRows}
	managerTable         = table{controllerManager, managerRows}
	programTable         = table{"", programRows}
	flagTable            = table{"", flagRows}
	recorderTable        = table{"", recorderRows}
	handlerTable         = table{externalAttacher, attacherRows}
	replicaSetTable      = table{controllerManager, replicaSetRows}
	schedulerTable       = table{scheduler, schedulerRows}
	kubeletTable         = table{kubelet, kubeletRows}
	statusUpdaterTable   = table{controllerManager, statusUpdaterRows}
	containerTable       = table{kubelet, containerRows}
	kubeletReconciler    = table{kubelet, kubeletReconcilerRows}
	reconstructTable     = table{kubelet, reconstructRows}
	startupTable         = table{kubelet, startupRows}
	nodeStatusTable      = table{kubelet, nodeStatusRows}
	leaseTable           = table{kubelet, leaseRows}
	setterTable          = table{kubelet, setterRows}
	longhornTable        = table{longhornManager, longhornRows}
	driverTable          = table{csiDriver, driverRows}
	authorizerTable      = table{apiServer, authorizerRows}
	resizerTable         = table{externalResizer, resizerRows}
)

// anonymous are the tables tried for JSON logs before Kubernetes 1.22, which do not name the source file.
var anonymous = []*table{
	&reconcilerTable, &operationTable, &pendingTable, &csiTable, &recorderTable, &nodeLifecycleTable, &taintTable, &podGCTable,
	&controllerUtilsTable, &actualStateTable, &attachDetachTable, &leaderTable, &managerTable, &flagTable, &replicaSetTable, &schedulerTable,
	&resizerTable,
}

// Tells reports whether some line of a source file can match a row, so that Match need not be asked about others.
func Tells(file []byte) bool { return len(file) == 0 || tableOf(file) != nil }

// tableOf finds the table by the source file that the header names.
func tableOf(file []byte) *table {
	switch string(file) {
	case "reconciler.go":
		return &reconcilerTable
	case "actual_state_of_world.go":
		return &actualStateTable
	case "attach_detach_controller.go":
		return &attachDetachTable
	case "operation_generator.go", "operation_executor.go":
		return &operationTable
	case "nestedpendingoperations.go", "goroutinemap.go":
		return &pendingTable
	case "csi_attacher.go":
		return &csiTable
	case "node_lifecycle_controller.go":
		return &nodeLifecycleTable
	case "controller_utils.go":
		return &controllerUtilsTable
	case "taint_eviction.go", "taint_manager.go":
		return &taintTable
	case "gc_controller.go":
		return &podGCTable
	case "leaderelection.go":
		return &leaderTable
	case "controllermanager.go":
		return &managerTable
	case "main.go", "server.go":
		return &programTable
	case "flags.go":
		return &flagTable
	case "event.go":
		return &recorderTable
	case "csi_handler.go", "util.go", "controller.go":
		return &handlerTable
	case "replica_set.go":
		return &replicaSetTable
	case "schedule_one.go", "scheduler.go", "factory.go", "default_binder.go":
		return &schedulerTable
	case "kubelet.go", "pod_workers.go", "kubelet_pods.go", "kubelet_volumes.go":
		return &kubeletTable
	case "kuberuntime_container.go":
		return &containerTable
	case "reconciler_common.go":
		return &kubeletReconciler
	case "reconstruct.go":
		return &reconstructTable
	case "pod_startup_latency_tracker.go":
		return &startupTable
	case "kubelet_node_status.go":
		return &nodeStatusTable
	case "setters.go":
		return &setterTable
	case "node_status_updater.go":
		return &statusUpdaterTable
	case "kubernetes_pod_controller.go":
		return &longhornTable
	case "node_authorizer.go":
		return &authorizerTable
	case "resize_status.go", "expand_and_recover.go":
		return &resizerTable
	case "controllerserver.go", "utils.go", "driver.go", "log.go", "logging.go":
		return &driverTable
	}
	return nil
}
