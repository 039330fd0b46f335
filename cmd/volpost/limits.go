package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
)

const limitsLong = `Whatever a bundle holds, reading it stays within these limits. Reaching one is said in the report
with the flag that moves it, and the rest of the bundle is read.

The flags are those of all commands that read a bundle. A SIZE is a number of bytes, such as
300, 64KiB, 256MiB or 4GiB.

`

// limitsTopic is what volpost help limits prints. The help of the commands leaves these flags out: few people need one, and
// whoever does is told which.
func limitsTopic() *cobra.Command {
	var limits ingest.Limits
	flags := pflag.NewFlagSet("limits", pflag.ContinueOnError)
	limitFlags(flags, &limits)
	flags.VisitAll(func(f *pflag.Flag) { f.Hidden = false })
	return &cobra.Command{
		Use:   "limits",
		Short: "How much of a bundle is read at most, and the flags that change it",
		Long:  limitsLong + strings.TrimRight(flags.FlagUsages(), "\n"),
	}
}

// defaultLimits are those of reading and of explaining.
func defaultLimits() ingest.Limits {
	l := ingest.DefaultLimits()
	l.Incidents = analyze.DefaultIncidents
	return l
}

// limitFlags defines the flags of the limits, with their defaults. The messages of package ingest name them.
func limitFlags(flags *pflag.FlagSet, l *ingest.Limits) {
	*l = defaultLimits()
	flags.IntVar(&l.Entries, "max-entries", l.Entries, "files and directories to read, those in archives included")
	flags.Var((*byteSize)(&l.EntryBytes), "max-entry-bytes", "unpack of one file up to `SIZE`; one that is not packed is read whole")
	flags.Var((*byteSize)(&l.ManifestBytes), "max-manifest-bytes", "hold a file with objects in memory up to `SIZE`; lists as kubectl writes them are not held")
	flags.Var((*byteSize)(&l.TotalBytes), "max-total-bytes", "unpack of all files together up to `SIZE`")
	flags.Var((*byteSize)(&l.ObjectBytes), "max-object-bytes", "keep objects up to `SIZE` of memory, and of what takes more than its text less")
	flags.Var((*byteSize)(&l.ZipBytes), "max-zip-bytes", "hold a zip that lies in an archive, or comes through a pipe, in memory up to `SIZE`")
	flags.IntVar(&l.Nesting, "max-nesting", l.Nesting, "archives in one another")
	flags.Int64Var(&l.Ratio, "max-ratio", l.Ratio, "unpacked bytes for one packed byte, beyond the first 100 MiB")
	flags.IntVar(&l.Depth, "max-depth", l.Depth, "levels of nesting in YAML and JSON")
	flags.IntVar(&l.Objects, "max-objects", l.Objects, "objects to read of one file")
	flags.IntVar(&l.Nodes, "max-nodes", l.Nodes, "values that one YAML object may expand to through aliases")
	flags.DurationVar(&l.Time, "max-time", l.Time, "stop reading and explaining after this `DURATION`, such as 5m; 0 for never")
	flags.IntVar(&l.Incidents, "max-incidents", l.Incidents, "waits to explain one by one; the others are counted")
	flags.VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || strings.HasPrefix(f.Name, "max-") })
}

// checkLimits refuses limits that would read nothing.
func checkLimits(l ingest.Limits) error {
	for _, f := range []struct {
		flag  string
		value int64
	}{
		{"entries", int64(l.Entries)}, {"entry-bytes", l.EntryBytes}, {"manifest-bytes", l.ManifestBytes}, {"total-bytes", l.TotalBytes},
		{"object-bytes", l.ObjectBytes}, {"zip-bytes", l.ZipBytes}, {"nesting", int64(l.Nesting)}, {"ratio", l.Ratio},
		{"depth", int64(l.Depth)}, {"nodes", int64(l.Nodes)}, {"objects", int64(l.Objects)}, {"incidents", int64(l.Incidents)},
	} {
		if f.value < 1 {
			return usagef("--max-%s must be at least 1", f.flag).hinted("leave it out for its default")
		}
	}
	if l.Time < 0 {
		return usagef("--max-time must not be negative").hinted("--max-time 0 sets no limit")
	}
	return nil
}

// byteSize is a number of bytes on the command line: 300, 64KiB, 256MiB, 4GiB; K, M and G mean the same.
type byteSize int64

var byteUnits = []struct {
	name string
	size int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"T", 1 << 40}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1}, {"", 1}}

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n < 0 || n > math.MaxInt64/u.size {
			break
		}
		*b = byteSize(n * u.size)
		return nil
	}
	return fmt.Errorf("is no size; write it as 300, 64KiB, 256MiB or 4GiB")
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
