package redact

import (
	_ "embed"
	"regexp"
	"strings"
)

// reason is why a run is taken for a name.
type reason int

const (
	noName     reason = iota // nothing says that it is one
	aName                    // one of this cluster
	commonName               // one that begins with what every cluster has, or is that
)

// surroundings is what stands before a run and says whether a name must follow.
type surroundings struct {
	how      manner
	before   string // the run before, in lower case
	gap      string // what stands between it and the next
	was      bool   // the run before was a name for what stands before it
	resource bool   // an ARN has begun and not ended
	joined   bool   // a slash stands right before
	system   bool   // a namespace of Kubernetes' own stands before, in the same path or list
	plugin   bool   // the directory of a volume's plugin stands right before: kubernetes.io~csi
	leads    bool   // it is said to lead, or to have done so
	account  bool   // the namespace of a service account stands right before
	list     bool   // a list in brackets has begun with a name, and not ended
	told     map[string]bool
}

// tells is a name with what stands right before it. What quotes tell so is remembered, so that a sentence with the driver's words does not say them as they are.
func (c *surroundings) tells(lower string) string { return c.before + c.gap + lower }

// between takes in what is no run.
func (c *surroundings) between(s string) {
	c.gap += s
	c.joined = strings.HasSuffix(s, "/")
	if strings.ContainsAny(s, " \t\n\"',;)}]") {
		c.resource = false
	}
	if strings.ContainsAny(s, " \t\n)}]") {
		c.system = false
	}
	if strings.ContainsAny(s, "]\n") {
		c.list = false
	}
}

// passed takes in a run.
func (c *surroundings) passed(s string) {
	c.plugin = c.before == "kubernetes.io" && c.gap == "~"
	c.account = c.before == "serviceaccount" && (c.gap == ":" || c.gap == " ")
	c.before = strings.ToLower(s)
	c.gap, c.joined = "", false
	c.system = c.system || systems[c.before]
	c.resource = c.resource || c.before == "arn" || c.before == "acs" || c.before == "crn" // of AWS, Alibaba and IBM
}

// announcing are the keys of logs, objects and series behind which a name stands.
var announcing = set(`node nodes nodename node_name pod pods podname pod_name podnamespace namespace ns name pvc claim claimname
	persistentvolumeclaim pv persistentvolume persistentvolumename volumename volumenames volumehandle volumeid attachedto holders
	holderidentity identity user username host hostname instance instanceid image container account project region zone cluster cluster_name
	clustername owner involvedobject storageclass volumeattachment app k8s-app part-of release pod-name pod-template-hash
	controller-revision-hash storageclassname serviceaccountname persistentvolumeclaimname hostip podip nodeip container container_name volume
	pvname pvcname claim_name configmap configmapname secret secretname attacher driver provisioner tenant exported_namespace exported_pod
	exported_node exported_instance kubernetes_node label_kubernetes_io_hostname created_by_name source_node target_node uid generatename
	subpath server email resourcegroup resource_group tenantid tenant_id projectid project_id subscription subscriptionid subscription_id accountid
	account_id clusterid cluster_id instanceid instance_id vm vmname machine vol disk diskname diskid snapshot snapshotid bucket share datastore
	datacenter vpc subnet vm_name vm-name instancename instance_name server_name servername machine_name machinename org organization
	tenantname tenant_name accountname account_name bucketname pool poolname svm vserver aggr aggregate lun igroup resourcegroupname storageaccount
	storage_account sharename brick droplet linode volume_name volume-name image_name`)

// namespaceOf and accountOf are keys behind which default, and root, are those of every cluster.
var (
	namespaceOf = set(`namespace namespaces ns exported_namespace podnamespace serviceaccount`)
	accountOf   = set(`user username identity holderidentity owner`)
)

// below are the parts of a path behind which a name stands.
var below = set(`ns namespace node pod pvc namespaces nodes pods pv persistentvolumes persistentvolumeclaims volumeattachments deployments statefulsets replicasets
	daemonsets serviceaccount serviceaccounts projects zones regions subscriptions resourcegroups disks virtualmachines virtualmachinescalesets
	instances networks snapshots volumes users user role roles assumed-role home daemonset daemonsets statefulset deployment replicaset job jobs cronjob
	cronjobs sts deploy ds rs svc service services secret secrets configmap configmaps persistentvolumeclaim persistentvolume storageclass storageclasses`)

// kinds are before a name in the messages of Events.
var kinds = set(`namespace pod statefulset deployment replicaset daemonset job cronjob persistentvolume persistentvolumeclaim
	serviceaccount`)

// things are before a name of several words in the messages of clouds.
var things = set(`disk volume instance host server vm vmss machine node snapshot account project tenant subscription droplet linode`)

// spokenAfter are what follows the name of a kind in a sentence.
var spokenAfter = set(`is was are were the a an to in on of for from by with and or has have had not no does did can cannot could will would
	that which it its already still controller status object objects name names template spec phase uid deleted created successful failed be
	been being at as`)

// verbal are forms of verbs, such as succeeded and deletion, which are rarely names.
var verbal = regexp.MustCompile(`^[a-z]+(?:ed|ing|ion)$`)

// why says whether what stands around a run makes it a name. after is what follows it.
func (c *surroundings) why(run, after string) reason {
	lower := strings.ToLower(run)
	listed := c.was && c.continues() && !isKey(after) && !(c.joined && lower == "csi")
	keyed := c.how >= proseText && c.announced(run, after)
	forced := c.forced(run, after)
	c.was = listed || keyed || forced && (c.gap == " " || strings.HasSuffix(c.gap, "://") && !strings.HasPrefix(c.before, "http"))
	c.list = c.list || keyed && strings.Contains(c.gap, "[")
	named := listed || keyed || forced
	switch {
	case (keyed || forced && !c.joined) && c.how > proseText && c.gap != "'":
		c.told[c.tells(lower)] = true
	case c.how == proseText && c.told[c.tells(lower)]:
		named = true
	}
	switch {
	case !named:
		if c.how == pathText && !ofCollectors(lower) {
			return commonName
		}
		return noName
	case c.how == nameText, c.system, accountOf[c.key()], drivers[lower], values[lower]:
		return commonName
	case (lower == "default" || systems[lower]) && (namespaceOf[c.key()] || strings.HasPrefix(after, "/") || strings.HasPrefix(after, ":")):
		return commonName
	}
	return aName
}

// key is the last word of what stands before: name of metadata.name.
func (c *surroundings) key() string { return c.before[strings.LastIndexByte(c.before, '.')+1:] }

// announced reports whether the key of a name stands right before, such as node=", or its kind, as in pods "web" not found.
func (c *surroundings) announced(run, after string) bool {
	if isKey(after) || !strings.ContainsAny(c.gap, "=:\"'`(") || strings.Trim(c.gap, "=:\"'`\\[{( &~!") != "" || c.gap == "(" && run == "s" {
		return false
	}
	if c.how == proseText && (strings.Contains(c.gap, " ") && c.gap != ` "` && c.gap != " `" || c.gap == "'") {
		return false // a sentence goes on so: of the volume: it is attached, the pod's containers
	}
	key := c.key()
	resource, _, _ := strings.Cut(c.before, ".")
	return announcing[key] || below[resource] && strings.HasPrefix(c.gap, " ") || key == "key" && strings.HasPrefix(after, "/")
}

// continues reports whether a list of names, or namespace/name, goes on behind a name that was announced.
func (c *surroundings) continues() bool {
	return c.list && c.gap == " " || (strings.HasSuffix(c.gap, "/") || strings.HasSuffix(c.gap, `"`)) && len(c.gap) <= 6 && strings.Trim(c.gap, `/",\ `) == ""
}

// isKey reports whether what follows a run makes it a key itself.
func isKey(after string) bool {
	after = strings.TrimLeft(after, `\"`)
	return strings.HasPrefix(after, "=") || strings.HasPrefix(after, ":")
}

func (c *surroundings) forced(run, after string) bool {
	lower := strings.ToLower(run)
	switch {
	case c.how == nameText:
		return true
	case c.gap == "@" && lower != "sha256" && !plain.MatchString(run), strings.HasPrefix(after, "@"):
		return true // an address of mail, or user@host
	case c.how < proseText:
		return false
	case strings.HasPrefix(after, ":/") && !strings.HasPrefix(after, "://"): // an export of NFS
		return true
	case c.resource:
		return !shapes[lower] && !below[lower] && lower != "iam" && lower != "sts"
	case below[c.before] && c.gap == "/", strings.HasSuffix(c.gap, "://"):
		return true
	case c.account && c.gap == ":", c.before == "serviceaccount" && c.gap == ":":
		return true
	case c.plugin && c.gap == "/":
		return true
	case classOf(lower) == digits && (len(lower) == 12 || len(lower) > 4 && things[c.before] && (c.gap == " " || c.gap == ": ")): // an account
		return true
	case c.how == proseText: // what follows are sentences, which volpost makes itself with other words in them
		return false
	case c.leads:
		return true
	case things[c.before] && c.gap == " " && strings.Contains(run, "-"):
		return !verbal.MatchString(lower[strings.LastIndexByte(lower, '-')+1:])
	case kinds[c.before] && c.gap == " ":
		return !spokenAfter[lower] && !verbal.MatchString(lower)
	}
	return false
}

var (
	//go:embed vocabulary/words.txt
	wordList string
	//go:embed vocabulary/compounds.txt
	compoundList string
)

// vocabulary is what is known to be no name, in lower case: words, and compounds. A word that is missing is replaced.
type vocabulary struct{ words, compounds map[string]bool }

func newVocabulary() vocabulary {
	return vocabulary{words: set(wordList), compounds: set(compoundList)}
}

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

// everybodys reports whether a name is one that every cluster has.
func everybodys(lower string) bool {
	return lower == "default" || systems[lower] || components[lower] || accounts[lower] || drivers[lower] || values[lower]
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
	return len(stem) == 1 || collected[stem] || strings.Contains(stem, "_") || plain.MatchString(stem)
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
