package archive

import (
	"io/fs"
	"syscall"
)

// Attributes of a file that may be longer than what it takes (winnt.h, FILE_ATTRIBUTE_…).
const (
	attributeSparse     = 0x200
	attributeCompressed = 0x800
)

// onDisk is how many bytes a file takes. Windows says without another call only that a file is neither sparse nor compressed.
func onDisk(info fs.FileInfo) (n int64, ok bool) {
	attr, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok || attr.FileAttributes&(attributeSparse|attributeCompressed) != 0 {
		return 0, false
	}
	return info.Size(), true
}
