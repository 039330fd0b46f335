package main

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const inspectLong = `Reads a bundle and says what was read: every kind of input, how its times were placed, what
could not be read, and what was not collected with the command that collects it.`

func (a app) inspectCommand() *cobra.Command {
	var format string
	var names redactFlags
	var said saidFlags
	var limits ingest.Limits
	c := &cobra.Command{
		Use:               "inspect BUNDLE...",
		Short:             "Say what a bundle holds and what it lacks",
		Long:              inspectLong,
		Args:              atLeastOne("BUNDLE"),
		ValidArgsFunction: completeBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.inspect(c.Context(), args, format, names, limits, said)
		}),
	}
	c.Flags().StringVarP(&format, "output", "o", "text", "`FORMAT`: text, or json for the bundle part of the JSON report")
	names.define(c.Flags())
	said.define(c.Flags())
	limitFlags(c.Flags(), &limits)
	a.complete(c)
	return c
}

func (a app) inspect(ctx context.Context, bundle []string, format string, names redactFlags, limits ingest.Limits, said saidFlags) error {
	if format != "text" && format != "json" {
		return usagef("inspect has no format %q", format).hinted("-o text or -o json")
	}
	if err := names.check(a, nil, bundle); err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, limits, said, analyze.Options{Reaction: defaultReaction})
	if err != nil {
		return err
	}
	if result, err = redacted(a, result, names); err != nil {
		return err
	}
	text := []byte(inspection(result.Bundle))
	if format == "json" {
		if text, err = bundlePart(result); err != nil {
			return err
		}
	}
	_, err = a.stdout.Write(text)
	return err
}

// bundlePart cuts the bundle out of the JSON report, so that both have the same spelling of everything.
func bundlePart(r *model.Report) ([]byte, error) {
	var whole bytes.Buffer
	if err := report.Write(&whole, "json", r); err != nil {
		return nil, err
	}
	var parts struct{ Bundle json.RawMessage }
	if err := json.Unmarshal(whole.Bytes(), &parts); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, parts.Bundle, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
