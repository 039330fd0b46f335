package layout

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Recogniser names the collectors that laid out a bundle, from its paths and version files in any order.
type Recogniser struct {
	seen map[string]bool // marks
}

// Marks that are no expression for a path, and one that two rows share.
const (
	namesMustGather = "a version names must-gather"
	saysCreation    = "metadata says when"
	podEvents       = "events beside pods"
	inspected       = "inspected"
	half            = "three directories with a half of kubectl-gather"
	logsTxt         = `/[^/]+/[^/]+/logs\.txt$` // what kubectl cluster-info dump writes of a pod
)

// layouts are the names of collectors and the marks that prove each; a row needs all of its marks. Before each path stands a slash,
// so that an expression begins with the name of a file or directory, which is looked for before the expression is tried.
var layouts = []struct {
	name  string
	marks []string
}{
	{"must-gather", []string{`/must-gather\.local`}},
	{"must-gather", []string{`-sha256-[0-9a-f]{64}(?:/|$)`}}, // oc makes the directory of the image's id
	{"must-gather", []string{namesMustGather}},
	{"odf-must-gather", []string{`/oc_output/`}},
	{"cluster-info-dump", []string{logsTxt, `/nodes\.(?:json|yaml)$`}},
	{"cluster-info-dump", []string{logsTxt, podEvents}},
	{"troubleshoot", []string{`/cluster-resources/`}},
	{"support-bundle-kit", []string{saysCreation, `/yamls/(?:cluster|namespaced)(?:/|$)`}},
	{"longhorn", []string{`/yamls/kubernetes(?:/|$)`}},
	{"rancher-logs-collector",
		[]string{`/systeminfo/`, `/(?:(?:rke2|k3s|rke)/(?:kubectl|podlogs|containerlogs)(?:/|$)|journald/)`}},
	{"kubectl-gather", []string{`/gather\.log$`, half}},
	{"sosreport", []string{`/sos_commands/`}},
	{"talos-support", []string{`/kubernetesResources/[^/]*$`}},
	{"kind-export", []string{`/kind-version\.txt$`}},
	{"trident", []string{`/trident-(?:controller|node)(?:-[a-z0-9.-]+)?$`}}, // a flat zip: no extension, the containers in the name
	{"velero", []string{`/resources/[^/]*/(?:cluster|namespaces)(?:/|$)`, `/metadata/version(?:/|$)`}},
	// <group>_<version>/<namespace>/<plural>-<time>
	{"crashd", []string{`/(?:[a-z0-9.]+_)?v\d+(?:(?:alpha|beta)\d+)?/[^/]*/[a-z]+-\d{8,}[0-9.-]*\.json$`}},
	{"gather-extra", []string{`/(?:gather-extra|oc_cmds)/`}},
}

// expressions are those of the marks.
var expressions = sync.OnceValue(func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, l := range layouts {
		for _, m := range l.marks {
			if strings.Contains(m, "/") {
				all[m] = regexp.MustCompile(m)
			}
		}
	}
	return all
})

func (r *Recogniser) mark(m string, is bool) {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	r.seen[m] = r.seen[m] || is
}

// See takes a path into account.
func (r *Recogniser) See(p string) {
	p = "/" + strings.ReplaceAll(p, "!", "/")
	for m, expression := range expressions() {
		if !r.seen[m] && expression.MatchString(p) {
			r.mark(m, true)
		}
	}
	parts := strings.Split(p[1:], "/")
	n := len(parts)
	base, dirs := parts[n-1], parts[:n-1]
	events := (base == "events.json" || base == "events.yaml") && n > 1
	r.mark(half, n > 3 && (slices.Contains(dirs, "cluster") || slices.Contains(dirs, "namespaces")))
	r.mark(podEvents, events && !slices.Contains(dirs, "core") && !slices.Contains(dirs, "cluster-resources"))
	// Only oc adm inspect writes namespaces/<ns>/<ns>.yaml.
	r.mark(inspected, slices.Contains(parts, "cluster-scoped-resources") || n >= 3 && parts[n-3] == "namespaces" && base == parts[n-2]+".yaml")
}

// Version takes the content of a file whose role is Version into account: a must-gather says its name there.
func (r *Recogniser) Version(text string) {
	first, _, _ := strings.Cut(text, "\n")
	r.mark(namesMustGather, strings.Contains(first, "must-gather"))
}

// Metadata takes the content of a file whose role is Metadata into account: support-bundle-kit says there when it ran.
func (r *Recogniser) Metadata(hasCreation bool) { r.mark(saysCreation, hasCreation) }

// Names are the collectors, sorted.
func (r *Recogniser) Names() []string {
	names := map[string]bool{}
	for _, l := range layouts {
		if !slices.ContainsFunc(l.marks, func(m string) bool { return !r.seen[m] }) {
			names[l.name] = true
		}
	}
	if r.seen[inspected] && !names["must-gather"] {
		names["inspect"] = true
	}
	return slices.Sorted(maps.Keys(names))
}
