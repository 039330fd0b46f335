package layout

import "regexp"

// Where the collector's directory ends: at the first of the names that follow, which is the row's word, or at the last.
const (
	first = `^(?:(?P<root>.+?)/)??`
	last  = `^(?:(?P<root>.+)/)?`
)

// Parts of a path.
const (
	namespace  = `(?P<namespace>[^/]+)`
	pod        = `(?P<pod>[^/]+)`
	container  = `(?P<container>[^/]+)`
	collection = `(?P<collection>[^/]+?)` // without the extension that follows
	inside     = first + `namespaces/` + namespace
	aLog       = `(?P<container>[a-z0-9-]+?)(?:-previous)?\.log(?:\.\d+)?$` // with -previous or a number for an earlier one
)

// corePlurals are the directories of kubectl-gather below a namespace that are no API groups.
const corePlurals = `(?P<collection>events|persistentvolumeclaims|configmaps|endpoints|services|serviceaccounts|` +
	`replicationcontrollers|resourcequotas|limitranges)`

// places are the ways in which collectors lay out a bundle. The first row whose word a path holds, and that it matches, decides.
var places = []struct {
	role   Role
	scoped bool // ClusterScoped
	word   string
	path   *regexp.Regexp
}{
	// Rancher's support-bundle-kit, which Harvester and Longhorn from 1.4 use.
	{Other, true, "yamls", regexp.MustCompile(first + `yamls/cluster/.+/` + collection + `(?:\.yaml)?$`)},
	{Other, false, "yamls", regexp.MustCompile(first + `yamls/namespaced/` + namespace + `/(?:.+/)?` + collection + `(?:\.yaml)?$`)},
	// troubleshoot: also which lists failed, and why.
	{Metadata, false, "cluster-resources", regexp.MustCompile(first + `cluster-resources/(?:.+/)?[^/]*-errors(?:\.json)?$`)},
	{Other, true, "cluster-resources", regexp.MustCompile(first + `cluster-resources/` + collection + `(?:\.json)?$`)},
	{Other, false, "cluster-resources",
		regexp.MustCompile(first + `cluster-resources/` + collection + `/(?P<namespace>[^/]+?)(?:\.json)?$`)},
	// The logs collector of Rancher, which keeps tables without extension. Namespace and pod are joined by a dash that both may hold.
	{Date, false, "date", regexp.MustCompile(last + `systeminfo/date$`)},
	{Log, false, "podlogs", regexp.MustCompile(last + `podlogs/[^/]+$`)},
	{Other, false, "poddescribe", regexp.MustCompile(last + `poddescribe/` + namespace + `$`)},
	{Log, false, "containerlogs", regexp.MustCompile(last + `containerlogs/` + container + `$`)},
	// sosreport and Talos.
	{Date, false, "sos_commands", regexp.MustCompile(first + `sos_commands/(?:.+/)?date$`)},
	{Log, false, "kubernetes-logs",
		regexp.MustCompile(last + `kubernetes-logs/` + namespace + `/(?P<container>[^/]+?)(?:-exited)?(?:\.log)?$`)},
	// oc adm must-gather, oc adm inspect, and kubectl-gather (no directory for the core group); a namespace may be called namespaces.
	{Other, true, "cluster-scoped-resources",
		regexp.MustCompile(first + `cluster-scoped-resources(?:/[^/]+(?:/` + collection + `(?:\.yaml)?(?:/.*)?)?)?$`)},
	{Log, false, "namespaces",
		regexp.MustCompile(inside + `/(?P<collection>pods)/` + pod + `/` + container + `/(?:.*\.log|(?:.*/)?rotated(?:/.*)?)$`)},
	{Other, false, "namespaces", regexp.MustCompile(inside + `/(?P<collection>pods)/` + pod + `/` + container + `/.*$`)},
	{Other, false, "namespaces", regexp.MustCompile(inside + `/(?P<collection>pods)(?:/.*)?$`)},
	{Other, false, "namespaces", regexp.MustCompile(inside + `/` + corePlurals + `/[^/]+$`)},
	{Other, false, "namespaces", regexp.MustCompile(inside + `/[^/]+/` + collection + `(?:\.yaml)?(?:/.*)?$`)},
	{Metadata, false, "namespaces", regexp.MustCompile(inside + `/event-filter\.html$`)},
	{Other, false, "namespaces", regexp.MustCompile(inside + `(?:/.*)?$`)},
	// What oc and the gather scripts write about themselves; not-collected.txt is volpost gather's.
	{Timestamp, false, "timestamp", regexp.MustCompile(last + `timestamp$`)},
	{Version, false, "version", regexp.MustCompile(last + `version$`)},
	{OwnLog, false, "gather.log", regexp.MustCompile(last + `gather\.log$`)},
	{Metadata, false, "",
		regexp.MustCompile(last + `(?:must-gather\.logs|gather\.logs|gather-debug\.log|event-filter\.html|not-collected\.txt)$`)},
	// /var/log/pods and the links of /var/log/containers as kubelets keep them; neither a namespace nor a pod can hold an underscore.
	{Log, false, "_", regexp.MustCompile(last + `(?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/` + container + `/.+$`)},
	{Log, false, "_",
		regexp.MustCompile(last + `(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)_(?P<container>[a-z0-9-]+)-[0-9a-f]{64}\.log$`)},
	// As support bundles keep logs; Longhorn before 1.4 keeps one namespace.
	{Log, false, "logs/", regexp.MustCompile(last + `logs/` + namespace + `/` + pod + `/` + aLog)},
	{Log, false, "logs/", regexp.MustCompile(last + `logs/` + pod + `/` + aLog)},
	// tridentctl, and the gather-extra step of OpenShift's CI, whose packed log is a directory with the log in it.
	{Log, false, "-sidecar-", regexp.MustCompile(last + `(?P<pod>trident-controller)(?:-previous)?-sidecar-(?P<container>[a-z-]+)$`)},
	{Log, false, "pods/",
		regexp.MustCompile(last + `pods/(?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_(?P<container>[a-z0-9-]+?)` +
			`(?:_previous)?\.log(?:\.gz)?(?:/[^/]+)?$`)},
	// kubectl cluster-info dump joins the logs of a pod; its lists say what they are. The cluster-scoped half of kubectl-gather.
	{Log, false, "logs.txt", regexp.MustCompile(last + namespace + `/` + pod + `/logs\.txt$`)},
	{Other, true, "cluster", regexp.MustCompile(first + `cluster/(?:[^/]+/)?` + collection + `/[^/]+\.yaml$`)},
}
