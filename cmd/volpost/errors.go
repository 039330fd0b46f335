package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model/words"
)

// The exit codes.
const (
	exitOK       = 0 // the bundle was analysed, whatever was found
	exitFailed   = 1 // nothing could be read, or a result could not be written
	exitUsage    = 2
	exitIncident = 3 // analysed, and the answer is one that --fail-on names
)

// failure is an error as the user sees it: one line, and one line about what to do.
type failure struct {
	code      int
	msg, hint string
}

func (f *failure) Error() string { return f.msg }

// usagef is a wrong use of the command line.
func usagef(format string, args ...any) *failure {
	return &failure{code: exitUsage, msg: fmt.Sprintf(format, args...)}
}

// failf is work that could not be done.
func failf(format string, args ...any) *failure {
	return &failure{code: exitFailed, msg: fmt.Sprintf(format, args...)}
}

func (f *failure) hinted(format string, args ...any) *failure {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// meant hints at the candidate that a mistyped word most probably meant, or, where none is near, says otherwise.
func (f *failure) meant(word string, candidates []string, near, otherwise string) *failure {
	if found := nearest(word, candidates); found != "" {
		return f.hinted(near, found)
	}
	return f.hinted("%s", otherwise)
}

// wordsOf is one word of every element.
func wordsOf[T any](list []T, word func(T) string) []string {
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, word(one))
	}
	return out
}

// errIncident makes the exit code of --fail-on without a message: the report has said it.
var errIncident = errors.New("the answer is one that --fail-on names")

// working marks the errors of a command's own work as such: all other errors that cobra returns are wrong usage.
func working(work func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		err := work(c, args)
		var known *failure
		var read *ingest.Error
		var unanswered *analyze.QuestionError
		var order *analyze.DiffError
		switch {
		case err == nil, errors.Is(err, errIncident), errors.As(err, &known), enough(err):
			return err
		case errors.Is(err, context.Canceled):
			return failf("interrupted; nothing was concluded")
		case errors.As(err, &read):
			return &failure{code: exitFailed, msg: read.Msg, hint: read.Hint}
		case errors.As(err, &unanswered):
			return &failure{code: exitFailed, msg: unanswered.Msg, hint: unanswered.Hint}
		case errors.As(err, &order):
			return &failure{code: exitFailed, msg: order.Msg, hint: order.Hint}
		}
		return failf("%v", err)
	}
}

// enough reports that who reads what is printed has gone, as head does when it has its lines: no fault of anything.
func enough(err error) bool { return errors.Is(err, syscall.EPIPE) }

// finish prints an error and returns the exit code.
func (a app) finish(err error) int {
	if err == nil || enough(err) {
		return exitOK
	}
	if errors.Is(err, errIncident) {
		return exitIncident
	}
	var f *failure
	if !errors.As(err, &f) {
		f = usagef("%v", err).hinted("volpost --help shows how")
	}
	fmt.Fprintln(a.stderr, "volpost:", clean(f.msg))
	if f.hint != "" {
		fmt.Fprintln(a.stderr, "hint:", clean(a.renamed(f.hint)))
	}
	return f.code
}

// clean makes text of a bundle or a command line fit for a terminal, in one line.
func clean(s string) string { return words.OneLine(words.Visible(s)) }

// nearest returns the candidate that a mistyped word most probably meant, as cobra finds it among commands, or "".
func nearest(word string, candidates []string) string {
	known := &cobra.Command{}
	for _, c := range candidates {
		known.AddCommand(&cobra.Command{Use: c, Run: func(*cobra.Command, []string) {}})
	}
	for known.SuggestionsMinimumDistance = 1; word != ""; known.SuggestionsMinimumDistance++ {
		if near := known.SuggestionsFor(word); len(near) > 0 {
			return near[0]
		}
		if known.SuggestionsMinimumDistance >= len(word)/3 {
			break
		}
	}
	return ""
}
