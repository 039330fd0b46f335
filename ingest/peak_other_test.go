//go:build !unix

package ingest

import "os"

// peakMemory is not told by these systems.
func peakMemory(*os.ProcessState) (int64, bool) { return 0, false }
