package layout

import (
	"regexp"
	"sync"
)

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

// re is a pattern of the table, which the first path that needs it compiles: a start that reads no bundle needs none.
func re(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// places are the ways in which collectors lay out a bundle. The first row whose word a path holds, and that it matches, decides.
var places = []struct {
	role   Role
	scoped bool // ClusterScoped
	word   string
	path   func() *regexp.Regexp
}{
	// Rancher's support-bundle-kit, which Harvester and Longhorn from 1.4 use.
	{Other, true, "yamls", re(first + `yamls/cluster/.+/` + collection + `(?:\.yaml)?$`)},
	{Other, false, "yamls", re(first + `yamls/namespaced/` + namespace + `/(?:.+/)?` + collection + `(?:\.yaml)?$`)},
	// troubleshoot: also which lists failed, and why.
	{Metadata, false, "cluster-resources", re(first + `cluster-resources/(?:.+/)?[^/]*-errors(?:\.json)?$`)},
	{Other, true, "cluster-resources", re(first + `cluster-resources/` + collection + `(?:\.json)?$`)},
	{Other, false, "cluster-resources",
		re(first + `cluster-resources/` + collection + `/(?P<namespace>[^/]+?)(?:\.json)?$`)},
	// The logs collector of Rancher, which keeps tables without extension. Namespace and pod are joined by a dash that both may hold.
	{Date, false, "date", re(last + `systeminfo/date$`)},
	{Log, false, "podlogs", re(last + `podlogs/[^/]+$`)},
	{Other, false, "poddescribe", re(last + `poddescribe/` + namespace + `$`)},
	{Log, false, "containerlogs", re(last + `containerlogs/` + container + `$`)},
	// sosreport and Talos.
	{Date, false, "sos_commands", re(first + `sos_commands/(?:.+/)?date$`)},
	{Log, false, "kubernetes-logs",
		re(last + `kubernetes-logs/` + namespace + `/(?P<container>[^/]+?)(?:-exited)?(?:\.log)?$`)},
	// oc adm must-gather, oc adm inspect, and kubectl-gather (no directory for the core group); a namespace may be called namespaces.
	{Other, true, "cluster-scoped-resources",
		re(first + `cluster-scoped-resources(?:/[^/]+(?:/` + collection + `(?:\.yaml)?(?:/.*)?)?)?$`)},
	{Log, false, "namespaces",
		re(inside + `/(?P<collection>pods)/` + pod + `/` + container + `/(?:.*\.log|(?:.*/)?rotated(?:/.*)?)$`)},
	{Other, false, "namespaces", re(inside + `/(?P<collection>pods)/` + pod + `/` + container + `/.*$`)},
	{Other, false, "namespaces", re(inside + `/(?P<collection>pods)(?:/.*)?$`)},
	{Other, false, "namespaces", re(inside + `/` + corePlurals + `/[^/]+$`)},
	{Other, false, "namespaces", re(inside + `/[^/]+/` + collection + `(?:\.yaml)?(?:/.*)?$`)},
	{Metadata, false, "namespaces", re(inside + `/event-filter\.html$`)},
	{Other, false, "namespaces", re(inside + `(?:/.*)?$`)},
	// What oc and the gather scripts write about themselves; not-collected.txt is volpost gather's.
	{Timestamp, false, "timestamp", re(last + `timestamp$`)},
	{Version, false, "version", re(last + `version$`)},
	{OwnLog, false, "gather.log", re(last + `gather\.log$`)},
	{Metadata, false, "",
		re(last + `(?:must-gather\.logs|gather\.logs|gather-debug\.log|event-filter\.html|not-collected\.txt)$`)},
	// /var/log/pods and the links of /var/log/containers as kubelets keep them; neither a namespace nor a pod can hold an underscore.
	{Log, false, "_", re(last + `(?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/` + container + `/.+$`)},
	{Log, false, "_",
		re(last + `(?P<pod>[a-z0-9.-]+)_(?P<namespace>[a-z0-9-]+)_(?P<container>[a-z0-9-]+)-[0-9a-f]{64}\.log$`)},
	// As support bundles keep logs; Longhorn before 1.4 keeps one namespace.
	{Log, false, "logs/", re(last + `logs/` + namespace + `/` + pod + `/` + aLog)},
	{Log, false, "logs/", re(last + `logs/` + pod + `/` + aLog)},
	// tridentctl, and the gather-extra step of OpenShift's CI, whose packed log is a directory with the log in it.
	{Log, false, "-sidecar-", re(last + `(?P<pod>trident-controller)(?:-previous)?-sidecar-(?P<container>[a-z-]+)$`)},
	{Log, false, "pods/",
		re(last + `pods/(?P<namespace>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_(?P<container>[a-z0-9-]+?)` +
			`(?:_previous)?\.log(?:\.gz)?(?:/[^/]+)?$`)},
	// kubectl cluster-info dump joins the logs of a pod; its lists say what they are. The cluster-scoped half of kubectl-gather.
	{Log, false, "logs.txt", re(last + namespace + `/` + pod + `/logs\.txt$`)},
	{Other, true, "cluster", re(first + `cluster/(?:[^/]+/)?` + collection + `/[^/]+\.yaml$`)},
}
