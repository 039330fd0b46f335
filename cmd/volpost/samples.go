package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/samples"
)

const samplesLong = `Lists the embedded recordings on real nodes, one for each lesson. Explain one with
volpost analyze sample:NAME, watch it with volpost replay sample:NAME, and take its files
with volpost samples extract NAME DIR.`

func (a app) samplesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "samples",
		Short: "List the recorded incidents that come with volpost",
		Long:  samplesLong,
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, s := range samples.List() {
				fmt.Fprintf(out, "%s%s\t%s\n", samplePrefix, s.Name, s.Title)
			}
			return out.Flush()
		}),
	}
	c.AddCommand(a.extractCommand())
	return c
}

const extractLong = `Writes a recorded incident into the directory DIR, which must not exist or be empty:
README.md says what was done to the cluster, what to notice and what is often believed wrongly;
bundle/ is what was collected from it; truth.json is what happened, as measured at the API
server.`

func (a app) extractCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "extract NAME DIR",
		Short:   "Write a recorded incident into a directory",
		Long:    extractLong,
		Example: "  volpost samples extract node-deleted /tmp/node-deleted",
		Args:    exactly("NAME", "DIR"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return sampleNames(), cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: working(func(_ *cobra.Command, args []string) error {
			return a.extract(strings.TrimPrefix(args[0], samplePrefix), args[1])
		}),
	}
}

func (a app) extract(name, dir string) error {
	if _, err := samples.Readme(name); err != nil {
		return unknownSample(name, err)
	}
	if err := checkEmpty(dir); err != nil {
		return err
	}
	if err := samples.Extract(name, dir); err != nil {
		return failf("writing the sample %s: %v", name, err).hinted("name a directory that can be written to, with 10 MB of room")
	}
	shown := clean(dir)
	fmt.Fprintf(a.stdout, "wrote %s: begin with %s, then volpost analyze %s\n", shown, filepath.Join(shown, "README.md"),
		filepath.Join(shown, "bundle"))
	return nil
}

// checkEmpty refuses a directory that holds anything: the files of a sample are not mixed with others.
func checkEmpty(dir string) error {
	inside, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(inside) == 0 {
		return nil
	}
	text := "is not empty"
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		text = "cannot be read: " + of.Err.Error()
	}
	return failf("%s %s", dir, text).hinted("name a directory that does not exist yet")
}

// unknownSample says which samples there are, and which of them was most probably meant.
func unknownSample(name string, err error) error {
	known := "known: " + strings.Join(sampleNames(), ", ")
	return failf("%v", err).meant(name, sampleNames(), "did you mean "+samplePrefix+"%s? "+known, known)
}

func sampleNames() []string {
	return wordsOf(samples.List(), func(s samples.Sample) string { return s.Name })
}
