// Record plays one scenario in a cluster and writes what a must-gather shows (bundle/), what happened (truth.json) and README.md. It must
// run as root in a network namespace of its own; ../../record does that.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/volpost/volpost/samples/record/internal/scenario"
)

func main() {
	dir := flag.String("dir", "", "directory of the lab's artefacts")
	out := flag.String("out", "", "directory of the recordings")
	name := flag.String("name", "", "name of the recording; that of the scenario if empty")
	version := flag.String("version", "", "version of Kubernetes")
	verbosity := flag.Int("controller-v", 2, "-v of kube-controller-manager")
	flag.Usage = usage
	flag.Parse()
	if flag.NArg() != 1 {
		usage()
		os.Exit(2)
	}
	sc, err := scenario.Find(flag.Arg(0))
	if err != nil {
		fail(err)
	}
	if *name == "" {
		*name = sc.Name
	}
	r := &recording{scenario: sc, name: *name, version: *version, dir: *dir, out: filepath.Join(*out, *name), verbosity: *verbosity}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan error, 1)
	go func() { done <- r.make() }()
	select {
	case err = <-done:
	case s := <-stop:
		err = fmt.Errorf("%v", s)
	}
	r.cleanUp(err)
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "record:", err)
	os.Exit(1)
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: record [flags] SCENARIO\n\nflags:")
	flag.PrintDefaults()
	fmt.Fprintln(os.Stderr, "\nscenarios:")
	for _, s := range scenario.All() {
		fmt.Fprintf(os.Stderr, "  %-28s %s\n", s.Name, s.Title)
	}
}
