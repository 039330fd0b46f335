package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const diffLong = `Compares two collections of one cluster: which VolumeAttachments appeared, vanished, moved or
changed, which incidents are new, still open or over, and which of their phases took longer.

BEFORE and AFTER are each a bundle, as analyze takes it, or a JSON report that analyze wrote.
A report knows only the VolumeAttachments of its incidents. One of the two may be - for
standard input.

What one of them does not cover is said, and never counts as a change: a VolumeAttachment has
vanished only when the second holds the whole list. What seems to be of two clusters, or is
surely in the other order, is refused.

Exit code: 0 compared, whatever changed; 1 failed or refused; 2 wrong usage.`

const diffExample = `  volpost diff must-gather-monday/ must-gather-tuesday/
  volpost diff before.json after.tar.gz -o md`

// diffFlags are the flags of diff as they were given.
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
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.diff(c.Context(), args[0], args[1], flags)
		}),
	}
	c.Flags().StringVarP(&flags.output, "output", "o", report.DiffFormats()[0], "print `FORMAT`: "+strings.Join(report.DiffFormats(), ", "))
	c.Flags().BoolVar(&flags.oneCluster, "same-cluster", false, "compare also what seems to be of two clusters")
	c.Flags().StringArrayVar(&flags.collected, "collected-at", nil, "a bundle was collected at this `TIME`, where nothing in it tells; twice for BEFORE and AFTER")
	flags.redact.define(c.Flags())
	flags.said.defineLogs(c.Flags())
	flags.limits.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) diff(ctx context.Context, before, after string, flags diffFlags) error {
	both := []string{before, after}
	if err := cmp.Or(checkFormat("diff", flags.output, report.DiffFormats()), nameStandardInputOnce(both), flags.redact.check(a, nil, both)); err != nil {
		return err
	}
	readings := [2]diffReading{{path: before, report: a.holdsReport(before)}, {path: after, report: a.holdsReport(after)}}
	if err := sayOf(&readings, flags); err != nil {
		return err
	}
	var sides [2]analyze.DiffSide
	for i, r := range readings {
		side, err := a.side(ctx, r, flags.limits)
		if err != nil {
			return err
		}
		sides[i] = side
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
		return analyze.SideOfReport(renamed(r, from.path)), nil
	}
	err = a.read(ctx, []string{from.path}, bundleFlags{from.said, l}, func(ctx context.Context, snapshot *model.Snapshot) error {
		side = analyze.SideOf(ctx, snapshot, analyze.Options{Version: a.version, Reaction: defaultReaction})
		return nil
	})
	return side, err
}

// renamed is a report under the name that the user gave.
func renamed(r *model.Report, path string) *model.Report {
	r.Bundle.Root = path
	return r
}
