// Command volpost explains Kubernetes "Multi-Attach" incidents offline, from what was collected: must-gathers, kubectl
// dumps, controller logs.
//
// The package turns flags into three calls, ingest.Read, analyze.Run and report.Write, and their results into exit
// codes. It computes nothing about a cluster.
package main

import (
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

// softMemory is from where on the garbage collector works harder: the limits of package ingest keep what is alive below
// it, and the process stays below 1.5 GB. Bundles of a usual size take a tenth.
const softMemory = 1340 << 20

func main() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(softMemory)
	}
	signal.Ignore(syscall.SIGPIPE) // writing to a pipe that nobody reads any more is an error like any other
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
