package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/redact"
)

// redactFlags are the flags of the commands that write reports.
type redactFlags struct {
	on   bool
	file string // for the key; empty: the names cannot come back
}

func (f *redactFlags) define(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "redact", false, "replace the names of nodes, pods, volumes, people and places with pseudonyms, in every output")
	flags.StringVar(&f.file, "redact-map", "", "with --redact, write the key that gives the names back to a private `FILE`")
}

// check refuses flags that contradict each other.
func (f *redactFlags) check(a app, targets []target, inputs []string) error {
	if f.file == "" {
		return nil
	}
	if !f.on {
		return usagef("--redact-map is the key of a redacted report").hinted("add --redact")
	}
	for _, t := range targets {
		if t.file != "" && sameFile(t.file, f.file) {
			return usagef("-o %s=%s and --redact-map go to the same file", t.format, t.file).hinted("keep the key apart from the report")
		}
	}
	if input := a.written(target{file: f.file}, inputs); input != "" {
		return usagef("%s is part of what is read, %s, and is not written over", f.file, input).hinted("name a new file")
	}
	return nil
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// redacted takes the names out of a report, or of another answer, when that is wanted, and writes the key before anything
// else is written: a report whose key is lost stays without names. It returns the name of the key, "" for none.
func redacted[T any](ctx context.Context, a app, f *flags, of *T) (out *T, named string, err error) {
	if !f.redact.on {
		return of, "", nil
	}
	r, _ := any(of).(*model.Report)
	if both, ok := any(of).(*playing); ok {
		r = both.Report
	}
	if r != nil && r.Redaction != nil {
		return nil, "", failf("the report is redacted already").hinted("leave --redact out")
	}
	var key *redact.Key
	if err := f.within(ctx, "the names were taken out", func() error {
		out, key = redact.Of(of)
		return nil
	}); err != nil {
		return nil, "", err
	}
	if f.redact.file == "" {
		return out, key.Of, nil
	}
	if err := a.writeKey(f.redact.file, key); err != nil {
		return nil, "", err
	}
	fmt.Fprintf(a.stderr, "wrote %s, which gives the names back: keep it to yourself\n", clean(f.redact.file))
	return out, key.Of, nil
}

// writeKey writes a key, readable by its owner alone. It replaces nothing but the key of the same report.
func (a app) writeKey(file string, key *redact.Key) error {
	info, err := os.Lstat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return failf("--redact-map %s is not a regular file, where only its owner could read the names", file).hinted("name a new file")
	case err == nil:
		old, err := readKey(file)
		if err != nil || old.Of != key.Of {
			return failf("%s exists and is not the key of this report", file).hinted("name a new file: a key that is written over is lost")
		}
	case !errors.Is(err, fs.ErrNotExist):
		return failf("%v", err)
	}
	if err := a.writeBeside(file, 0o600, func(w io.Writer) error { return key.Write(w) }); err != nil {
		return failf("writing the key: %v", err).hinted("--redact-map FILE writes it elsewhere; no report was written")
	}
	return nil
}

func readKey(file string) (*redact.Key, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, failf("%v", err).hinted("the key is the file that --redact-map wrote")
	}
	defer f.Close() // it was read only: closing can lose nothing
	key, err := redact.ReadKey(f)
	var unread *fs.PathError
	if errors.As(err, &unread) {
		return nil, failf("%v", err).hinted("the key is the file that --redact-map wrote")
	}
	if err != nil {
		return nil, failf("%s %v", file, err).hinted("the key is the file that --redact-map wrote")
	}
	return key, nil
}

// withoutNames is an error as the user of --redact gets it: its hint has the numbers of incidents in the place of their names.
func (f *redactFlags) withoutNames(err error) error {
	var because *analyze.QuestionError
	if f.on && errors.As(err, &because) && because.Incidents > 0 {
		return failf("%s", because.Msg).hinted("--incident names one by its number, from 1 to %d", because.Incidents)
	}
	return err
}

func otherKey(key, file string) error {
	return failf("%s is the key of another report than %s", key, file).
		hinted("each redacted report has a key of its own; both say which: redacted-…")
}
