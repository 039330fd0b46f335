package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
)

// flags are what the flags of all commands say. A command defines those that it has; the others stay as they are.
type flags struct {
	limits
	supplied suppliedFlags
	redact   redactFlags
	key      string // the file with the key of a redacted report

	output   string   // a format, of commands that print one answer; of unredact a file
	formats  []string // that output may be
	outputs  []string
	timezone string
	full     bool
	failOn   []string

	reaction   time.Duration
	rules      []string
	incident   string
	apply, set []string
	speed      string
	plain      bool
	pod, claim string
	oneCluster bool
	collected  []string // of the bundles that diff reads, in their order
	alertsFlags
	given *pflag.FlagSet
}

// option defines some flags of a command, and what else goes with them.
type option func(c *cobra.Command, f *flags)

// command is a command that does some work with its arguments, when what its flags say can be.
func (a app) command(c *cobra.Command, work func(context.Context, []string, *flags) error, options ...option) *cobra.Command {
	f := &flags{}
	for _, define := range options {
		define(c, f)
	}
	f.given = c.Flags()
	c.RunE = working(func(c *cobra.Command, args []string) error {
		if err := cmp.Or(f.checkFormat(c.Name()), checkReaction(f.reaction), nameStandardInputOnce(args), f.redact.check(a, nil, args)); err != nil {
			return err
		}
		return work(c.Context(), args, f)
	})
	return c
}

// offer completes the values of a flag.
func offer(c *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the flag is there, and nothing else is offered for it
	}
}

func oneOf(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// ofBundle makes a command one that reads a bundle and has no other arguments.
func ofBundle(c *cobra.Command, f *flags) {
	c.Args, c.ValidArgsFunction = atLeastOne("BUNDLE"), completeBundle
	reading(c, f)
}

// reading are the flags of a command that reads a bundle.
func reading(c *cobra.Command, f *flags) {
	f.supplied.define(c.Flags())
	f.limits.define(c.Flags())
}

func timed(c *cobra.Command, f *flags) { f.defineTime(c.Flags()) }

func redacting(c *cobra.Command, f *flags) { f.redact.define(c.Flags()) }

// printing gives a command one answer, in one of some formats, of which the first is its usual one.
func printing(formats []string, usage string) option {
	return func(c *cobra.Command, f *flags) {
		f.formats = formats
		c.Flags().StringVarP(&f.output, "output", "o", formats[0], cmp.Or(usage, "print `FORMAT`: "+strings.Join(formats, ", ")))
		offer(c, "output", oneOf(formats))
	}
}

// writing lets a command write reports.
func writing(c *cobra.Command, f *flags) {
	c.Flags().StringArrayVarP(&f.outputs, "output", "o", nil, outputHelp())
	offer(c, "output", completeFormat)
	redacting(c, f)
	timezoneFlag(c.Flags(), &f.timezone)
}

func reacting(c *cobra.Command, f *flags) {
	c.Flags().DurationVar(&f.reaction, "reaction", 0, "a person acts this `DURATION` after the first moment that justifies it (default 0s)")
}

func withRules(c *cobra.Command, f *flags) {
	c.Flags().StringArrayVar(&f.rules, "rules", nil,
		"run the alerting rules of this `FILE`, too: groups of Prometheus or PrometheusRules; repeatable")
}

// applying is a flag that applies a remedy to an incident, and the one that names the incident.
func applying(flag, usage string) option {
	return func(c *cobra.Command, f *flags) {
		c.Flags().StringArrayVar(&f.apply, flag, nil, usage)
		offer(c, flag, completeRemedy)
		c.Flags().StringVar(&f.incident, "incident", "", "which incident, if the bundle has several: `NAME` is its number, ID, claim or volume")
		offer(c, "incident", cobra.NoFileCompletions)
	}
}

func (f *flags) checkFormat(command string) error {
	if len(f.formats) == 0 || slices.Contains(f.formats, f.output) {
		return nil
	}
	return usagef("%s knows no format %q", command, f.output).hinted("known: %s", strings.Join(f.formats, ", "))
}

func checkReaction(d time.Duration) error {
	if d < 0 || d > 24*time.Hour {
		return usagef("--reaction must be from 0s to 24h, not %s", d).hinted("--reaction 5m, or without it none")
	}
	return nil
}

// options are what the flags say of an analysis.
func (a app) options(f *flags) (analyze.Options, error) {
	rules, err := readRules(f.rules)
	return analyze.Options{Version: a.version, Reaction: f.reaction, Rules: rules, Incidents: f.incidents}, err
}
