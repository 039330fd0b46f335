package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/report/redact"
)

const analyzeLong = `Reads a bundle and writes the post-mortem of the Multi-Attach incidents in it.

BUNDLE is a directory, an archive (tar, zip, gzip, bzip2, xz, zstd, in one another), any
other file, or - for standard input. Several are read as one bundle. sample:NAME is an
embedded recording. Archives are read in place; only their Prometheus blocks are copied, to a
private temporary directory that is removed at the end.

Without -o the text goes to standard output (on a terminal only the answer, on one screen) and
the HTML report to volpost-report.html in the working directory. If that file cannot be written,
standard error says so, and the text is printed all the same. volpost never writes over a file
of the bundle or through a link, nor, unless -o names it, over a file that it did not write.
Limits on what is read: volpost help limits.

Exit code: 0 analysed, whatever was found; 1 failed; 2 wrong usage; 3 the answer is one that
--fail-on names: incident, open (an incident that had not ended), fault (something else keeps a
pod from its volume, or an object is stuck) or insufficient (the bundle could not have shown an
incident). Repeat it to name several.`

const analyzeExample = `  volpost analyze ./must-gather.local.123
  volpost analyze ./must-gather.local.123 -o html=report.html,json=report.json
  volpost analyze must-gather.tar.gz inspect/ kcm.log
  kubectl logs -n kube-system kube-controller-manager-0 | volpost analyze - -o json
  volpost analyze sample:rollout-surge
  volpost analyze ./must-gather prometheus-data/ --rules alerts.yaml`

func (a app) analyzeCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "analyze BUNDLE...",
		Short:   "Explain the incidents of a bundle",
		Long:    analyzeLong,
		Example: analyzeExample,
	}, a.analyze, ofBundle, writing, withRules, reacting, func(c *cobra.Command, f *flags) {
		c.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "exit with 3 on this `VERDICT`: incident, open, fault or insufficient; repeatable")
		offer(c, "fail-on", oneOf(failOnWords))
		c.Flags().BoolVar(&f.full, "full", false, "print the whole text on a terminal too, not only the answer")
	})
}

func (a app) analyze(ctx context.Context, bundle []string, f *flags) error {
	if err := checkFailOn(f.failOn); err != nil {
		return err
	}
	out, err := a.outputs(f, slices.Concat(bundle, f.rules))
	if err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, f)
	if err != nil {
		return err
	}
	if err := a.writeAll(ctx, out, f, result); err != nil {
		return err
	}
	if fails(result, f.failOn) {
		return errIncident
	}
	return nil
}

// outputs are where a report goes, and how it is written there.
type outputs struct {
	targets []target
	options report.Options
	without error // why there is no page, which nobody has asked for by name
}

// outputs refuses, before anything is read, what cannot be written.
func (a app) outputs(f *flags, inputs []string) (outputs, error) {
	options, zoneErr := readOptions(f.timezone)
	targets, err := parseTargets(f.outputs)
	fit, without, fitErr := a.checkOutputs(targets, inputs)
	err = cmp.Or(zoneErr, err, fitErr, f.redact.check(a, targets, inputs))
	return outputs{fit, options, without}, err
}

// writeAll writes the report to all targets; to a terminal the answer alone, unless it is to be full.
func (a app) writeAll(ctx context.Context, to outputs, f *flags, r *model.Report) error {
	r, _, err := redacted(ctx, a, f, r)
	for _, t := range to.targets {
		if err == nil {
			if s := a.screenOf(t, to.targets, f.full); s != nil || t.format != "html" { // a page keeps the screen that has named it
				to.options.Screen = s
			}
			if err = a.write(ctx, t, f.limits, r, to.options); errors.Is(err, context.Canceled) {
				err = failf("interrupted while the %s report was written; only the files named above are whole", t.format)
			}
		}
		if t.file == "" && enough(err) {
			err = nil // the files are wanted all the same
		}
	}
	if err == nil && to.without != nil {
		a.withoutPage(to.without)
	}
	return err
}

// bundleless are the formats of a report that do not name its bundle.
var bundleless = []string{"dot", "svg"}

// write renders the report to one target and says on standard error which file came to be, unless a screen has named it.
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
		return unprinted(render(a.stdout), "the "+t.format+" report")
	}
	err := a.writeFile(ctx, t.file, t.mark, render)
	var refused *failure
	if err != nil && t.mark != "" && !errors.As(err, &refused) && !errors.Is(err, context.Canceled) {
		a.withoutPage(err)
		return nil
	}
	if err != nil {
		return unwritten(err, "the "+t.format+" report", "-o %s=FILE writes it elsewhere, -o %s to standard output", t.format, t.format)
	}
	if o.Screen == nil || o.Screen.Page != t.file {
		fmt.Fprintln(a.stderr, "wrote", clean(t.file))
	}
	return nil
}

// failOnWords are the answers on which --fail-on makes the exit code 3.
var failOnWords = []string{"incident", "open", "fault", "insufficient"}

func checkFailOn(given []string) error {
	for _, word := range given {
		if !slices.Contains(failOnWords, word) {
			return usagef("--fail-on knows no %q", word).hinted("--fail-on incident, open, fault or insufficient")
		}
	}
	return nil
}

// fails reports that a report is one of the answers that --fail-on names. An incident is one by its verdict, so that an ordinary
// move is none; open is one of them that had not ended at the collection.
func fails(r *model.Report, given []string) bool {
	incident := r.Verdict.Status == model.StatusIncident
	open := slices.ContainsFunc(r.Incidents, func(i model.Incident) bool {
		return i.Span.Open && (len(i.Causes) == 0 || i.Causes[0].ID != model.CauseHandover)
	})
	answers := map[string]bool{
		"incident": incident, "open": incident && open, "fault": r.Verdict.Status == model.StatusFault,
		"insufficient": r.Verdict.Status == model.StatusInsufficient,
	}
	return slices.ContainsFunc(given, func(word string) bool { return answers[word] })
}
