// Package recordings holds what tests read and the generator tells again: incidents with measured truth that are no samples, and examples
// of formats. The program does not import it.
//
// What is real was recorded on real nodes. Of what is played, control plane, attacher and Prometheus were real, and kubelets, storage back
// end and provisioner were played: it is here for the versions, drivers, forms of logs and metrics that no recording on real nodes has.
package recordings

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/volpost/volpost/samples"
)

//go:embed real played formats.zip.zst
var files embed.FS

const suffix = ".zip.zst"

// Kind says what nodes a recording had.
type Kind string

// Real nodes, and played ones.
const (
	Real   Kind = "real"
	Played Kind = "played"
)

// Names are the recordings of a kind.
func Names(kind Kind) []string {
	found, err := fs.Glob(files, string(kind)+"/*"+suffix)
	if err != nil {
		panic(err) // the pattern is constant
	}
	for n, name := range found {
		found[n] = strings.TrimSuffix(path.Base(name), suffix)
	}
	return found
}

// Open unpacks a recording in memory, up to 30 MB. It has the directory bundle and truth.json, what the API server's audit log and watches
// said. Where they were taken it has tsdb, with openmetrics.txt of the same; audit.log; flat and clusterinfo, the same cluster as kubectl
// wrote it; and bundle-later with truth-later.json, where the bundle is of the time when the volume still waited. Metrics and audit log go
// on to the later one.
func Open(name string) (fs.FS, error) {
	for _, kind := range []Kind{Real, Played} {
		if packed, err := files.ReadFile(path.Join(string(kind), name+suffix)); err == nil {
			return samples.Unpack(packed)
		}
	}
	return nil, fmt.Errorf("no recording is called %q", name)
}

// Bundle is what was collected.
func Bundle(name string) (fs.FS, error) {
	whole, err := Open(name)
	if err != nil {
		return nil, err
	}
	return fs.Sub(whole, "bundle")
}

// Truth is what really happened until the bundle was collected.
func Truth(name string) ([]byte, error) {
	whole, err := Open(name)
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(whole, "truth.json")
}

// Formats is one invented incident in each form that collectors, log stores and metric stores give it. SOURCES.md says where each form is
// from.
func Formats() (fs.FS, error) {
	packed, err := files.ReadFile("formats" + suffix)
	if err != nil {
		return nil, err
	}
	return samples.Unpack(packed)
}
