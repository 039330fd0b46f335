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
	c.resource = c.resource || resources[c.before]
}

// resources begin the name of a resource of AWS, Alibaba and IBM, and services are parts of it that are no names.
var resources, services = set(`arn acs crn`), set(`iam sts`)

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
	goesOn, plugin := c.was && c.continues(), c.joined && lower == "csi"
	listed := goesOn && !plugin && !isKey(after)
	keyed := c.how >= proseText && c.announced(run, after)
	forced := c.forced(run, after)
	begins := c.gap == " " || strings.HasSuffix(c.gap, "://") && !strings.HasPrefix(c.before, "http")
	named := listed || keyed
	c.was = named || forced && begins
	c.list = c.list || keyed && strings.Contains(c.gap, "[")
	named = named || forced
	if sure := keyed || forced && !c.joined; sure && c.how > proseText && c.gap != "'" {
		c.told[c.tells(lower)] = true
	} else if c.how == proseText && c.told[c.tells(lower)] {
		named = true
	}
	everywhere := lower == "default" || systems[lower]
	tied := strings.HasPrefix(after, "/") || strings.HasPrefix(after, ":")
	switch {
	case !named:
		if c.how == pathText && !ofCollectors(lower) {
			return commonName
		}
		return noName
	case c.how == nameText, c.system, accountOf[c.key()], drivers[lower], values[lower]:
		return commonName
	case everywhere && (tied || namespaceOf[c.key()]):
		return commonName
	}
	return aName
}

// key is the last word of what stands before: name of metadata.name.
func (c *surroundings) key() string { return c.before[strings.LastIndexByte(c.before, '.')+1:] }

// announced reports whether the key of a name stands right before, such as node=", or its kind, as in pods "web" not found.
func (c *surroundings) announced(run, after string) bool {
	signs := strings.ContainsAny(c.gap, "=:\"'`(") && strings.Trim(c.gap, "=:\"'`\\[{( &~!") == ""
	if plural := c.gap == "(" && run == "s"; plural || !signs || isKey(after) {
		return false
	}
	quotes := c.gap == ` "` || c.gap == " `"
	goesOn := strings.Contains(c.gap, " ") && !quotes || c.gap == "'" // of the volume: it is attached, the pod's containers
	if c.how == proseText && goesOn {
		return false
	}
	resource, _, _ := strings.Cut(c.before, ".")
	listed, queued := below[resource] && strings.HasPrefix(c.gap, " "), c.key() == "key" && strings.HasPrefix(after, "/")
	return announcing[c.key()] || listed || queued
}

// continues reports whether a list of names, or namespace/name, goes on behind a name that was announced.
func (c *surroundings) continues() bool {
	if c.list && c.gap == " " {
		return true
	}
	signs := len(c.gap) <= 6 && strings.Trim(c.gap, `/",\ `) == ""
	return signs && (strings.HasSuffix(c.gap, "/") || strings.HasSuffix(c.gap, `"`))
}

// isKey reports whether what follows a run makes it a key itself.
func isKey(after string) bool {
	after = strings.TrimLeft(after, `\"`)
	return strings.HasPrefix(after, "=") || strings.HasPrefix(after, ":")
}

func (c *surroundings) forced(run, after string) bool {
	lower := strings.ToLower(run)
	thing := things[c.before] && (c.gap == " " || c.gap == ": ")
	long := len(lower) == 12 || thing && len(lower) > 4
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
		return !shapes[lower] && !below[lower] && !services[lower]
	case below[c.before] && c.gap == "/", strings.HasSuffix(c.gap, "://"):
		return true
	case c.account && c.gap == ":", c.before == "serviceaccount" && c.gap == ":":
		return true
	case c.plugin && c.gap == "/":
		return true
	case long && classOf(lower) == digits: // an account
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
