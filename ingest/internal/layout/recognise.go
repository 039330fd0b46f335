package layout

import (
	"regexp"
	"slices"
	"strings"
)

// Recogniser names the collectors that laid out a bundle, from its paths and version files in any order.
type Recogniser struct {
	marks [numMarks]bool
}

// mark is something that a path shows.
type mark int

const (
	imageDirMark mark = iota
	mustGatherVersion
	inspectMark
	nodesMark
	logsTxtMark
	podEventsMark
	resourcesDir
	clusterVersionMark
	bundleKitMetadata
	yamlsCluster
	yamlsKubernetes
	systemInfo
	rancherNode
	gatherLog
	gatherCluster
	sosCommands
	kubernetesResources
	kindVersion
	tridentMark
	veleroResources
	veleroVersion
	crashdMark
	gatherExtraMark
	ocOutput
	numMarks
)

// layouts are the names of collectors and the marks that prove each. All marks of a row are wanted.
var layouts = []struct {
	name  string
	marks []mark
}{
	{"must-gather", []mark{imageDirMark}},
	{"must-gather", []mark{mustGatherVersion}},
	{"odf-must-gather", []mark{ocOutput}},
	{"cluster-info-dump", []mark{logsTxtMark, nodesMark}},
	{"cluster-info-dump", []mark{logsTxtMark, podEventsMark}},
	{"troubleshoot", []mark{resourcesDir}},
	{"support-bundle-kit", []mark{bundleKitMetadata, yamlsCluster}},
	{"longhorn", []mark{yamlsKubernetes}},
	{"rancher-logs-collector", []mark{systemInfo, rancherNode}},
	{"kubectl-gather", []mark{gatherLog, gatherCluster}},
	{"sosreport", []mark{sosCommands}},
	{"talos-support", []mark{kubernetesResources}},
	{"kind-export", []mark{kindVersion}},
	{"trident", []mark{tridentMark}},
	{"velero", []mark{veleroResources, veleroVersion}},
	{"crashd", []mark{crashdMark}},
	{"gather-extra", []mark{gatherExtraMark}},
}

var (
	// imageDir is the directory that oc makes of the image's id.
	imageDir = regexp.MustCompile(`-sha256-[0-9a-f]{64}$`)
	// tridentEntry is a log in a flat zip that tridentctl writes: no extension, the containers in the name.
	tridentEntry = regexp.MustCompile(`^trident-(controller|node)(-[a-z0-9.-]+)?$`)
	// crashdList is a list of Crashd: <group>_<version>/<namespace>/<plural>-<time>.json.
	crashdGroup = regexp.MustCompile(`^([a-z0-9.]+_)?v\d+((alpha|beta)\d+)?$`)
	crashdList  = regexp.MustCompile(`^[a-z]+-\d{8,}[0-9.-]*\.json$`)
)

// See takes a path into account.
func (r *Recogniser) See(p string) {
	parts := strings.Split(strings.ReplaceAll(p, "!", "/"), "/")
	n := len(parts)
	base := parts[n-1]
	dir := func(name string) bool { return slices.Contains(parts[:n-1], name) }
	set := func(m mark, is bool) { r.marks[m] = r.marks[m] || is }
	for i, part := range parts {
		set(imageDirMark, imageDir.MatchString(part) || strings.HasPrefix(part, "must-gather.local"))
		if i+1 < n {
			next := parts[i+1]
			set(yamlsCluster, part == "yamls" && (next == "cluster" || next == "namespaced"))
			set(yamlsKubernetes, part == "yamls" && next == "kubernetes")
			set(rancherNode, (part == "rke2" || part == "k3s" || part == "rke") && (next == "kubectl" || next == "podlogs" || next == "containerlogs"))
			set(rancherNode, part == "journald")
			set(veleroVersion, part == "metadata" && next == "version")
		}
		if i+2 < n && part == "resources" {
			set(veleroResources, parts[i+2] == "cluster" || parts[i+2] == "namespaces")
		}
	}
	set(inspectMark, slices.Contains(parts, "cluster-scoped-resources") || isInspectedNamespace(parts))
	set(ocOutput, dir("oc_output"))
	set(nodesMark, base == "nodes.json" || base == "nodes.yaml")
	set(logsTxtMark, base == "logs.txt" && n > 2)
	set(podEventsMark, (base == "events.json" || base == "events.yaml") && n > 1 && !dir("core") && !dir("cluster-resources"))
	set(resourcesDir, dir("cluster-resources"))
	set(systemInfo, dir("systeminfo"))
	set(gatherLog, base == "gather.log")
	set(gatherCluster, n >= 4 && (dir("cluster") || dir("namespaces")))
	set(sosCommands, dir("sos_commands"))
	set(kubernetesResources, n > 1 && parts[n-2] == "kubernetesResources")
	set(kindVersion, base == "kind-version.txt")
	set(tridentMark, tridentEntry.MatchString(base))
	set(crashdMark, n >= 3 && crashdGroup.MatchString(parts[n-3]) && crashdList.MatchString(base))
	set(gatherExtraMark, dir("gather-extra") || dir("oc_cmds"))
}

// Version takes the content of a file whose role is Version into account: a must-gather says its name there.
func (r *Recogniser) Version(text string) {
	first, _, _ := strings.Cut(text, "\n")
	if strings.Contains(first, "must-gather") {
		r.marks[mustGatherVersion] = true
	}
}

// Metadata takes the content of a file whose role is Metadata into account: support-bundle-kit says there when it ran.
func (r *Recogniser) Metadata(hasCreation bool) {
	r.marks[bundleKitMetadata] = r.marks[bundleKitMetadata] || hasCreation
}

// Names are the collectors, sorted.
func (r *Recogniser) Names() []string {
	var names []string
	for _, l := range layouts {
		all := !slices.ContainsFunc(l.marks, func(m mark) bool { return !r.marks[m] })
		if all && !slices.Contains(names, l.name) {
			names = append(names, l.name)
		}
	}
	if r.marks[inspectMark] && !slices.Contains(names, "must-gather") {
		names = append(names, "inspect")
	}
	slices.Sort(names)
	return names
}
