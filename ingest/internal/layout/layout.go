// Package layout says what a path inside a bundle shows: which collector wrote the tree, which container a log is of, what a collector
// wrote about its own run, and for which namespace and kind a file or directory was listed. Most files need no layout.
package layout

import (
	"cmp"
	"path"
	"slices"
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

// Place is what a path says. Fields are empty when it does not.
type Place struct {
	Role                      Role
	Root                      string // the collector's directory that holds the file, "." at the top
	Namespace, Pod, Container string
	// Collection is the plural, such as volumeattachments, of a directory or file that holds all objects of a kind.
	Collection string
	// ClusterScoped: the collection lies where the collector keeps what has no namespace.
	ClusterScoped bool
}

// Of reads the path of a file or directory. An archive counts as a directory.
func Of(p string) Place {
	p = strings.ReplaceAll(p, "!", "/")
	for i := range places {
		l := &places[i]
		if !strings.Contains(p, l.word) {
			continue
		}
		path := l.path()
		m := path.FindStringSubmatch(p)
		if m == nil {
			continue
		}
		m[0] = "" // what a row lacks
		part := func(name string) string { return m[max(path.SubexpIndex(name), 0)] }
		root := part("root")
		if strings.HasPrefix(path.String(), first) && slices.Contains(strings.Split(root, "/"), l.word) {
			continue
		}
		return Place{
			Role: l.role, ClusterScoped: l.scoped, Root: cmp.Or(root, "."),
			Namespace: part("namespace"), Pod: part("pod"), Container: part("container"), Collection: part("collection"),
		}
	}
	return Place{Root: path.Dir(p)}
}
