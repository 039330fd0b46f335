// Command volpost explains Kubernetes "Multi-Attach" incidents offline from what was collected: must-gathers, kubectl dumps, logs.
//
// The package turns flags into ingest.Read, analyze.Run and report.Write, and results into exit codes. It computes nothing about a cluster.
package main

import (
	"math"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	_ "time/tzdata" // the zones, for systems that have none
)

// softMemory is from where on the garbage collector works harder: the limits of package ingest keep what is alive below it, and the process
// stays below 1.5 GB. Bundles of a usual size take a tenth.
const softMemory = 1340 << 20

// leanMemory is what an analysis of metrics may add before the collector works harder: rules over the metrics of tens of thousands of pods
// keep a quarter of a gigabyte, and leave many gigabytes behind.
const leanMemory = 320 << 20

// lean leaves an analysis as little memory to spare, until what it returns is called.
func lean() (done func()) {
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(alive)
	was := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(was, int64(alive[0].Value.Uint64())+leanMemory))
	return func() { debug.SetMemoryLimit(was) }
}

func main() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT is not set
		debug.SetMemoryLimit(softMemory)
	}
	signal.Ignore(syscall.SIGPIPE) // writing to a pipe that has no reader any more is an error like any other
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
