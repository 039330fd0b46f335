package main

import (
	"fmt"
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
			title, doc, ok := explanation(args[0])
			if ok {
				_, err := fmt.Fprintf(a.stdout, "%s: %s\n\n%s\n", args[0], title, strings.TrimSpace(doc))
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

// explanation finds a cause, a check or a remedy.
func explanation(id string) (title, doc string, ok bool) {
	for _, c := range analyze.Causes() {
		if c.ID == id {
			return c.Title, c.Doc, true
		}
	}
	for _, c := range analyze.Checks() {
		if c.ID == id {
			return c.Title + " (" + c.Severity + ")", c.Doc, true
		}
	}
	for _, r := range analyze.Remedies() {
		if r.ID == id {
			return r.Title + " (" + r.Kind + ")", r.Doc, true
		}
	}
	return "", "", false
}

// explainable are the IDs of the causes, then those of the checks and of the remedies.
func explainable() []string {
	var ids []string
	for _, c := range analyze.Causes() {
		ids = append(ids, c.ID)
	}
	for _, c := range analyze.Checks() {
		ids = append(ids, c.ID)
	}
	for _, r := range analyze.Remedies() {
		ids = append(ids, r.ID)
	}
	return ids
}
