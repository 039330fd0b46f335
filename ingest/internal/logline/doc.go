// Package logline reads the syntax of Kubernetes component logs: klog text (printf and structured), the JSON format of
// --logging-format=json, the logfmt of CSI drivers, and what collectors, runtimes, tools and log services put around either:
// CRI, docker json-file, journald, kubectl logs --prefix, stern, kail, grep, test runners, and through package envelope the
// exports in JSON and comma-separated tables. A Scanner yields one record at a time with bounded memory, whatever the input.
//
// A line is read in three steps: its prefixes are taken off until a header comes (strip.go), lines without a header join
// the record before them (scanner.go), and the header's clock is placed by the wrapper's (place.go).
//
// Most lines of a long log need none of this. The input is cut into blocks (block.go), which several goroutines read and sort out
// (pipeline.go): lines in the usual form that say nothing are counted in stretches (plain.go, stretch.go), and the scanner passes
// over these.
//
// It knows no meaning: which line matters, and what it says of volumes or nodes, is package phrase's.
package logline
