package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
)

const whatIfLong = `Replays one incident of a bundle with something different, and prints it as it was and as
it would have been.

--apply REMEDY@TIME applies a remedy; given several times, all of them together. TIME is
RFC 3339, or HH:MM:SS of the incident's day in UTC, or +5m after the first Multi-Attach
report. Without @TIME it is the first moment at which the evidence justified the remedy,
and --reaction on top. What people really did from the first of these times on is left
out. A preventive remedy is in force from the beginning and takes no time.

--set changes settings from the beginning: node-monitor-grace-period, tolerationSeconds,
disable-force-detach-on-timeout.

%s.
%s.`

const whatIfExample = `  volpost whatif sample:node-deleted --apply out-of-service-taint@09:17:20
  volpost whatif sample:node-deleted --apply force-delete-pod-and-volume-attachment@+5m
  volpost whatif ./must-gather --incident 2 --set node-monitor-grace-period=20s,tolerationSeconds=30`

// whatIfFlags are the flags of whatif as they were given.
type whatIfFlags struct {
	apply, set       []string
	incident, output string
	reaction         time.Duration
	redact           redactFlags
	bundleFlags
}

func (a app) whatIfCommand() *cobra.Command {
	var flags whatIfFlags
	c := &cobra.Command{
		Use:               "whatif BUNDLE...",
		Short:             "Replay an incident with something different",
		Long:              fmt.Sprintf(whatIfLong, remediesOf("Reactive"), remediesOf("Preventive")),
		Example:           whatIfExample,
		Args:              atLeastOne("BUNDLE"),
		ValidArgsFunction: completeBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.whatIf(c.Context(), args, flags)
		}),
	}
	c.Flags().StringArrayVar(&flags.apply, "apply", nil, "apply `REMEDY[@TIME]`; repeatable")
	c.Flags().StringSliceVar(&flags.set, "set", nil, "`NAME=VALUE` in force from the beginning; repeatable")
	c.Flags().StringVar(&flags.incident, "incident", "", "the incident by `NAME`, when the bundle has several: its number, ID, claim or volume")
	c.Flags().StringVarP(&flags.output, "output", "o", report.WhatIfFormats()[0], "print `FORMAT`: "+strings.Join(report.WhatIfFormats(), " or "))
	reactionFlag(c.Flags(), &flags.reaction)
	flags.redact.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) whatIf(ctx context.Context, bundle []string, flags whatIfFlags) error {
	question, err := parseQuestion(flags)
	if err := cmp.Or(checkFormat("whatif", flags.output, report.WhatIfFormats()), checkReaction(flags.reaction), err, flags.redact.check(a, nil, bundle)); err != nil {
		return err
	}
	var found *model.WhatIf
	err = a.read(ctx, bundle, flags.bundleFlags, func(ctx context.Context, snapshot *model.Snapshot) (err error) {
		found, err = analyze.WhatIf(ctx, snapshot, question, analyze.Options{Version: a.version, Reaction: flags.reaction})
		return flags.redact.withoutNames(err)
	})
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, flags.redact, found, flags.output, true, report.WriteWhatIf)
}

// remediesOf are the identifiers of the remedies of a kind, in lines of the help's width.
func remediesOf(kind string) string {
	var out []string
	for _, r := range analyze.Remedies() {
		if r.Kind == strings.ToLower(kind) {
			out = append(out, r.ID)
		}
	}
	return strings.Join(words.Wrap(kind+" remedies: ", "", strings.Join(out, ", "), 88), "\n")
}

// completeRemedy offers the remedies.
func completeRemedy(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, "@") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, r := range analyze.Remedies() {
		out = append(out, cobra.CompletionWithDesc(r.ID, r.Title))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
