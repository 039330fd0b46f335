package archive

import (
	"io"
	"io/fs"
	"os"
)

// sparseFactor is how much longer than its space on the disk a file without holes may be: ZFS and btrfs keep logs in up to a thirtieth.
const sparseFactor = 32

// plainBytes is how many bytes of a file are on the disk as they are read: no limit of unpacked bytes is for them. It is 0 for what is no
// regular file, and where the system does not say; what is written from now on is not counted.
func plainBytes(r io.Reader) int64 {
	f, ok := r.(fs.File)
	if !ok {
		return 0
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	space, ok := onDisk(info)
	if !ok || space <= 0 {
		return 0
	}
	if space > info.Size()/sparseFactor {
		return info.Size()
	}
	return space * sparseFactor
}

// borrow makes a stream of the caller one that can be closed without being closed. A file stays a file.
func borrow(r io.Reader) io.ReadCloser {
	if f, ok := r.(*os.File); ok {
		return borrowed{f}
	}
	return io.NopCloser(r)
}

type borrowed struct{ *os.File }

// Close leaves the file open.
func (borrowed) Close() error { return nil }
