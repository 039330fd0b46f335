package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/docs"
	"github.com/volpost/volpost/model/words"
)

func (a app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [ID]",
		Short: "Explain a cause, a check or a remedy, or list them all",
		Long: `Explains a cause, a check or a remedy: what it says, what decides it, and what helps. Without
an ID it lists all of them.`,
		Example: `  volpost explain
  volpost explain rollout-surge
  volpost explain claim-not-provisioned
  volpost explain out-of-service-taint`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explainable(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: working(func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listEntries(kindsOfEntries())
			}
			for _, e := range entries() {
				if e.ID != args[0] {
					continue
				}
				title := e.Title
				if e.Kind != "" {
					title += " (" + e.Kind + ")"
				}
				_, err := fmt.Fprintf(a.stdout, "%s: %s\n\n%s\n", e.ID, title, docs.Section(e.ID))
				return err
			}
			return usagef("there is no cause, no check and no remedy %q", args[0]).
				meant(args[0], explainable(), "did you mean %q?", "volpost explain lists them")
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

// entryKind is one kind of what can be explained.
type entryKind struct {
	name, short string
	entries     []analyze.Entry
}

func kindsOfEntries() []entryKind {
	return []entryKind{
		{"causes", "List the causes that volpost knows", analyze.Causes()},
		{"checks", "List what volpost checks besides incidents", analyze.Checks()},
		{"remedies", "List the remedies that volpost replays on every incident", analyze.Remedies()},
	}
}

// listEntries prints what can be explained, each kind below its name where there are several.
func (a app) listEntries(kinds []entryKind) error {
	out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for i, k := range kinds {
		if len(kinds) > 1 {
			fmt.Fprintf(out, "%s%s\n", words.If(i > 0, "\n"), strings.ToUpper(k.name))
		}
		for _, e := range k.entries {
			fmt.Fprintln(out, strings.ReplaceAll(e.ID+"\t"+e.Kind+"\t"+e.Title, "\t\t", "\t"))
		}
	}
	return out.Flush()
}

func (a app) listCommands() []*cobra.Command {
	var out []*cobra.Command
	for _, k := range kindsOfEntries() {
		out = append(out, &cobra.Command{Use: k.name, Short: k.short, Args: exactly(), RunE: working(func(*cobra.Command, []string) error {
			return a.listEntries([]entryKind{k})
		})})
	}
	return out
}
