package ingest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// A long list, and one of which nobody knows how long it is, are read item by item: with the same result, beyond the limit of
// what is read into memory.
func TestLongLists(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nitems:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%d\n  data:\n    x: |\n%s", i,
			strings.Repeat("      kind: Node\n", smallFile/17/30))
		fmt.Fprintf(&b, "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: n%d\n    creationTimestamp: \"2026-03-14T09:26:53Z\"\n  "+
			"status:\n    volumesInUse:\n    - kubernetes.io/csi/d^v%d\n", i, i)
	}
	b.WriteString("kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	list := []byte(b.String())
	if len(list) <= smallFile {
		t.Fatal(len(list))
	}
	whole := describe(readFS(t, fstest.MapFS{"nodes.yaml": {Data: append([]byte("\xef\xbb\xbf"), list...)}}))
	if !strings.Contains(whole, "n39") || !strings.Contains(whole, "list Node") {
		t.Fatalf("%.1000s", whole)
	}
	whole = strings.Replace(whole, fmt.Sprint(len(list)+3), fmt.Sprint(len(list)), 1) // the byte order mark
	limits := Limits{ManifestBytes: 1 << 20}
	for name, data := range map[string][]byte{"nodes.yaml": list, "nodes.yaml.gz": gzipOf(t, list)} {
		b := OpenFS(fstest.MapFS{name: {Data: data}}, "test")
		s, err := Read(t.Context(), b, Options{Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(describe(s), "nodes.yaml.gz!", ""); got != whole {
			gotLines, wantLines := strings.Split(got, "\n"), strings.Split(whole, "\n")
			for i := range min(len(gotLines), len(wantLines)) {
				if gotLines[i] != wantLines[i] {
					t.Fatalf("%s: line %d: got\n%s\nwant\n%s", name, i, gotLines[i], wantLines[i])
				}
			}
			t.Fatalf("%s: %d lines, want %d", name, len(gotLines), len(wantLines))
		}
		must(t, b.Close())
	}
}
