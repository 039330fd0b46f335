//go:build unix

package archive

import (
	"io/fs"
	"syscall"
)

// blockUnit is what st_blocks counts (POSIX leaves it open; Linux, macOS and the BSDs agree).
const blockUnit = 512

// onDisk is how many bytes a file takes there, in whole blocks. It returns false when that is not known.
func onDisk(info fs.FileInfo) (n int64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int64(st.Blocks) * blockUnit, true
}
