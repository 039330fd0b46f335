package cluster

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLinksOfTheClustersDisksAreRemovedAndNoOthers(t *testing.T) {
	dir := t.TempDir()
	cloud, byID := filepath.Join(dir, "cloud"), filepath.Join(dir, "disk", "by-id")
	for _, d := range []string{cloud, byID} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(cloud, "pvc-1.img"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, l := range []string{"google-pvc-1", "google-pvc-2"} {
		if err := os.Symlink("/dev/loop77", filepath.Join(byID, l)); err != nil {
			t.Fatal(err)
		}
	}
	unlink(cloud, byID)
	left, err := filepath.Glob(filepath.Join(byID, "*"))
	if err != nil || len(left) != 1 || filepath.Base(left[0]) != "google-pvc-2" {
		t.Errorf("left are %q, %v; want the link of another cluster's disk", left, err)
	}
	os.Remove(left[0])
	unlink(cloud, byID)
	if _, err := os.Stat(filepath.Join(dir, "disk")); !os.IsNotExist(err) {
		t.Errorf("the empty directories are left: %v", err)
	}
}
