//go:build !unix

package graphviz

import (
	"os"
	"path/filepath"
)

// directory is where the compiled code may be kept: the cache directory of these systems belongs to one user already. It
// answers false where there is none.
func directory() (*store, bool) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, false
	}
	dir := filepath.Join(cache, "volpost-wasm")
	return &store{path: dir}, os.MkdirAll(dir, 0o700) == nil
}
