// Package layout says what a path inside a bundle tells: which collector wrote the tree, which container a log is of,
// what a collector wrote about its own run, and which namespace and kind a file or directory was listed for. What a file
// holds is for its readers to say; most files need no layout at all.
package layout

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Role is what a path says that a file is for.
type Role int

// Other: the path says nothing. Timestamp: when the collection ran. Version: which collector wrote the tree. Metadata:
// another account of the collection, or a rendering of what stands elsewhere in the bundle.
const (
	Other Role = iota
	Timestamp
	Version
	Metadata
	Log
)

// Place is what a path tells. Fields are empty when it does not.
type Place struct {
	Role                      Role
	Root                      string // the collector's directory that holds the file, "." at the top
	Namespace, Pod, Container string
	// Collection is the plural, such as volumeattachments, of a directory or file that holds all objects of a kind.
	Collection string
	// ClusterScoped: the collection lies where the collector keeps what has no namespace.
	ClusterScoped bool
}

// collector recognises the paths of one way to lay out a bundle.
type collector struct {
	place func(p string, parts []string) (Place, bool)
}

// collectors in the order in which they are asked; the first that knows a path decides.
var collectors = []collector{
	{mustGatherPlace},
	{podLogsPlace},
	{containerLogPlace},
	{clusterInfoPlace},
}

// Of tells what the path of a file or directory says.
func Of(p string) Place {
	parts := strings.Split(p, "/")
	for _, c := range collectors {
		if place, ok := c.place(p, parts); ok {
			return place
		}
	}
	return Place{Root: path.Dir(p)}
}

// Recognise names the collectors that laid out a tree, sorted. versions are the contents of the files whose role is
// Version, by no particular order: a must-gather says its name there.
func Recognise(paths []string, versions []string) []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var inspected, clusterInfo, nodes bool
	for _, p := range paths {
		parts := strings.Split(p, "/")
		switch {
		case slices.ContainsFunc(parts, func(s string) bool {
			return imageDir.MatchString(s) || strings.HasPrefix(s, "must-gather.local")
		}):
			add("must-gather")
		case slices.Contains(parts, "cluster-scoped-resources"), isInspectedNamespace(parts):
			inspected = true
		}
		base := parts[len(parts)-1]
		nodes = nodes || base == "nodes.json" || base == "nodes.yaml"
		clusterInfo = clusterInfo || base == "logs.txt" && len(parts) > 2
	}
	for _, v := range versions {
		first, _, _ := strings.Cut(v, "\n")
		if strings.Contains(first, "must-gather") {
			add("must-gather")
		}
	}
	if inspected && len(names) == 0 {
		add("inspect")
	}
	if clusterInfo && nodes {
		add("cluster-info-dump")
	}
	slices.Sort(names)
	return names
}

// imageDir is the directory that oc makes of the image's id.
var imageDir = regexp.MustCompile(`-sha256-[0-9a-f]{64}$`)
