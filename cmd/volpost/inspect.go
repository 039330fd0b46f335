package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/report"
)

const inspectLong = `Reads a bundle and says what was read: every kind of input, how its times were determined,
what could not be read, and what was not collected, each with the command that collects it.`

func (a app) inspectCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:   "inspect BUNDLE...",
		Short: "Say what a bundle holds and what it lacks",
		Long:  inspectLong,
	}, a.inspect, ofBundle, printing(report.Bundles.Names(), "`FORMAT`: text, or json for the bundle part of the JSON report"), redacting)
}

func (a app) inspect(ctx context.Context, bundle []string, f *flags) error {
	result, err := a.explain(ctx, bundle, f)
	if err != nil {
		return err
	}
	return answer(ctx, a, f, result, true, report.Bundles.Write)
}
