package guard

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/volpost/volpost/samples/recordings"
)

// A disk without room keeps nothing, and one that can only be read is read: in either case the program draws.
func TestDisks(t *testing.T) {
	if !recordings.Long || os.Geteuid() != 0 {
		t.Skip("a short test, or not root: cannot mount a small disk")
	}
	dir := secluded(t)
	for _, c := range []struct {
		name, options string
		filled, want  bool
	}{
		{"full", "size=1m", false, false},
		{"almost full", "size=12m", false, false}, // the code has room there, and a probe has not
		{"empty", "size=64m", false, true},
		{"only to read", "size=64m", true, true},
	} {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, c.options+",mode=755"); err != nil {
			t.Skip(err)
		}
		if c.filled {
			run(t, 0, "HOME="+dir)
			if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Error(err)
			}
		}
		run(t, 0, "HOME="+dir)
		if got := len(kept(filepath.Join(dir, ".cache"))) == 1; got != c.want {
			t.Errorf("%s: code is kept: %t", c.name, got)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".cache", "volpost-wasm", "new-*")); len(left) > 0 {
			t.Errorf("%s: %v is left", c.name, left)
		}
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Fatal(err)
		}
	}
}
