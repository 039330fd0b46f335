package strictjson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// finding is a place that does not keep the schema, with its path as it stands in the text.
type finding struct {
	path    []step
	offset  int
	message string
}

// found notes that the value that begins at offset does not keep the schema, unless a place as deep or deeper was found
// before. A text can have millions of such places: what to say is asked only of one that is kept.
func (w *walk) found(offset int, say func() string) {
	if w.worst == nil || len(w.path) > len(w.worst.path) {
		w.worst = &finding{path: slices.Clone(w.path), offset: offset, message: say()}
	}
}

// isA checks the type of the value that begins at offset.
func (w *walk) isA(kind kinds, n *node, offset int) bool {
	if n.types == 0 || n.types&kind != 0 || kind == integer && n.types&number != 0 {
		if n.allowed != nil && kind != text {
			w.found(offset, n.wantAllowed())
		}
		return true
	}
	w.found(offset, func() string { return fmt.Sprintf("got %v, want %v", kind, n.types) })
	return false
}

// wantAllowed says which texts are allowed.
func (n *node) wantAllowed() func() string {
	return func() string {
		if len(n.allowed) == 1 {
			return "value must be " + quote(n.allowed[0])
		}
		var all []string
		for _, a := range n.allowed {
			all = append(all, quote(a))
		}
		return "value must be one of " + strings.Join(all, ", ")
	}
}

// complete checks that an object has all keys that it needs.
func (w *walk) complete(n *node, keys *keySet, start int) {
	if n.needed&^keys.exact == 0 {
		return
	}
	w.found(start, func() string {
		var missing []string
		for _, name := range n.required {
			if keys.exact&(1<<n.index[name]) == 0 {
				missing = append(missing, quote(name))
			}
		}
		if len(missing) == 1 {
			return "missing property " + missing[0]
		}
		return "missing properties " + strings.Join(missing, ", ")
	})
}

// long checks that an array is long enough.
func (w *walk) long(count int, n *node, start int) {
	if count < n.minItems {
		w.found(start, func() string { return fmt.Sprintf("minItems: got %d, want %d", count, n.minItems) })
	}
}

// breach is what was found, with its place.
func (w *walk) breach() *Breach {
	if w.worst == nil {
		return nil
	}
	b := &Breach{Offset: w.worst.offset, Path: []string{}}
	var place strings.Builder
	for _, s := range w.worst.path {
		name := strconv.Itoa(s.index)
		if s.key != nil {
			name = decoded(s.key, false)
		}
		b.Path = append(b.Path, name)
		place.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	b.Message = "at " + quote(place.String()) + ": " + w.worst.message
	return b
}

// quote puts s in single quotes.
func quote(s string) string {
	s = strings.ReplaceAll(strconv.Quote(s), `\"`, `"`)
	return "'" + strings.ReplaceAll(s[1:len(s)-1], "'", `\'`) + "'"
}
