//go:build !unix

package guard

import (
	"io/fs"
	"os"
)

// variable is what os.TempDir reads first.
const variable = "TMP"

// directory is where compiled code may be kept: the cache directory of these systems belongs to one user already.
func directory() (string, bool) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false
	}
	dir := cache + `/volpost-wasm`
	return dir, os.MkdirAll(dir, 0o700) == nil
}

func mine(fs.FileInfo) bool { return true }
