package archive

import (
	"path/filepath"
	"strings"
)

// Local is where an entry of a directory of the system lies; false for members of archives, and for names that are written differently.
func (t *Tree) Local(p string) (string, bool) {
	if strings.ContainsAny(p, "!%") {
		return "", false
	}
	for _, s := range t.sources {
		if rest, ok := strings.CutPrefix(p, s.prefix); ok && s.root != nil && (s.prefix != "" || len(t.sources) == 1) {
			return filepath.Join(s.root.Name(), filepath.FromSlash(rest)), true
		}
	}
	return "", false
}
