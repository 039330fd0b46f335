package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
)

func (a app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "Explain a cause, a check or a remedy: what it says, what decides it, what helps",
		Example: `  volpost explain rollout-surge
  volpost explain claim-not-provisioned
  volpost explain out-of-service-taint`,
		Args: exactly("ID"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explainable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: working(func(_ *cobra.Command, args []string) error {
			for _, e := range entries() {
				if e.ID != args[0] {
					continue
				}
				title := e.Title
				if e.Kind != "" {
					title += " (" + e.Kind + ")"
				}
				_, err := fmt.Fprintf(a.stdout, "%s: %s\n\n%s\n", e.ID, title, strings.TrimSpace(e.Doc))
				return err
			}
			err := usagef("there is no cause, no check and no remedy %q", args[0])
			if near := nearest(args[0], explainable()); near != "" {
				return err.hinted("did you mean %q?", near)
			}
			return err.hinted("volpost causes, volpost checks and volpost remedies list them")
		}),
	}
}

// entries are the causes, then the checks and the remedies.
func entries() []analyze.Entry {
	return slices.Concat(analyze.Causes(), analyze.Checks(), analyze.Remedies())
}

// explainable are their IDs.
func explainable() []string {
	var ids []string
	for _, e := range entries() {
		ids = append(ids, e.ID)
	}
	return ids
}
