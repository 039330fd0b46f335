// Package played holds older recordings, whose control plane was real and whose kubelets, storage back end and provisioner were
// played. They are no samples, and no part of volpost: the generator tells them again, and tests read them for versions and
// drivers that no sample has.
package played

import (
	"embed"
	"io/fs"
	"path"

	"github.com/volpost/volpost/samples"
)

//go:embed */bundle.zip.zst */truth.json
var files embed.FS

// List names the recordings.
func List() []string {
	found, err := fs.Glob(files, "*/truth.json")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for n := range found {
		found[n] = path.Dir(found[n])
	}
	return found
}

// Bundle is what was collected.
func Bundle(name string) (fs.FS, error) {
	packed, err := files.ReadFile(path.Join(name, "bundle.zip.zst"))
	if err != nil {
		return nil, err
	}
	return samples.Unpack(packed)
}

// Truth is what the API server's audit log and watches said.
func Truth(name string) ([]byte, error) { return files.ReadFile(path.Join(name, "truth.json")) }
