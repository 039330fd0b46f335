// Package recordings holds incidents with measured truth, and examples of formats, for tests and the generator. The program has none.
//
// Real ones are of real nodes. Played ones had a real control plane, attacher and Prometheus: more versions, drivers, log forms, metrics.
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

// Open unpacks a recording in memory, up to 30 MB: bundle, truth.json and, if taken, tsdb with openmetrics.txt, audit.log, flat,
// clusterinfo (the cluster by kubectl), bundle-later and truth-later.json: the first is then of an open wait; metrics, audit log go on.
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

// Formats is one invented incident in the forms of collectors, log stores and metric stores; SOURCES.md names their sources.
func Formats() (fs.FS, error) {
	packed, err := files.ReadFile("formats" + suffix)
	if err != nil {
		return nil, err
	}
	return samples.Unpack(packed)
}
