package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/verify"
)

const verifyLong = `Holds every quote of a JSON report against the bundle: is it at its place, word for word, and
has the record the hash that the report gives? Files that the report lists and the bundle
lacks, or has with another length, are named as well.

What volpost has masked as a secret is masked in the bundle, too, before it is compared. A
report without names is compared once --redact-map gives the names back.

Exit code: 0 everything is as the report says; 1 something differs, or could not be read;
2 wrong usage.`

const verifyExample = `  volpost verify report.json ./must-gather.local.123
  volpost verify report.json must-gather.tar.gz
  volpost verify redacted.json ./must-gather --redact-map names.json`

// verifyFlags are the flags of verify as they were given.
type verifyFlags struct {
	names  string
	limits ingest.Limits
}

func (a app) verifyCommand() *cobra.Command {
	var flags verifyFlags
	c := &cobra.Command{
		Use:     "verify REPORT BUNDLE...",
		Short:   "Hold the quotes of a report against its bundle",
		Long:    verifyLong,
		Example: verifyExample,
		Args:    reportAndBundle,
		RunE: working(func(c *cobra.Command, args []string) error {
			return a.verify(c.Context(), args[0], args[1:], flags)
		}),
	}
	c.Flags().StringVar(&flags.names, "redact-map", "", "the key `FILE` that gives the names back to a report without")
	limitFlags(c.Flags(), &flags.limits)
	return c
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
		return nil, failf("%s is redacted: its quotes are not those of the bundle", file).hinted("--redact-map FILE gives the names back, with the key that was written beside it")
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
	return usagef("%s takes a report and the bundle that it was made of, and got %s", c.CommandPath(), count(len(args), "argument")).hinted("volpost verify report.json BUNDLE")
}

func (a app) verify(ctx context.Context, file string, arguments []string, flags verifyFlags) error {
	if err := checkLimits(flags.limits); err != nil {
		return err
	}
	r, err := a.readReport(file)
	if err != nil {
		return err
	}
	if r, err = named(r, file, flags.names); err != nil {
		return err
	}
	checker := verify.New(r)
	problems, err := a.compare(ctx, checker, arguments, flags.limits)
	if err != nil {
		return err
	}
	return a.tellVerified(checker, problems)
}

// compare shows the whole bundle to a checker.
func (a app) compare(ctx context.Context, checker *verify.Checker, arguments []string, limits ingest.Limits) ([]model.Problem, error) {
	bundle, err := a.open(arguments)
	if err != nil {
		return nil, err
	}
	defer bundle.Close() // it was read only: closing can lose nothing
	problems, err := ingest.Each(ctx, bundle, limits, func(f ingest.File) error {
		return checker.File(f.Path, f.Content, !f.Decoded)
	})
	if err != nil || !checker.Sampled() {
		return problems, err
	}
	for _, argument := range arguments {
		if argument == standardInput {
			return append(problems, model.Problem{Severity: model.Failure, Path: argument,
				Message: "quotes of samples of metrics cannot be compared with what comes through a pipe: give the file"}), nil
		}
	}
	snapshot, err := ingest.Read(ctx, bundle, ingest.Options{Limits: limits, Scratch: a.scratch})
	if err != nil {
		return problems, err
	}
	checker.Observations(snapshot.Observations)
	return problems, nil
}

// tellVerified prints what differs, and makes the exit code of it.
func (a app) tellVerified(checker *verify.Checker, problems []model.Problem) error {
	differences := checker.Differences()
	p := &page{width: 100}
	for _, d := range differences {
		differenceText(p, d)
	}
	for _, problem := range problems {
		if problem.Severity == model.Failure {
			p.text(0, fmt.Sprintf("unread    %s: %s", problem.Path, problem.Message))
		}
	}
	wrong := map[string]bool{}
	for _, d := range differences {
		if d.Evidence != "" {
			wrong[d.Evidence] = true
		}
	}
	if len(differences) == 0 && p.Len() == 0 {
		p.line(fmt.Sprintf("all %s are in the bundle, as the report gives them", count(checker.Quotes(), "quote")))
	}
	if _, err := a.stdout.Write([]byte(p.String())); err != nil {
		return failf("writing the result: %v", err)
	}
	switch {
	case len(wrong) > 0:
		return failf("%d of %s are not in the bundle as the report gives them", len(wrong), count(checker.Quotes(), "quote")).hinted("is it the bundle, packed the same way, that the report was made of?")
	case len(differences) > 0:
		return failf("the files of the bundle are not those of the report; all %s are there", count(checker.Quotes(), "quote"))
	case p.Len() > 0 && len(problems) > 0 && !strings.HasPrefix(p.String(), "all "):
		return failf("the bundle could not be read as a whole; all %s were found", count(checker.Quotes(), "quote"))
	}
	return nil
}

// differenceText writes one difference: what, where, and both texts.
func differenceText(p *page, d verify.Difference) {
	place := d.Source.Path
	if d.Source.Line > 0 {
		place += fmt.Sprintf(":%d", d.Source.Line)
	}
	if d.Source.Field != "" {
		place += " " + d.Source.Field
	}
	text := map[verify.What]string{
		verify.Missing: "the bundle has no such file",
		verify.Changed: "another text stands there",
		verify.Tail:    "the record begins as quoted, and its rest is another",
		verify.Forged:  "the hash is that of the record, the quoted text is not",
		verify.Size:    fmt.Sprintf("has %d bytes, and not %d", d.Got, d.Want),
	}[d.What]
	if d.What == verify.Moved {
		var lines []string
		for _, n := range d.Lines {
			lines = append(lines, fmt.Sprint(n))
		}
		text = "stands at line " + strings.Join(lines, ", ")
	}
	p.text(0, fmt.Sprintf("%-9s %s: %s", d.What, place, text))
	if d.Evidence != "" && d.What != verify.Missing && d.What != verify.Moved {
		p.text(10, "report: "+quotedLine(d.Quoted))
		p.text(10, "bundle: "+quotedLine(d.Found))
	}
}

// quotedLine is the beginning of a line, quoted.
func quotedLine(line string) string {
	const most = 160
	if runes := []rune(strings.TrimSpace(line)); len(runes) > most {
		return `"` + string(runes[:most]) + `…"`
	}
	return `"` + strings.TrimSpace(line) + `"`
}
