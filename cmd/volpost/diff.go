package main

import (
	"cmp"
	"context"

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

func (a app) diffCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:               "diff BEFORE AFTER",
		Short:             "Compare two collections of one cluster",
		Long:              diffLong,
		Example:           diffExample,
		Args:              exactly("BEFORE", "AFTER"),
		ValidArgsFunction: completeBundle,
	}, a.diff, printing(report.Diffs.Names(), ""), redacting, func(c *cobra.Command, f *flags) {
		c.Flags().BoolVar(&f.oneCluster, "same-cluster", false, "compare even what seems to be of two clusters")
		c.Flags().StringArrayVar(&f.collected, "collected-at", nil,
			"the `TIME` of a bundle's collection, if nothing in it says so; twice for BEFORE and AFTER")
		f.supplied.defineLogs(c.Flags())
		f.limits.define(c.Flags())
	})
}

func (a app) diff(ctx context.Context, both []string, f *flags) error {
	reports := [2]bool{a.holdsReport(both[0]), a.holdsReport(both[1])}
	each, err := f.ofEach(both, reports)
	if err != nil {
		return err
	}
	var sides [2]analyze.DiffSide
	for i, path := range both {
		if reports[i] {
			r, err := a.readReport(path)
			if err != nil {
				return err
			}
			r.Bundle.Root = path // the name that the user gave
			sides[i] = analyze.SideOfReport(r)
		} else if err = a.read(ctx, both[i:i+1], each[i], func(ctx context.Context, snapshot *model.Snapshot) error {
			sides[i] = analyze.SideOf(ctx, snapshot, analyze.Options{Version: a.version})
			return nil
		}); err != nil {
			return err
		}
	}
	result, err := analyze.Diff(sides[0], sides[1], analyze.Options{Version: a.version}, f.oneCluster)
	if err != nil {
		return err
	}
	return answer(ctx, a, f, result, false, report.Diffs.Write)
}

// ofEach are the flags for each bundle of two, nil for a report: the year and the zone of logs hold for both, and each has its own time of
// collection.
func (f *flags) ofEach(paths []string, reports [2]bool) (each [2]*flags, err error) {
	var bundles []*flags
	for i, settled := range reports {
		if !settled {
			own := *f
			each[i], bundles = &own, append(bundles, &own)
		}
	}
	times := f.collected
	if flag := cmp.Or(words.If(len(times) > 0, "--collected-at"), f.supplied.given()); len(bundles) == 0 && flag != "" {
		return each, ofReport(flag, paths[0])
	}
	if len(times) > 0 && len(times) != len(bundles) {
		return each, usagef("--collected-at is given %s, and what is compared has %s", repeated(len(times)), words.Count(len(bundles), "bundle")).
			hinted("give it once for each bundle, in their order; a JSON report has its time")
	}
	for i, b := range bundles {
		if len(times) > 0 {
			b.supplied.collectedAt = times[i]
		}
		if _, err := b.supplied.parse(); err != nil {
			return each, err // before anything is read
		}
	}
	return each, nil
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
