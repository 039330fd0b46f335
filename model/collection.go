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

// Collected finds the collection that holds a path, of several.
type Collected map[string]*Collection // by their roots

// Collected is empty when the snapshot has not several collections.
func (s *Snapshot) Collected() Collected {
	out := make(Collected, len(s.Collections))
	for i := range s.Collections {
		if c := &s.Collections[i]; out[c.Root] == nil {
			out[c.Root] = c
		}
	}
	return out
}

// Of is the innermost collection that holds a path; nil when none does.
func (c Collected) Of(path string) *Collection {
	if len(c) == 0 {
		return nil
	}
	path = strings.ReplaceAll(path, "!", "/")
	for {
		if of := c[path]; of != nil {
			return of
		}
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			return c["."]
		}
		path = path[:at]
	}
}
