package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
)

func (a app) causesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "causes",
		Short: "List the causes that volpost knows",
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, c := range analyze.Causes() {
				fmt.Fprintf(out, "%s\t%s\n", c.ID, c.Title)
			}
			return out.Flush()
		}),
	}
}

func (a app) checksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "checks",
		Short: "List what volpost checks beside the incidents",
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, c := range analyze.Checks() {
				fmt.Fprintf(out, "%s\t%s\t%s\n", c.ID, c.Severity, c.Title)
			}
			return out.Flush()
		}),
	}
}

func (a app) remediesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remedies",
		Short: "List the remedies that volpost replays on every incident",
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, r := range analyze.Remedies() {
				fmt.Fprintf(out, "%s\t%s\t%s\n", r.ID, r.Kind, r.Title)
			}
			return out.Flush()
		}),
	}
}
