package model

import "strings"

// Collection is one run of a collector.
type Collection struct {
	Root       string // its directory, with archives as directories and "." for the top
	CapturedAt Moment
	From       Evidence // what shows CapturedAt, without ID
	How        CollectedHow
}

// Holds reports whether a path of the bundle lies in the collection.
func (c Collection) Holds(path string) bool {
	path = strings.ReplaceAll(path, "!", "/") // members of an archive lie in it as in a directory
	return c.Root == "." || path == c.Root || strings.HasPrefix(path, c.Root+"/")
}

// CollectionOf is the innermost of several collections that holds a path; nil when none does, or there are not several.
func (s *Snapshot) CollectionOf(path string) *Collection {
	var best *Collection
	for i := range s.Collections {
		if c := &s.Collections[i]; c.Holds(path) && (best == nil || best.Root == "." || c.Root != "." && len(c.Root) > len(best.Root)) {
			best = c
		}
	}
	return best
}
