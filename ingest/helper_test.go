package ingest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// bundleOf makes a file system of a txtar archive.
func bundleOf(archive string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if fs.ValidPath(f.Name) {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

func readFS(t testing.TB, fsys fs.FS) *model.Snapshot {
	t.Helper()
	b := OpenFS(fsys, "test")
	t.Cleanup(func() { _ = b.Close() }) // removes what was copied of blocks
	s, err := Read(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// describe writes everything that a snapshot says, for comparing two.
func describe(s *model.Snapshot) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Layouts, s.CapturedAt, s.CapturedFrom)
	for _, l := range s.Lists {
		fmt.Fprintln(&b, "list", l.Kind, l.Namespace)
	}
	objectsOf(&b, s.Nodes)
	objectsOf(&b, s.Pods)
	objectsOf(&b, s.PersistentVolumes)
	objectsOf(&b, s.PersistentVolumeClaims)
	objectsOf(&b, s.Namespaces)
	objectsOf(&b, s.VolumeAttachments)
	objectsOf(&b, s.CSINodes)
	objectsOf(&b, s.CSIDrivers)
	objectsOf(&b, s.StorageClasses)
	objectsOf(&b, s.Leases)
	objectsOf(&b, s.Deployments)
	objectsOf(&b, s.ReplicaSets)
	objectsOf(&b, s.StatefulSets)
	objectsOf(&b, s.DaemonSets)
	objectsOf(&b, s.Jobs)
	objectsOf(&b, s.ClusterVersions)
	objectsOf(&b, s.PrometheusRules)
	for _, o := range s.Observations {
		fmt.Fprintf(&b, "%+v\n", o)
	}
	for _, in := range s.Inputs {
		fmt.Fprintf(&b, "input %s %s %d %d %d %d %v %v\n", in.Path, in.Kind, in.Bytes, in.Records, in.Used, in.Skipped, in.From, in.To)
	}
	for _, p := range s.Problems {
		fmt.Fprintf(&b, "problem %+v\n", p)
	}
	for _, n := range s.NotCollected {
		fmt.Fprintf(&b, "missing %+v\n", n)
	}
	return b.String()
}

func objectsOf[T any](b *strings.Builder, list []model.Object[T]) {
	for _, o := range list {
		fmt.Fprintf(b, "%+v %d %+v %s\n", o.Ref, o.ResourceVersion, o.Source(), o.Input)
	}
}

// recorded are directories of the recordings that are no samples: of each the parts that it has.
func recorded(t testing.TB, parts ...string) []string {
	t.Helper()
	root := t.TempDir()
	var dirs []string
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		whole, err := recordings.Open(name)
		must(t, err)
		for _, part := range parts {
			if _, err := fs.Stat(whole, part); err != nil {
				continue
			}
			dir := filepath.Join(root, name, part)
			must(t, os.MkdirAll(filepath.Dir(dir), 0o700))
			dirs = append(dirs, dir)
			if text, err := fs.ReadFile(whole, part); err == nil {
				must(t, os.WriteFile(dir, text, 0o600))
				continue
			}
			inside, err := fs.Sub(whole, part)
			must(t, err)
			must(t, os.CopyFS(dir, inside))
		}
	}
	if len(dirs) == 0 {
		t.Fatalf("no recording has one of %v", parts)
	}
	return dirs
}

func readDir(t testing.TB, dir string) *model.Snapshot {
	t.Helper()
	b, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	s, err := Read(context.Background(), b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fileText(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
