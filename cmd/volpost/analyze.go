package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
)

const analyzeLong = `Reads a bundle and writes the post-mortem of the Multi-Attach incidents in it.

BUNDLE is a directory, an archive (tar, zip, gzip, bzip2, xz, zstd, in one another), any
other file, or - for standard input. Several are read as one bundle. sample:NAME is an
embedded recording. Archives are read where they lie; of one with Prometheus blocks these are
copied to a private temporary directory, which is removed at the end.

Without -o the text goes to standard output, to a terminal the answer alone, on one screen,
and the HTML report to volpost-report.html in the working directory. Nothing is ever written
over a file of the bundle, through a link, or, unless -o names it, over a file that volpost
did not write. How much is read at most: volpost help limits.

Exit code: 0 analysed, whatever was found; 1 failed; 2 wrong usage; 3 the answer is one that
--fail-on names: incident, open (an incident that had not ended) or insufficient (the bundle
could not have shown one). Repeat it to name several.`

const analyzeExample = `  volpost analyze ./must-gather.local.123
  volpost analyze ./must-gather.local.123 -o html=report.html,json=report.json
  volpost analyze must-gather.tar.gz inspect/ kcm.log
  kubectl logs -n kube-system kube-controller-manager-0 | volpost analyze - -o json
  volpost analyze sample:rollout-surge
  volpost analyze ./must-gather prometheus-data/ --rules alerts.yaml`

// analyzeFlags are the flags of analyze as they were given.
type analyzeFlags struct {
	outputs  []string
	failOn   []string
	reaction time.Duration
	redact   redactFlags
	timezone string
	full     bool
	rules    []string
	bundleFlags
}

func (a app) analyzeCommand() *cobra.Command {
	var flags analyzeFlags
	c := &cobra.Command{
		Use:               "analyze BUNDLE...",
		Short:             "Explain the incidents of a bundle",
		Long:              analyzeLong,
		Example:           analyzeExample,
		Args:              atLeastOne("BUNDLE"),
		ValidArgsFunction: completeBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.analyze(c.Context(), args, flags)
		}),
	}
	c.Flags().StringArrayVarP(&flags.outputs, "output", "o", nil, outputHelp())
	c.Flags().StringArrayVar(&flags.failOn, "fail-on", nil, "exit with 3 on this `VERDICT`: incident, open or insufficient; repeatable")
	rulesFlag(c.Flags(), &flags.rules)
	reactionFlag(c.Flags(), &flags.reaction)
	flags.redact.define(c.Flags())
	timezoneFlag(c.Flags(), &flags.timezone)
	c.Flags().BoolVar(&flags.full, "full", false, "print all of the text on a terminal, too, and not its answer alone")
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) analyze(ctx context.Context, bundle []string, flags analyzeFlags) error {
	if err := checkFailOn(flags.failOn); err != nil {
		return err
	}
	if err := checkReaction(flags.reaction); err != nil {
		return err
	}
	options, err := readOptions(flags.timezone)
	if err != nil {
		return err
	}
	targets, err := parseTargets(flags.outputs)
	if err != nil {
		return err
	}
	inputs := append(slices.Clone(bundle), flags.rules...)
	if err := errors.Join(a.checkOutputs(targets, inputs), flags.redact.check(a, targets, inputs)); err != nil {
		return err
	}
	rules, err := readRules(flags.rules)
	if err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, flags.bundleFlags, analyze.Options{Reaction: flags.reaction, Rules: rules})
	if err != nil {
		return err
	}
	if result, _, err = redacted(ctx, a, flags.limits, result, flags.redact); err != nil {
		return err
	}
	for _, t := range targets {
		options.Screen = a.screenOf(t, targets, flags.full)
		if err := a.write(ctx, t, flags.limits, result, options); err != nil {
			return err
		}
	}
	if fails(result, flags.failOn) {
		return errIncident
	}
	return nil
}

// bundleless are the formats of a report that do not name its bundle.
var bundleless = []string{"dot", "svg", "junit"}

// write renders the report to one target and says on standard error which file came to be.
func (a app) write(ctx context.Context, t target, l limits, r *model.Report, o report.Options) error {
	render := func(w io.Writer) error {
		return l.within(ctx, "the "+t.format+" report was written", func() error {
			buffered := bufio.NewWriter(w)
			if err := report.WriteWith(buffered, t.format, r, o); err != nil {
				return err
			}
			if r.Redaction != nil && slices.Contains(bundleless, t.format) {
				fmt.Fprint(buffered, redact.Mark(t.format, r.Redaction.Key)) // an error comes again
			}
			return buffered.Flush()
		})
	}
	if t.file == "" {
		return unwritten(render(a.stdout), "the "+t.format+" report", "")
	}
	if err := a.writeFile(ctx, t.file, t.mark, render); err != nil {
		return unwritten(err, "the "+t.format+" report", "-o %s=FILE writes it elsewhere, -o %s to standard output", t.format, t.format)
	}
	fmt.Fprintln(a.stderr, "wrote", clean(t.file))
	return nil
}
