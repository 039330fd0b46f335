package main

import (
	"fmt"
	"strings"
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

func (a app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain CAUSE",
		Short:   "Explain a cause: its symptom, its mechanism, what decides it",
		Example: "  volpost explain rollout-surge",
		Args:    exactly("CAUSE"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return causeIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: working(func(_ *cobra.Command, args []string) error {
			for _, c := range analyze.Causes() {
				if c.ID == args[0] {
					_, err := fmt.Fprintf(a.stdout, "%s: %s\n\n%s\n", c.ID, c.Title, strings.TrimSpace(c.Doc))
					return err
				}
			}
			err := usagef("there is no cause %q", args[0])
			if near := nearest(args[0], causeIDs()); near != "" {
				return err.hinted("did you mean %q?", near)
			}
			return err.hinted("volpost causes lists them")
		}),
	}
}

func causeIDs() []string {
	var ids []string
	for _, c := range analyze.Causes() {
		ids = append(ids, c.ID)
	}
	return ids
}
