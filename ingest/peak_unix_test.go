//go:build unix

package ingest

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process that has ended ever had, in bytes.
func peakMemory(state *os.ProcessState) (int64, bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" { // which counts bytes; others count KiB
		peak <<= 10
	}
	return peak, true
}
