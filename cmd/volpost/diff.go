package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
)

const diffLong = `Compares two collections of one cluster: which VolumeAttachments appeared, vanished, moved or
changed, which incidents are new, still open or over, and which of their phases took longer.

BEFORE and AFTER are each a bundle, as analyze takes it, or a JSON report that analyze wrote.
A report knows only the VolumeAttachments of its incidents. One of the two may be - for
standard input.

What one of them does not cover is listed, and never counts as a change: a VolumeAttachment has
vanished only if the second holds the whole list. Collections that seem to be of two clusters,
or are certainly in the wrong order, are refused.

Exit code: 0 compared, whatever changed; 1 failed or refused; 2 wrong usage.`

const diffExample = `  volpost diff must-gather-monday/ must-gather-tuesday/
  volpost diff before.json after.tar.gz -o md`

type diffFlags struct {
	output     string
	oneCluster bool
	redact     redactFlags
	bundleFlags
	collected []string // of the bundles, in their order
}

func (a app) diffCommand() *cobra.Command {
	var flags diffFlags
	c := &cobra.Command{
		Use:               "diff BEFORE AFTER",
		Short:             "Compare two collections of one cluster",
		Long:              diffLong,
		Example:           diffExample,
		Args:              exactly("BEFORE", "AFTER"),
		ValidArgsFunction: completeBundle,
		RunE:              working(func(c *cobra.Command, args []string) error { return a.diff(c.Context(), args[0], args[1], flags) }),
	}
	c.Flags().StringVarP(&flags.output, "output", "o", report.DiffFormats()[0], "print `FORMAT`: "+strings.Join(report.DiffFormats(), ", "))
	c.Flags().BoolVar(&flags.oneCluster, "same-cluster", false, "compare even what seems to be of two clusters")
	c.Flags().StringArrayVar(&flags.collected, "collected-at", nil,
		"the `TIME` of a bundle's collection, if nothing in it says so; twice for BEFORE and AFTER")
	flags.redact.define(c.Flags())
	flags.supplied.defineLogs(c.Flags())
	flags.limits.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) diff(ctx context.Context, before, after string, flags diffFlags) error {
	both := []string{before, after}
	if err := cmp.Or(checkFormat("diff", flags.output, report.DiffFormats()), nameStandardInputOnce(both),
		flags.redact.check(a, nil, both)); err != nil {
		return err
	}
	readings := [2]diffReading{{path: before, report: a.holdsReport(before)}, {path: after, report: a.holdsReport(after)}}
	if err := supply(&readings, flags); err != nil {
		return err
	}
	var sides [2]analyze.DiffSide
	for i, r := range readings {
		var err error
		if sides[i], err = a.side(ctx, r, flags.limits); err != nil {
			return err
		}
	}
	result, err := analyze.Diff(sides[0], sides[1], analyze.Options{Version: a.version}, flags.oneCluster)
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, flags.redact, result, flags.output, false, report.WriteDiff)
}

// side reads one of the two.
func (a app) side(ctx context.Context, from diffReading, l limits) (side analyze.DiffSide, err error) {
	if from.report {
		r, err := a.readReport(from.path)
		if err != nil {
			return side, err
		}
		r.Bundle.Root = from.path // the name that the user gave
		return analyze.SideOfReport(r), nil
	}
	err = a.read(ctx, []string{from.path}, bundleFlags{from.supplied, l}, func(ctx context.Context, snapshot *model.Snapshot) error {
		side = analyze.SideOf(ctx, snapshot, analyze.Options{Version: a.version})
		return nil
	})
	return side, err
}

// diffReading is one of the two things that are compared.
type diffReading struct {
	path     string
	report   bool // not a bundle
	supplied suppliedFlags
}

// supply gives each bundle what the user states: the year and the zone of logs hold for both, and each has its own time of collection.
func supply(readings *[2]diffReading, flags diffFlags) error {
	var bundles []*diffReading
	for i := range readings {
		if !readings[i].report {
			readings[i].supplied = flags.supplied
			bundles = append(bundles, &readings[i])
		}
	}
	times := flags.collected
	if len(bundles) == 0 {
		supplied := flags.supplied
		if len(times) > 0 {
			supplied.collectedAt = times[0]
		}
		if flag := supplied.given(); flag != "" {
			return ofReport(flag, readings[0].path)
		}
		return nil
	}
	if len(times) > 0 && len(times) != len(bundles) {
		return usagef("--collected-at is given %s, and what is compared has %s", repeated(len(times)), words.Count(len(bundles), "bundle")).
			hinted("give it once for each bundle, in their order; a JSON report has its time")
	}
	for i, text := range times {
		bundles[i].supplied.collectedAt = text
	}
	for _, b := range bundles {
		if _, err := b.supplied.parse(); err != nil {
			return err // before anything is read
		}
	}
	return nil
}

func repeated(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return words.Count(n, "time")
}

// ofReport refuses a flag that is about reading a bundle.
func ofReport(flag, path string) error {
	return usagef("%s is for a bundle, and %s is a report, whose times are settled", flag, clean(path)).
		hinted("volpost analyze BUNDLE %s … writes another report", flag)
}
