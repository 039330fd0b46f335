// Command generate writes the must-gather of a cluster of any size, with incidents at known places, and their truth beside it.
//
//	go run -C samples/generate . -scale small -seed 1 -o /path/DIR
//	go run -C samples/generate . -nodes 5000 -pods 150000 -volumes 60000 -incidents 200 -logs 10G -o /path/DIR
//
// It multiplies what was recorded. Each incident is a whole recording: its nodes, pods, volumes, attachments, events and log lines come
// again under other names, UIDs, addresses and times, the same ones wherever they are named, and the names of VolumeAttachments
// are computed anew from what they are made of. Around them are the innocent workloads of a recording, as often as it takes to reach the
// numbers of pods, volumes and nodes, and the lines that their controllers log at -v=2 and -v=4, as often as it takes to reach the size of the
// logs. One control plane, that of the recording clean, serves all.
//
// DIR/bundle is what volpost reads. DIR/truth.json says what happened, in the form of the samples' truth: each affected volume names
// the recording that it comes from and the class of its cause. The same flags write the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(2)
		}
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes what the arguments ask for.
func run(args []string, stderr io.Writer) error {
	size, dir, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("%s exists; hint: -o wants a directory that does not exist yet", dir)
	}
	p, err := newPlan(size)
	if err != nil {
		return err
	}
	return p.write(dir)
}
