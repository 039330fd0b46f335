// Command generate writes the must-gather of a cluster of any size, with incidents at known places, and their truth.
//
// go run -C samples/generate . -scale small -seed 1 -o /path/DIR
// go run -C samples/generate . -nodes 5000 -pods 150000 -volumes 60000 -incidents 200 -logs 10G -o /path/DIR
//
// Each incident is a copy of a whole recording under other names, UIDs, addresses and times, with the names of VolumeAttachments computed
// anew. Around them are copies of a recording's innocent workloads, and of their controllers' lines at -v=2 and -v=4, up to the wanted
// numbers of objects and size of logs. One control plane, that of the recording clean, serves all.
//
// volpost reads DIR/bundle. DIR/truth.json is as the samples' truth: volumes name recording and class of cause. Same flags, same bytes.
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
