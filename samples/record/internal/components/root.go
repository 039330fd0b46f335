package components

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// mountTools are the programs that the driver's node server calls; they come from this machine.
var mountTools = []string{"mount", "umount", "blkid", "mkfs.ext4", "fsck", "fsck.ext4", "e2fsck", "losetup",
	"truncate", "tune2fs", "resize2fs",
	"dumpe2fs", "findmnt", "lsblk", "blockdev", "sh", "ls", "cat"}

// root is the file system of an image: for each path the file that goes there.
type root struct {
	order []string
	files map[string]string
	err   error
}

func newRoot() *root { return &root{files: map[string]string{}} }

func (r *root) file(path, from string) *root {
	if _, ok := r.files[path]; !ok {
		r.order = append(r.order, path)
		r.files[path] = from
	}
	return r
}

var library = regexp.MustCompile(`/[^ ]+`)

// tool adds a program of this machine and the libraries that it is linked to.
func (r *root) tool(name string) {
	path, err := exec.LookPath(name)
	if err != nil {
		r.err = err
		return
	}
	r.file(inUsr(path), path)
	out, _ := exec.Command("ldd", path).Output() // it fails for a static program
	for l := range strings.Lines(string(out)) {
		if lib := library.FindString(l); lib != "" {
			r.file(inUsr(lib), lib)
		}
	}
}

// inUsr is where a path really lies on a system whose /bin, /sbin and /lib are links into /usr.
func inUsr(path string) string {
	path = strings.TrimPrefix(path, "/")
	if strings.HasPrefix(path, "usr/") {
		return path
	}
	return "usr/" + path
}

func (r *root) layer() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, d := range []string{"tmp", "etc", "dev", "usr", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64"} {
		w.WriteHeader(&tar.Header{Name: d + "/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: epoch})
	}
	for _, d := range []string{"bin", "sbin", "lib", "lib64"} {
		w.WriteHeader(&tar.Header{Name: d, Typeflag: tar.TypeSymlink, Linkname: "usr/" + d, Mode: 0o777, ModTime: epoch})
	}
	for _, path := range r.order {
		b, err := os.ReadFile(r.files[path])
		if err != nil {
			return nil, fmt.Errorf("image: %s: %w", filepath.Base(path), err)
		}
		w.WriteHeader(&tar.Header{Name: path, Mode: 0o755, Size: int64(len(b)), ModTime: epoch})
		w.Write(b)
	}
	return buf.Bytes(), w.Close()
}
