package main

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// size is what a bundle is to hold. Objects are met exactly, if incidents and control plane leave room; log bytes within a few per cent.
type size struct {
	seed                            uint64
	nodes, pods, volumes, incidents int
	logs                            int64
}

// scales are named sizes. The largest is the largest supported cluster (kubernetes.io: 5,000 nodes, 150,000 pods).
var scales = map[string]size{
	"small":  {nodes: 80, pods: 600, volumes: 150, incidents: 24, logs: 8 << 20},
	"medium": {nodes: 500, pods: 15_000, volumes: 6_000, incidents: 60, logs: 1 << 30},
	"large":  {nodes: 5_000, pods: 150_000, volumes: 60_000, incidents: 200, logs: 10 << 30},
}

// parse reads the flags. Those that are given change the scale.
func parse(args []string, stderr io.Writer) (size, string, error) {
	f := flag.NewFlagSet("generate", flag.ContinueOnError)
	f.SetOutput(stderr)
	scale := f.String("scale", "small", "small, medium or large: the sizes that the other flags change")
	seed := f.Uint64("seed", 1, "names, UIDs and places follow from it")
	nodes := f.Int("nodes", 0, "nodes of the cluster")
	pods := f.Int("pods", 0, "pods")
	volumes := f.Int("volumes", 0, "PersistentVolumes, each with a claim and an attachment")
	incidents := f.Int("incidents", -1, "volumes of which Multi-Attach is reported")
	logs := f.String("logs", "", "bytes of the logs together, such as 500M or 10G")
	dir := f.String("o", "", "directory to write, which must not exist")
	if err := f.Parse(args); err != nil {
		return size{}, "", err
	}
	if f.NArg() > 0 || *dir == "" {
		return size{}, "", fmt.Errorf("wants -o DIR and no other arguments, got %q", f.Args())
	}
	s, ok := scales[*scale]
	if !ok {
		return size{}, "", fmt.Errorf("-scale %s: wants small, medium or large", *scale)
	}
	s.seed = *seed
	for _, v := range []struct{ from, to *int }{{nodes, &s.nodes}, {pods, &s.pods}, {volumes, &s.volumes}} {
		if *v.from > 0 {
			*v.to = *v.from
		}
	}
	if *incidents >= 0 {
		s.incidents = *incidents
	}
	if *logs != "" {
		n, err := parseBytes(*logs)
		if err != nil {
			return size{}, "", fmt.Errorf("-logs %s: %w", *logs, err)
		}
		s.logs = n
	}
	return s, *dir, nil
}

// parseBytes reads a number of bytes with K, M or G for powers of 1024.
func parseBytes(text string) (int64, error) {
	shift := 0
	if i := strings.IndexByte("KMG", text[len(text)-1]); i >= 0 {
		text, shift = text[:len(text)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > 1<<50>>shift {
		return 0, fmt.Errorf("wants a number of bytes such as 500M")
	}
	return n << shift, nil
}
