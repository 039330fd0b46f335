package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/redact"
	"github.com/volpost/volpost/samples"
)

// samplePrefix makes an argument name an embedded sample. A directory of that name is reached as ./sample:NAME.
const samplePrefix = "sample:"

// standardInput is the argument that means what comes through a pipe.
const standardInput = "-"

// open opens what the BUNDLE arguments name: a sample, or everything else as one bundle.
func (a app) open(arguments []string) (*ingest.Bundle, error) {
	sources := make([]ingest.Source, 0, len(arguments))
	for _, argument := range arguments {
		name, isSample := strings.CutPrefix(argument, samplePrefix)
		switch {
		case isSample && len(arguments) > 1:
			return nil, usagef("%s is read by itself, not with other inputs", argument).hinted("a directory of that name is ./%s", argument)
		case isSample:
			return openSample(name, argument)
		case argument == standardInput:
			sources = append(sources, ingest.Source{Path: argument, Stream: a.stdin})
		default:
			sources = append(sources, ingest.Source{Path: argument})
		}
	}
	return ingest.OpenSources(sources...)
}

func nameStandardInputOnce(arguments []string) error {
	if first := slices.Index(arguments, standardInput); first >= 0 && slices.Contains(arguments[first+1:], standardInput) {
		return usagef("standard input is named twice").hinted("give - once")
	}
	return nil
}

func openSample(name, argument string) (*ingest.Bundle, error) {
	bundle, err := samples.Bundle(name)
	if err != nil {
		return nil, unknownSample(name, err)
	}
	return ingest.OpenFS(bundle, argument), nil
}

func (a app) explain(ctx context.Context, arguments []string, f *flags) (r *model.Report, err error) {
	options, err := a.options(f)
	if err != nil {
		return nil, err
	}
	err = a.read(ctx, arguments, f, func(ctx context.Context, snapshot *model.Snapshot) error {
		r = a.conclude(ctx, snapshot, options)
		return nil
	})
	return r, err
}

func (a app) conclude(ctx context.Context, snapshot *model.Snapshot, o analyze.Options) *model.Report {
	if a.alone && len(snapshot.Metrics) > 0 {
		defer lean()()
	}
	return analyze.Run(ctx, snapshot, o)
}

// read reads a bundle and hands over what it says, while the bundle is open and there is time.
func (a app) read(ctx context.Context, arguments []string, f *flags, use func(context.Context, *model.Snapshot) error) error {
	supplied, err := f.supplied.parse()
	if err != nil {
		return err
	}
	return a.opened(ctx, arguments, f.limits, func(ctx context.Context, bundle *ingest.Bundle) error {
		show := a.newProgress()
		snapshot, err := ingest.Read(ctx, bundle,
			ingest.Options{Limits: f.Limits, Progress: show.update, Supplied: supplied, Scratch: a.scratch})
		show.finish()
		if err != nil {
			return err
		}
		return use(ctx, snapshot)
	})
}

// opened does work with a bundle, with what is left of the time. A signal counts before what the work says of it.
func (a app) opened(ctx context.Context, arguments []string, l limits, work func(context.Context, *ingest.Bundle) error) error {
	if err := l.check(); err != nil {
		return err
	}
	bundle, err := a.open(arguments)
	if err != nil {
		return err
	}
	defer bundle.Close() // it was read only: closing can lose nothing
	timed, cancel := l.since(ctx, a.began)
	defer cancel()
	if err = work(timed, bundle); errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return err
}

// answer prints a result, redacted if wanted. Where bundled is set, render's output names its bundle itself.
func answer[T any](ctx context.Context, a app, f *flags, found *T, bundled bool, render func(io.Writer, string, *T) error) error {
	found, of, err := redacted(ctx, a, f, found)
	if err != nil {
		return err
	}
	return unprinted(f.within(ctx, "the answer was written", func() error {
		out := bufio.NewWriter(a.stdout)
		err := render(out, f.output, found)
		if err == nil && of != "" && !bundled {
			_, err = out.WriteString(redact.Mark(f.output, of))
		}
		return errors.Join(err, out.Flush())
	}), "the answer")
}

// completeBundle offers the samples beside the file names that the shell knows.
func completeBundle(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault // a sample is read by itself
	}
	var out []string
	for _, name := range sampleNames() {
		if strings.HasPrefix(samplePrefix+name, typed) && typed != "" {
			out = append(out, samplePrefix+name)
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// readRules reads rule files. One that holds no rule at all is an error; what of another one cannot be used is in the report.
func readRules(names []string) ([]model.RuleFile, error) {
	var out []model.RuleFile
	for _, name := range names {
		f, err := readRuleFile(name)
		if err != nil {
			return nil, failf("the rules of --rules: %v", err).hinted("promtool check rules FILE says more of a rule file")
		}
		out = append(out, f)
	}
	return out, nil
}

func readRuleFile(name string) (model.RuleFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return model.RuleFile{}, err
	}
	defer file.Close() // it was only read
	return ingest.ReadRules(name, file)
}

// progressDelay is how long reading may take before volpost says that it reads.
const progressDelay = time.Second

// progress shows on a terminal how much of a bundle has been read. Its zero out shows nothing.
type progress struct {
	out     io.Writer
	started time.Time

	mu    sync.Mutex // readers may report from several goroutines
	shown time.Time
	width int // characters that the line shown last has
}

// newProgress shows progress only where a person watches.
func (a app) newProgress() *progress {
	p := &progress{started: time.Now()}
	if watched(a.stderr) {
		p.out = a.stderr
	}
	return p
}

// watched reports whether w is a character device: a terminal, or /dev/null, where a progress line does no harm.
func watched(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// update receives how many bytes of how many have been read; total is 0 while it is not known.
func (p *progress) update(done, total int64) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.started) < progressDelay || now.Sub(p.shown) < progressDelay/10 {
		return
	}
	p.shown = now
	if total > 0 {
		p.show(fmt.Sprintf("reading %3d %% of %s", min(100, done*100/total), words.Bytes(total)))
		return
	}
	p.show(fmt.Sprintf("reading, %s so far", words.Bytes(done)))
}

// show writes over the line shown last with blanks: consoles of Windows print a control sequence as text unless they are set up.
func (p *progress) show(line string) {
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = len(line)
}

// finish takes the line away.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out != nil && !p.shown.IsZero() {
		p.show("")
		fmt.Fprint(p.out, "\r")
	}
}
