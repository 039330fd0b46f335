// Package layout says what a path inside a bundle tells: which collector wrote the tree, which container a log is of,
// what a collector wrote about its own run, and which namespace and kind a file or directory was listed for. What a file
// holds is for its readers to say; most files need no layout at all.
package layout

import (
	"path"
	"strings"
)

// Role is what a path says that a file is for.
type Role int

// Other: the path says nothing. Timestamp: when the collection ran. Version: which collector wrote the tree. Metadata:
// another account of the collection, or a rendering of what stands elsewhere in the bundle. Date: the output of date(1)
// when it was collected. OwnLog: the collector's log of its own run, which begins and ends with it.
const (
	Other Role = iota
	Timestamp
	Version
	Metadata
	Log
	Date
	OwnLog
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
	{supportBundlePlace},
	{troubleshootPlace},
	{rancherPlace},
	{sosPlace},
	{talosPlace},
	{mustGatherPlace},
	{podLogsPlace},
	{containerLogPlace},
	{flatLogPlace},
	{clusterInfoPlace},
	{gatherPlace},
}

// Of tells what the path of a file or directory says. An archive counts as a directory.
func Of(p string) Place {
	p = strings.ReplaceAll(p, "!", "/")
	parts := strings.Split(p, "/")
	for _, c := range collectors {
		if place, ok := c.place(p, parts); ok {
			return place
		}
	}
	return Place{Root: path.Dir(p)}
}
