package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

// samplePrefix makes an argument name an embedded sample. A directory of that name is reached as ./sample:NAME.
const samplePrefix = "sample:"

// open opens what a BUNDLE argument names.
func open(argument string) (*ingest.Bundle, error) {
	name, isSample := strings.CutPrefix(argument, samplePrefix)
	if !isSample {
		return ingest.Open(argument)
	}
	bundle, err := samples.Bundle(name)
	if err != nil {
		failed := failf("%v", err)
		if near := nearest(name, sampleNames()); near != "" {
			return nil, failed.hinted("did you mean %s%s?", samplePrefix, near)
		}
		return nil, failed.hinted("volpost samples lists them")
	}
	return ingest.OpenFS(bundle, argument), nil
}

// explain reads a bundle and explains it.
func (a app) explain(ctx context.Context, argument string) (*model.Report, error) {
	bundle, err := open(argument)
	if err != nil {
		return nil, err
	}
	defer bundle.Close() // it was read only: closing can lose nothing
	show := a.newProgress()
	snapshot, err := ingest.Read(ctx, bundle, ingest.Options{Progress: show.update})
	show.finish()
	if err != nil {
		return nil, err
	}
	report := analyze.Run(snapshot, analyze.Options{Version: a.version})
	return report, ctx.Err()
}

// completeBundle offers the samples beside the file names that the shell knows.
func completeBundle(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, name := range sampleNames() {
		if strings.HasPrefix(samplePrefix+name, typed) && typed != "" {
			out = append(out, samplePrefix+name)
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}
