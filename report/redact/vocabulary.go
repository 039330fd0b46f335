package redact

import (
	_ "embed"
	"regexp"
	"strings"
)

var (
	//go:embed vocabulary/words.txt
	wordList string
	//go:embed vocabulary/compounds.txt
	compoundList string
)

// vocabulary is what is known to be no name, in lower case: words, and compounds. A word that is missing is replaced.
type vocabulary struct{ words, compounds map[string]bool }

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// Names that every cluster has stay where they name just that: a Deployment default/coredns is replaced, then coredns everywhere.
var (
	// systems are namespaces in which no user's own things run, besides default.
	systems = set(`kube-system kube-public kube-node-lease openshift openshift-storage openshift-cluster-csi-drivers
	openshift-kube-controller-manager openshift-kube-apiserver openshift-kube-scheduler openshift-etcd openshift-monitoring openshift-config`)
	// components are what runs there, and whom Kubernetes itself acts as.
	components = set(`kube-controller-manager kube-apiserver kube-scheduler kube-proxy kube-state-metrics coredns etcd kubelet kubectl
	csi-attacher csi-provisioner csi-resizer csi-snapshotter external-attacher attachdetach-controller default-scheduler
	persistentvolume-attach-detach-controller node-controller pod-garbage-collector taint-eviction-controller daemon-set-controller
	daemonset-controller deployment-controller generic-garbage-collector horizontal-pod-autoscaler job-controller namespace-controller
	persistent-volume-binder pvc-protection-controller pv-protection-controller replicaset-controller statefulset-controller ttl-controller
	cloud-controller-manager`)
	accounts = set(`root cluster-admin`)
	// drivers are public CSI drivers.
	drivers = set(`ebs.csi.aws.com efs.csi.aws.com disk.csi.azure.com file.csi.azure.com pd.csi.storage.gke.io cinder.csi.openstack.org
	csi.vsphere.vmware.com csi.hetzner.cloud csi.hpe.com csi-isilon.dellemc.com csi-powerstore.dellemc.com csi-unity.dellemc.com
	csi-vxflexos.dellemc.com driver.longhorn.io linstor.csi.linbit.com hostpath.csi.k8s.io dobs.csi.digitalocean.com rbd.csi.ceph.com
	csi.trident.netapp.io`)
	// values are what stands in the place of a name and is none.
	values = set(`true false null none nil localhost kubernetes.io k8s.io github.com`)
)

var commons = []map[string]bool{systems, components, accounts, drivers, values}

// everybodys reports whether a name is one that every cluster has.
func everybodys(lower string) bool {
	for _, names := range commons {
		if names[lower] {
			return true
		}
	}
	return lower == "default"
}

// shapes are pieces of paths and of what clouds call things that are no names.
var shapes = set(`pvc pv csi vol disk snap snapshot i ip vm vmss eni ami arn aws ec2 gce gke eks aks azure internal compute
	local svc cluster sha256 io com net org k8s kubernetes openshift kube must gather inspect amazonaws googleapis
	yaml yml json log txt gz tgz tar zip xz zst html csv sh md go bin conf`)

// Of a name stays what says of what form it is: pvc-, i-, ip- before digits or a UUID, and the end of a host that many share.
var (
	beginnings = set(`pvc pv csi vol snap i ip eni ami`)
	endings    = set(`internal compute ec2 local svc cluster amazonaws googleapis io com net org`)
)

// collected is what collectors and Kubernetes call the directories and files of a bundle.
var collected = set(`aks akscontrolplane apps artifacts audit autoscaling batch bundle cluster cluster-info cluster-info-dump
	cluster-resources cluster-scoped-resources cluster_version clusterversions compute config.openshift.io configmaps containerd containerlogs
	containers coordination.k8s.io core crashd cri cronjobs csidrivers csinodes current daemonsets data date default deployments dump eks
	endpoints endpointslices event-filter events events.k8s.io filter-log-events flat gather gather-debug gather-extra gather.logs gke
	globalmount host horizontalpodautoscalers hub index insecure inspect jobs journald journalctl k3s kind-export kind-version kubectl
	kubectl-gather kubelet kubernetes kubernetes-logs leases limitranges log logs loki longhorn meta metadata metrics mount must-gather
	must-gather.local must-gather.logs namespaced namespaces nodes not-collected oc openshift persistentvolumeclaims persistentvolumes
	poddescribe poddisruptionbudgets podlogs pods policy previous prom-api prometheus pvcs pvs query rancher-logs-collector readme replicasets
	replicationcontrollers resourcequotas resources rke rke2 rotated serviceaccounts services sos sosreport sources statefulsets
	storage-classes storage.k8s.io storageclasses support-bundle support-bundle-kit systeminfo talos-support text timestamp tombstones trident
	troubleshoot tsdb v1 var velero version volumeattachments wal chunks chunks_head yamls`)

// ofCollectors reports whether a part of a path is no name. Names of objects have no underscore, and those of metrics have.
func ofCollectors(lower string) bool {
	stem := withoutExtensions(lower)
	if len(stem) == 1 || collected[stem] {
		return true
	}
	return strings.Contains(stem, "_") || plain.MatchString(stem)
}

// extensions end the name of a file.
var extensions = []string{".tar.gz", ".yaml", ".yml", ".json", ".jsonl", ".log", ".txt", ".gz", ".tgz", ".tar", ".zip", ".xz", ".zst",
	".html", ".csv", ".sh", ".md", ".openmetrics"}

// plain is no name by its form: numbers, quantities, durations, times, versions, pointers, Go files, and klog's header.
var plain = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`\d{1,8}`,
	`\d+(?:\.\d+)?(?:e[+-]?\d+)?`,
	`(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|y))+`,
	`\d+(?:\.\d+)?(?:[KMGTPEkm]i?B?|B|x|th|st|nd|rd)`,
	`(?:19|20)\d\d-\d\d(?:-\d\d(?:[T_-]\d\d)?)?`,
	`(?:19|20)\d\d-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z?`,
	`(?:19|20)\d{6}T\d{6}Z?`,
	`(?:19|20)\d\d_\d\d_\d\d(?:_\d\d_\d\d(?:_\d\d)?)?`,
	`\d\d(?:\.\d+)?Z?`,
	`[IWEF]\d{4}`,
	`v?\d+(?:\.\d+){1,2}(?:[-.](?:alpha|beta|rc|gke|eks|k3s|rke2r|aks|build|el)?\.?\d+)*`,
	`v\d+(?:(?:alpha|beta)\d+)?`,
	`0x[0-9a-f]+`,
	`[a-z0-9_]+\.go`,
}, "|") + `)$`)
