package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const inspectLong = `Reads a bundle and says what was read: every kind of input, how its times were placed, what
could not be read, and what was not collected with the command that collects it.`

func (a app) inspectCommand() *cobra.Command {
	var format string
	var names redactFlags
	var flags bundleFlags
	c := &cobra.Command{
		Use:               "inspect BUNDLE...",
		Short:             "Say what a bundle holds and what it lacks",
		Long:              inspectLong,
		Args:              atLeastOne("BUNDLE"),
		ValidArgsFunction: completeBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.inspect(c.Context(), args, format, names, flags)
		}),
	}
	c.Flags().StringVarP(&format, "output", "o", "text", "`FORMAT`: text, or json for the bundle part of the JSON report")
	names.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) inspect(ctx context.Context, bundle []string, format string, names redactFlags, flags bundleFlags) error {
	if err := cmp.Or(checkFormat("inspect", format, inspectFormats()), names.check(a, nil, bundle)); err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, flags, analyze.Options{Reaction: defaultReaction})
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, names, result, format, true, func(w io.Writer, format string, r *model.Report) error {
		if format == "json" {
			return writeBundlePart(w, r)
		}
		_, err := io.WriteString(w, inspection(r.Bundle))
		return err
	})
}

func inspectFormats() []string { return []string{"text", "json"} }

// writeBundlePart cuts the bundle out of the JSON report, so that both have the same spelling of everything.
func writeBundlePart(w io.Writer, r *model.Report) error {
	var whole bytes.Buffer
	if err := report.Write(&whole, "json", r); err != nil {
		return err
	}
	var parts struct{ Bundle json.RawMessage }
	if err := json.Unmarshal(whole.Bytes(), &parts); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, parts.Bundle, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := out.WriteTo(w)
	return err
}
