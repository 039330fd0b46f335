package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/verify"
)

const verifyLong = `Checks a JSON report against its bundle: is every quote in its place, word for word, and does
its record have the hash that the report gives? Files that the report lists and the bundle
lacks, or has in another length, are named too.

Then verify analyses the bundle again and names every conclusion that differs: the headline, a
cause, a time. Give the flags that the report was written with. It does not check the conclusions
of a report by another version of volpost, nor those of a bundle from a pipe, and says so.

Secrets that volpost masks are masked in the bundle, too, before the comparison. For a redacted
report, --redact-map gives the names back first.

Exit code: 0 everything is as the report says; 1 something differs, or could not be read;
2 wrong usage.`

const verifyExample = `  volpost verify report.json ./must-gather.local.123
  volpost verify report.json must-gather.tar.gz
  volpost verify redacted.json ./must-gather --redact-map names.json`

func (a app) verifyCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "verify REPORT BUNDLE...",
		Short:   "Check a report against its bundle",
		Long:    verifyLong,
		Example: verifyExample,
		Args:    reportAndBundle,
	}, a.verify, withRules, reacting, reading, func(c *cobra.Command, f *flags) {
		c.Flags().StringVar(&f.key, "redact-map", "", "the key `FILE` that gives a redacted report its names back")
	})
}

// named gives the names back to a redacted report, whose quotes are otherwise not those of the bundle.
func named(r *model.Report, file, names string) (*model.Report, error) {
	if r.Redaction == nil {
		if names != "" {
			return nil, failf("%s has its names, and needs no key", file).hinted("leave --redact-map out")
		}
		return r, nil
	}
	if names == "" {
		return nil, failf("%s is redacted: its quotes are not those of the bundle", file).
			hinted("--redact-map FILE gives the names back, with the key that was written beside it")
	}
	key, err := readKey(names)
	if err != nil {
		return nil, err
	}
	back, err := key.Report(r)
	if err != nil {
		return nil, otherKey(names, file)
	}
	return back, nil
}

func reportAndBundle(c *cobra.Command, args []string) error {
	if len(args) >= 2 {
		return nil
	}
	return usagef("%s takes a report and the bundle that it is about, and got %s", c.CommandPath(), words.Count(len(args), "argument")).
		hinted("volpost verify report.json BUNDLE")
}

func (a app) verify(ctx context.Context, args []string, f *flags) error {
	file, bundle := args[0], args[1:]
	r, err := a.readReport(file)
	if err != nil {
		return err
	}
	if r, err = named(r, file, f.key); err != nil {
		return err
	}
	v := &verification{checker: verify.New(r)}
	if err := a.compareQuotes(ctx, v, bundle, f.limits); err != nil {
		return err
	}
	if err := a.compareConclusions(ctx, v, r, bundle, f); err != nil {
		return err
	}
	return a.writeVerified(v)
}

// verification is what was found out about a report.
type verification struct {
	checker     *verify.Checker
	problems    []model.Problem
	conclusions []verify.Conclusion
	unchecked   string // why the conclusions were not compared; "" when they were
}

// compareQuotes shows the whole bundle to the checker.
func (a app) compareQuotes(ctx context.Context, v *verification, arguments []string, l limits) error {
	return a.opened(ctx, arguments, l, func(ctx context.Context, bundle *ingest.Bundle) (err error) {
		v.problems, err = ingest.Each(ctx, bundle, l.Limits, func(f ingest.File) error {
			return v.checker.File(f.Path, f.Content, !f.Decoded)
		})
		return err
	})
}

func (a app) compareConclusions(ctx context.Context, v *verification, r *model.Report, arguments []string, f *flags) error {
	if slices.Contains(arguments, standardInput) {
		v.unchecked = "a pipe can be read only once"
		if v.checker.Sampled() {
			v.problems = append(v.problems, model.Problem{Severity: model.Failure, Path: standardInput,
				Message: "quotes of samples of metrics cannot be compared with what comes through a pipe: give the file"})
		}
		return nil
	}
	options, err := a.options(f)
	if err != nil {
		return err
	}
	return a.read(ctx, arguments, f, func(ctx context.Context, snapshot *model.Snapshot) (err error) {
		again := a.conclude(ctx, snapshot, options)
		v.checker.Samples(snapshot.Observations, again)
		if r.Generator.Version != a.version {
			v.unchecked = fmt.Sprintf("the report is by volpost %s, and this is %s", cmp.Or(r.Generator.Version, "of no version"), a.version)
			return nil
		}
		if cut := slices.IndexFunc(again.Bundle.Problems, model.Problem.CutsShort); cut >= 0 {
			v.unchecked = again.Bundle.Problems[cut].Message
			return nil
		}
		v.conclusions, err = verify.Conclusions(r, again)
		return err
	})
}

// conclusionsShown is how many conclusions are named that differ: one forged incident makes many.
const conclusionsShown = 20

// writeVerified prints what differs, and makes the exit code of it.
func (a app) writeVerified(v *verification) error {
	p := &page{width: 100}
	differences, quotes := v.checker.Differences(), words.Count(v.checker.Quotes(), "quote")
	wrong := map[string]bool{}
	for _, d := range differences {
		differenceText(p, d)
		if d.Evidence != "" {
			wrong[d.Evidence] = true
		}
	}
	for _, problem := range v.problems {
		if problem.Severity == model.Failure {
			p.text(0, fmt.Sprintf("unread    %s: %s", problem.Path, problem.Message))
		}
	}
	unread := p.Len() > 0
	if !unread {
		p.line(fmt.Sprintf("all %s are in the bundle, as the report gives them", quotes))
	}
	v.writeConclusions(p)
	if _, err := a.stdout.Write([]byte(p.String())); err != nil {
		return failf("writing the result: %v", err)
	}
	switch {
	case len(wrong) > 0:
		return failf("%d of %s are not in the bundle as the report gives them", len(wrong), quotes).
			hinted("is it the bundle, packed the same way, that the report is about?")
	case len(differences) > 0:
		return failf("the files of the bundle are not those of the report; all %s are there", quotes)
	case len(v.conclusions) > 0:
		return failf("the report does not say what volpost concludes from the bundle").hinted("was it written with other flags? verify takes " +
			"--reaction, --rules, --collected-at, --year, --log-zone and --max-… as analyze does")
	case unread:
		return failf("the bundle could not be read as a whole; all %s were found", quotes)
	}
	return nil
}

// writeConclusions prints the conclusions that differ, or that there are none or none were compared.
func (v *verification) writeConclusions(p *page) {
	for _, c := range v.conclusions[:min(len(v.conclusions), conclusionsShown)] {
		p.text(0, "concluded "+c.Field)
		p.text(10, "report: "+cmp.Or(words.Excerpt(c.Report, lineShown), "nothing"))
		p.text(10, "bundle: "+cmp.Or(words.Excerpt(c.Bundle, lineShown), "nothing"))
	}
	switch more := len(v.conclusions) - conclusionsShown; {
	case v.unchecked != "":
		p.text(0, "the conclusions were not checked: "+v.unchecked)
	case more > 0:
		p.line(fmt.Sprintf("and %d more conclusions that differ", more))
	case len(v.conclusions) == 0:
		p.line("volpost concludes from it what the report says")
	}
}

// differenceText writes one difference: what, where, and both texts.
func differenceText(p *page, d verify.Difference) {
	place := d.Source.Path
	place += words.If(d.Source.Line > 0, fmt.Sprintf(":%d", d.Source.Line))
	place += words.If(d.Source.Field != "", " "+d.Source.Field)
	text := map[verify.What]string{
		verify.Missing: "the bundle has no such file",
		verify.Changed: "another text is there",
		verify.Tail:    "the record begins as quoted, and its rest differs",
		verify.Forged:  "the hash is that of the record, the quoted text is not",
		verify.Size:    fmt.Sprintf("has %d bytes, and not %d", d.Got, d.Want),
	}[d.What]
	p.text(0, fmt.Sprintf("%-9s %s: %s", d.What, place, text))
	if d.Evidence != "" && d.What != verify.Missing {
		p.text(10, "report: "+quotedLine(d.Quoted))
		p.text(10, "bundle: "+quotedLine(d.Found))
	}
}

// lineShown is how many characters of a line are shown.
const lineShown = 160

func quotedLine(line string) string {
	return `"` + words.Excerpt(strings.TrimSpace(line), lineShown) + `"`
}
