package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

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
			return usagef("there is no cause, no check and no remedy %q", args[0]).
				meant(args[0], explainable(), "did you mean %q?", "volpost causes, volpost checks and volpost remedies list them")
		}),
	}
}

// entries are the causes, then the checks and the remedies.
func entries() []analyze.Entry {
	return slices.Concat(analyze.Causes(), analyze.Checks(), analyze.Remedies())
}

func explainable() []string {
	return wordsOf(entries(), func(e analyze.Entry) string { return e.ID })
}

func (a app) listCommands() []*cobra.Command {
	list := func(name, short string, entries func() []analyze.Entry) *cobra.Command {
		return &cobra.Command{Use: name, Short: short, Args: exactly(), RunE: working(func(*cobra.Command, []string) error {
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			for _, e := range entries() {
				fmt.Fprintln(out, strings.ReplaceAll(e.ID+"\t"+e.Kind+"\t"+e.Title, "\t\t", "\t"))
			}
			return out.Flush()
		})}
	}
	return []*cobra.Command{
		list("causes", "List the causes that volpost knows", analyze.Causes),
		list("checks", "List what volpost checks beside the incidents", analyze.Checks),
		list("remedies", "List the remedies that volpost replays on every incident", analyze.Remedies),
	}
}
