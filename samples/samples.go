// Package samples embeds recorded incidents with their measured truth. Each folder has README.md (what was done and what to notice),
// bundle.zip.zst (what was collected), truth.json (what audit log and watches say happened) and golden/ (volpost's output).
package samples

import (
	"archive/zip"
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

//go:embed */README.md */bundle.zip.zst */truth.json
var files embed.FS

// Sample is one recorded incident.
type Sample struct {
	Name  string // the folder's name, as in sample:NAME
	Title string // one line: the heading of its README
}

// List returns the samples by name.
func List() []Sample {
	readmes, err := fs.Glob(files, "*/README.md")
	if err != nil {
		panic(err) // the pattern is constant
	}
	out := make([]Sample, 0, len(readmes))
	for _, path := range readmes {
		name, _, _ := strings.Cut(path, "/")
		out = append(out, Sample{Name: name, Title: title(path)})
	}
	return out
}

// title is the first line of a README without its mark.
func title(path string) string {
	text, err := files.ReadFile(path)
	if err != nil {
		panic(err) // the path comes from the embedded list
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimPrefix(line, "# ")
}

// Bundle is the collected bundle of a sample, read from the embedded archive into memory: the largest has 4 MB.
func Bundle(name string) (fs.FS, error) {
	packed, err := read(name, "bundle.zip.zst")
	if err != nil {
		return nil, err
	}
	bundle, err := Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("the archive of the sample %s: %w", name, err)
	}
	return bundle, nil
}

// Unpack reads an archive that samples/pack wrote.
func Unpack(packed []byte) (fs.FS, error) {
	d, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var archive bytes.Buffer // doubles; DecodeAll copies what it has for each block of a frame that has no size
	if _, err := d.WriteTo(&archive); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
}

// Truth is the measured truth of a sample, as JSON. Times are arrivals at a watch unless a name ends in Value.
func Truth(name string) ([]byte, error) { return read(name, "truth.json") }

// Readme says what was done to the cluster of a sample.
func Readme(name string) (string, error) {
	text, err := read(name, "README.md")
	return string(text), err
}

// Extract writes a sample into a new directory: README.md, truth.json and bundle. It overwrites no file.
func Extract(name, dir string) error {
	bundle, err := Bundle(name)
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "bundle"), bundle); err != nil {
		return err
	}
	sample, err := fs.Sub(files, name)
	if err != nil {
		return err
	}
	for _, file := range []string{"README.md", "truth.json"} {
		text, err := fs.ReadFile(sample, file)
		if err != nil {
			return err
		}
		if err := writeNew(filepath.Join(dir, file), text); err != nil {
			return err
		}
	}
	return nil
}

func writeNew(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// read refuses names that are not in the list, so that a name with slashes reaches no other file.
func read(name, file string) ([]byte, error) {
	for _, s := range List() {
		if s.Name == name {
			return files.ReadFile(name + "/" + file)
		}
	}
	return nil, fmt.Errorf("no sample is called %q", name)
}
