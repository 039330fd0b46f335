package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const reportLong = `Renders a JSON report in other formats, later or elsewhere, without the bundle. What it
writes is byte for byte what analyze would have written.

REPORT is a file that analyze -o json wrote, by this version or an earlier one, or - for
standard input. Without -o the text goes to standard output and the HTML report to
volpost-report.html in the working directory. If that file cannot be written, standard error
says so, and the text is printed all the same.

Exit code: 0 rendered, whatever the report says; 1 failed; 2 wrong usage.`

const reportExample = `  volpost report report.json -o html=report.html,jira=comment.txt
  volpost analyze ./must-gather -o json | volpost report - -o md`

func (a app) reportCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "report REPORT",
		Short:   "Render a JSON report in other formats",
		Long:    reportLong,
		Example: reportExample,
		Args:    exactly("REPORT"),
	}, a.render, writing, timed)
}

func (a app) render(ctx context.Context, args []string, f *flags) error {
	out, err := a.outputs(f, args)
	if err != nil {
		return err
	}
	r, err := a.readReport(args[0])
	if err != nil {
		return err
	}
	f.full = true
	return a.writeAll(ctx, out, f, r)
}

// readReport reads a JSON report from a file or standard input.
func (a app) readReport(path string) (*model.Report, error) {
	if info, err := os.Stat(path); path != standardInput && err == nil && info.IsDir() {
		return nil, failf("%s is a directory, not a JSON report", path).hinted("to read a bundle: volpost analyze %s", path)
	}
	in, name, err := a.input(path, "name a file that was written with: volpost analyze BUNDLE -o json=FILE")
	if err != nil {
		return nil, err
	}
	defer in.Close() // it was read only: closing can lose nothing
	return decodeReport(in, name)
}

// input opens a file or standard input, and names it. The hint says which file is meant.
func (a app) input(path, hint string) (in io.ReadCloser, name string, err error) {
	if path == standardInput {
		return io.NopCloser(a.stdin), "standard input", nil
	}
	if in, err = os.Open(path); err != nil {
		return nil, "", failf("%v", err).hinted("%s", hint)
	}
	return in, path, nil
}

// decodeReport reads a JSON report, and says of one that is none where it is not.
func decodeReport(in io.Reader, name string) (*model.Report, error) {
	r, err := report.Read(in)
	var why *report.ReadError
	if err == nil {
		return r, nil
	}
	if errors.As(err, &why) && why.Line > 0 {
		return nil, failf("%s", fmt.Sprintf("%s:%d: %s", name, why.Line, why.Msg)).hinted("%s", why.Hint)
	}
	if errors.As(err, &why) {
		return nil, failf("%s %s", name, why.Msg).hinted("%s", why.Hint)
	}
	return nil, failf("reading %s: %v", name, err).hinted("copy the file and try again")
}

// isReport reports whether the arguments name one file with a JSON report.
func isReport(arguments []string) bool {
	return len(arguments) == 1 && arguments[0] != standardInput && report.IsReport(firstBytes(arguments[0]))
}

// holdsReport is isReport of one argument, which can be standard input.
func (a *app) holdsReport(path string) bool {
	if path != standardInput {
		return isReport([]string{path})
	}
	in := bufio.NewReaderSize(a.stdin, report.Beginning)
	head, _ := in.Peek(report.Beginning) // a shorter input is no error, and a broken one fails when it is read
	a.stdin = in
	return report.IsReport(head)
}

// firstBytes is the beginning of a regular file; of anything else nothing.
func firstBytes(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil // reading it as a bundle says why
	}
	defer file.Close() // it was read only: closing can lose nothing
	head := make([]byte, report.Beginning)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return head[:n]
}
