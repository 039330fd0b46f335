package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

// samplePrefix makes an argument name an embedded sample. A directory of that name is reached as ./sample:NAME.
const samplePrefix = "sample:"

// standardInput is the argument that means what comes through a pipe.
const standardInput = "-"

// open opens what the BUNDLE arguments name: a sample, or everything else as one bundle.
func (a app) open(arguments []string) (*ingest.Bundle, error) {
	sources := make([]ingest.Source, 0, len(arguments))
	piped := false
	for _, argument := range arguments {
		name, isSample := strings.CutPrefix(argument, samplePrefix)
		switch {
		case isSample && len(arguments) > 1:
			return nil, usagef("%s is read by itself, not with other inputs", argument).hinted("a directory of that name is ./%s", argument)
		case isSample:
			return openSample(name, argument)
		case argument == standardInput && piped:
			return nil, usagef("standard input is named twice").hinted("give - once")
		case argument == standardInput:
			piped = true
			sources = append(sources, ingest.Source{Path: argument, Stream: a.stdin})
		default:
			sources = append(sources, ingest.Source{Path: argument})
		}
	}
	return ingest.OpenSources(sources...)
}

func openSample(name, argument string) (*ingest.Bundle, error) {
	bundle, err := samples.Bundle(name)
	if err != nil {
		return nil, unknownSample(name, err)
	}
	return ingest.OpenFS(bundle, argument), nil
}

// explain reads a bundle and explains it.
func (a app) explain(ctx context.Context, arguments []string, limits ingest.Limits, said saidFlags, o analyze.Options) (report *model.Report, err error) {
	o = a.bounded(o, limits)
	err = a.read(ctx, arguments, limits, said, func(snapshot *model.Snapshot) {
		if a.alone && len(snapshot.Metrics) > 0 {
			defer lean()()
		}
		report = analyze.Run(snapshot, o)
	})
	if err != nil {
		return nil, err
	}
	return report, ctx.Err()
}

// bounded is how far an analysis may go.
func (a app) bounded(o analyze.Options, l ingest.Limits) analyze.Options {
	o.Version, o.Incidents = a.version, l.Incidents
	if l.Time > 0 {
		o.Stop = func() bool { return time.Since(a.began) > l.Time }
	}
	return o
}

// inTime does work that l.Time bounds, too, counted from its beginning: what is known when the time for reading and explaining is
// over is still to be written. What it was doing when it fails for that ends with the program.
func inTime(l ingest.Limits, doing string, work func() error) error {
	if l.Time <= 0 {
		return work()
	}
	done, panicked := make(chan error, 1), make(chan any, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				panicked <- r
			}
		}()
		done <- work()
	}()
	select {
	case err := <-done:
		return err
	case r := <-panicked:
		panic(r)
	case <-time.After(l.Time):
		return failf("%s took longer than the limit of %s (--max-time)", doing, l.Time).hinted("--max-time 0 sets no limit; what was written before is complete")
	}
}

// read reads a bundle and hands over what it says, while the bundle is open.
func (a app) read(ctx context.Context, arguments []string, limits ingest.Limits, said saidFlags, use func(*model.Snapshot)) error {
	if err := checkLimits(limits); err != nil {
		return err
	}
	told, err := said.parse()
	if err != nil {
		return err
	}
	bundle, err := a.open(arguments)
	if err != nil {
		return err
	}
	defer bundle.Close() // it was read only: closing can lose nothing
	show := a.newProgress()
	snapshot, err := ingest.Read(ctx, bundle, ingest.Options{Limits: limits, Progress: show.update, Said: told, Scratch: a.scratch})
	show.finish()
	if err != nil {
		return err
	}
	use(snapshot)
	return nil
}

// completeBundle offers the samples beside the file names that the shell knows.
func completeBundle(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault // a sample is read by itself
	}
	var out []string
	for _, name := range sampleNames() {
		if strings.HasPrefix(samplePrefix+name, typed) && typed != "" {
			out = append(out, samplePrefix+name)
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}
