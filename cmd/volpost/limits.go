package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
)

const limitsLong = `Whatever a bundle holds, reading it stays within these limits. The report says which limit was
reached, and the rest of the bundle is read. Fixed limits hold besides, against what hostile files
claim about themselves.

All commands that read a bundle have these flags; fleet and report have --max-time. It limits
reading and explaining together, then taking the names out, then each output. A SIZE is in
bytes, such as 300, 64KiB, 256MiB or 4GiB.

`

// limits are how far a command goes. The time counts for reading and explaining together, from the start of the program, and once more
// for each thing that is then done with what is known; 0 is no limit.
type limits struct {
	ingest.Limits
	time      time.Duration
	incidents int
}

// limitsTopic is what volpost help limits prints. The commands' help leaves these flags out: few people need one, and reports name it.
func limitsTopic() *cobra.Command {
	flags := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	new(limits).define(flags)
	flags.VisitAll(func(f *pflag.Flag) { f.Hidden = f.Usage == "" })
	return &cobra.Command{
		Use:   "limits",
		Short: "Limits on what is read of a bundle, and the flags that change them",
		Long:  limitsLong + strings.TrimRight(flags.FlagUsages(), "\n"),
	}
}

func defaultLimits() limits {
	return limits{Limits: ingest.DefaultLimits(), incidents: analyze.DefaultIncidents}
}

// define defines the flags of the limits, with their defaults. The messages of package ingest name them.
func (l *limits) define(flags *pflag.FlagSet) {
	*l = defaultLimits()
	size := func(to *int64, name, usage string) { flags.Var((*byteSize)(to), name, usage) }
	size(&l.TotalBytes, "max-total-bytes", "unpack up to `SIZE` of all files together")
	size(&l.ObjectBytes, "max-object-bytes", "keep objects in up to `SIZE` of memory, less of those that take more than their text; "+
		"of one file with objects "+
		"a quarter of it is read, and 256 MiB at least")
	flags.IntVar(&l.incidents, "max-incidents", l.incidents, "waits to explain one by one; the others are counted")
	l.defineTime(flags)
	// Names of before, which the next version does not have.
	size(&l.EntryBytes, "max-entry-bytes", "")
	size(&l.ManifestBytes, "max-manifest-bytes", "")
	size(&l.ZipBytes, "max-zip-bytes", "")
	size(&l.Ratio, "max-ratio", "")
	for name, to := range map[string]*int{"entries": &l.Entries, "nesting": &l.Nesting, "depth": &l.Depth, "objects": &l.Objects, "nodes": &l.Nodes} {
		flags.IntVar(to, "max-"+name, *to, "")
	}
	flags.VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || strings.HasPrefix(f.Name, "max-") })
}

// defaultTime is far above what the largest cluster took, 106 s, and a bound for whoever analyses what strangers send.
const defaultTime = 10 * time.Minute

// defineTime defines the limit that a command has which reads no bundle.
func (l *limits) defineTime(flags *pflag.FlagSet) {
	flags.DurationVar(&l.time, "max-time", defaultTime, "stop reading and explaining after this `DURATION`, such as 5m; 0 for never")
	flags.Lookup("max-time").Hidden = true
}

// since is a context that ends when the time is up that began with the program.
func (l limits) since(ctx context.Context, began time.Time) (context.Context, context.CancelFunc) {
	if l.time <= 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, began.Add(l.time))
}

// within does work that cannot end by itself, for as long as the whole may take: what is known when the time for reading and explaining
// is over is still to be written. What does not come to its end then ends with the program.
func (l limits) within(ctx context.Context, doing string, work func() error) error {
	timed, cancel := l.since(ctx, time.Now())
	defer cancel()
	done, panicked := make(chan error, 1), make(chan any, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				panicked <- r
			}
		}()
		done <- work()
	}()
	select {
	case err := <-done:
		return err
	case r := <-panicked:
		panic(r)
	case <-timed.Done():
	}
	if errors.Is(timed.Err(), context.Canceled) {
		return timed.Err()
	}
	return failf("the limit of time (--max-time) is reached while %s", doing).
		hinted("--max-time 0 sets no limit; what was written before is complete")
}

// check refuses limits that would read nothing.
func (l limits) check() error {
	for name, n := range map[string]int{"incidents": l.incidents, "entries": l.Entries, "nesting": l.Nesting, "depth": l.Depth,
		"objects": l.Objects, "nodes": l.Nodes} {
		if n < 1 {
			return usagef("--max-%s must be at least 1", name).hinted("leave it out for its default")
		}
	}
	if l.time < 0 {
		return usagef("--max-time must not be negative").hinted("--max-time 0 sets no limit")
	}
	return nil
}

// byteSize is a number of bytes on the command line: 300, 64KiB, 256MiB, 4GiB; K, M and G mean the same.
type byteSize int64

var byteUnits = []struct {
	name string
	size int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"T", 1 << 40}, {"G", 1 << 30}, {"M", 1 << 20},
	{"K", 1 << 10}, {"B", 1}, {"", 1}}

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 1 || n > math.MaxInt64/u.size {
			break
		}
		*b = byteSize(n * u.size)
		return nil
	}
	return fmt.Errorf("is not a size; write it as 300, 64KiB, 256MiB or 4GiB")
}

// String implements pflag.Value.
func (b *byteSize) String() string {
	for _, u := range byteUnits[:4] {
		if n := int64(*b); n >= u.size && n%u.size == 0 {
			return strconv.FormatInt(n/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type implements pflag.Value.
func (b *byteSize) Type() string { return "size" }
