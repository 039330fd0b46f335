package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/report"
)

const inspectLong = `Reads a bundle and says what was read: every kind of input, how its times were determined,
what could not be read, and what was not collected, each with the command that collects it.`

func (a app) inspectCommand() *cobra.Command {
	var format string
	var names redactFlags
	var flags bundleFlags
	c := ofBundle(&cobra.Command{
		Use:   "inspect BUNDLE...",
		Short: "Say what a bundle holds and what it lacks",
		Long:  inspectLong,
	}, func(ctx context.Context, bundle []string) error { return a.inspect(ctx, bundle, format, names, flags) })
	c.Flags().StringVarP(&format, "output", "o", "text", "`FORMAT`: text, or json for the bundle part of the JSON report")
	names.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) inspect(ctx context.Context, bundle []string, format string, names redactFlags, flags bundleFlags) error {
	if err := cmp.Or(checkFormat("inspect", format, report.BundleFormats()), names.check(a, nil, bundle)); err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, flags, analyze.Options{})
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, names, result, format, true, report.WriteBundle)
}
