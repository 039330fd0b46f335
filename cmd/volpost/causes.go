package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
)

// listCommands list the causes, the checks and the remedies.
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
