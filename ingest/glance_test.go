package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongDirectory names a directory with many files of something else: it is said so, until one of them is of a cluster.
func TestWrongDirectory(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() error {
		t.Helper()
		b, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		_, err = Read(context.Background(), b, Options{})
		return err
	}
	for i := range glanceFiles - 1 {
		write(fmt.Sprintf("%03d.txt", i), "In no event shall the pods of peas be liable.\n    po/da.po\n    event/events.c\n")
	}
	if err := read(); err != nil {
		t.Errorf("a small directory is given up: %v", err)
	}
	write("picture.png", "\x89PNG\r\n\x00\x00")
	var e *Error
	if err := read(); !errors.As(err, &e) || !strings.Contains(e.Msg, "is of a Kubernetes cluster: none of 500 files") || e.Hint == "" {
		t.Errorf("got %v", err)
	}
	for name, text := range map[string]string{
		"z.yaml": fmt.Sprintf(pod, 1) + "spec: {x: " + strings.Repeat("y", 2*glanceBytes), // cut off
		"z.txt":  "NAME  READY  STATUS  RESTARTS  AGE\ndb-0  0/1  ContainerCreating  0  6m\n",
		"z.log":  "E1121 06:06:57.000000 1 nestedpendingoperations.go:348] Multi-Attach error for volume \"pvc-1\"\n",
		"z.json": `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}]}`,
	} {
		write(name, text)
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}
