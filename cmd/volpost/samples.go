package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/samples"
)

func (a app) samplesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "samples",
		Short: "List the recorded incidents that volpost brings along",
		Long:  "Lists the embedded recordings of real control planes. Read one with: volpost analyze sample:NAME",
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, s := range samples.List() {
				fmt.Fprintf(out, "%s%s\t%s\n", samplePrefix, s.Name, s.Title)
			}
			return out.Flush()
		}),
	}
}

func sampleNames() []string {
	var names []string
	for _, s := range samples.List() {
		names = append(names, s.Name)
	}
	return names
}
