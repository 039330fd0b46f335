package ingest

import (
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestPackedRecorded wants every recorded object to come back as it went in. Those that are plain are not compared when they are
// packed.
func TestPackedRecorded(t *testing.T) {
	plain, others := 0, 0
	visit := func(path string, data []byte) {
		limits := manifest.Limits{Prepare: func(r *manifest.Record) {
			if back, known := unchanged(r); known && !back {
				t.Errorf("%s: %s comes back as something else", path, r.Ref)
			} else if known && r.Plain {
				plain++
			} else if known {
				others++
			}
		}}
		_ = limits.Read(data, path, func(manifest.Record) {})
	}
	var roots []fs.FS
	for _, s := range samples.List() {
		bundle, err := samples.Bundle(s.Name)
		must(t, err)
		roots = append(roots, bundle)
	}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		whole, err := recordings.Open(name)
		must(t, err)
		roots = append(roots, whole)
	}
	forms, err := recordings.Formats()
	must(t, err)
	roots = append(roots, forms)
	for _, root := range roots {
		must(t, fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".json") {
				return err
			}
			data, err := fs.ReadFile(root, path)
			if err == nil {
				visit(path, data)
			}
			return err
		}))
	}
	t.Logf("%d plain objects and %d others", plain, others)
	if plain < 500 {
		t.Error("too few to mean anything")
	}
}

// unchanged packs and unpacks the value of a record. known is false for what is not packed.
func unchanged(r *manifest.Record) (back, known bool) {
	was, ok := r.Value.(runtime.Object)
	if !ok {
		return false, false
	}
	held, _ := content(r) // which trims the value, too
	was.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	is := reflect.ValueOf(held).MethodByName("Value").Call(nil)[0].Interface()
	return equality.Semantic.DeepEqual(was, is), true
}

// TestPackedWhole wants what protobuf has no room for to be held as it is.
func TestPackedWhole(t *testing.T) {
	text := "apiVersion: v1\nkind: Node\nmetadata:\n  name: worker-1\n  creationTimestamp: \"2026-03-14T09:26:53%sZ\"\n"
	for fraction, want := range map[string]time.Duration{"": 0, ".25": 250 * time.Millisecond} {
		found := false
		limits := manifest.Limits{Prepare: func(r *manifest.Record) { prepare(r, "nodes.yaml") }}
		limits.Read([]byte(strings.Replace(text, "%s", fraction, 1)), "nodes.yaml", func(r manifest.Record) {
			node := r.Prepared.(prepared).content.(model.Content[*corev1.Node]).Value()
			if got := time.Duration(node.CreationTimestamp.Nanosecond()); got != want {
				t.Errorf("%q: %s", fraction, got)
			}
			found = true
		})
		if !found {
			t.Errorf("%q: not read", fraction)
		}
	}
}
