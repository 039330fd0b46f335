package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
)

// afterComma cuts what is typed of a list before its last element.
func afterComma(typed string) (before, last string) {
	comma := strings.LastIndexByte(typed, ',')
	return typed[:comma+1], typed[comma+1:]
}

// completeSetting offers the settings, with the value where there is only one.
func completeSetting(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, _ := afterComma(typed)
	return []string{
		cobra.CompletionWithDesc(before+setGrace+"=", "a duration, such as 20s"),
		cobra.CompletionWithDesc(before+setToleration+"=", "seconds, such as 30"),
		before + setForceDetach + "=true",
	}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completionTime is how long a shell waits for the names of incidents.
const completionTime = 2 * time.Second

// completeIncident reads the bundle that has been typed, as far as there is time for that, and offers its incidents.
func (a app) completeIncident(c *cobra.Command, bundle []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(bundle) == 0 || slices.Contains(bundle, standardInput) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	a.stderr = io.Discard
	ctx, cancel := context.WithTimeout(cmp.Or(c.Context(), context.Background()), completionTime)
	defer cancel()
	r, err := a.incidentsOf(ctx, bundle)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := incidentNames(r)
	var out []string
	for n, in := range r.Incidents {
		name := cmp.Or(names[n].Claim, names[n].Volume)
		if again, err := analyze.ChooseIncident(names, name); err != nil || again != n {
			name = in.ID
		}
		out = append(out, cobra.CompletionWithDesc(name, "on "+cmp.Or(in.From.Node, "an unknown node")))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func (a app) incidentsOf(ctx context.Context, bundle []string) (*model.Report, error) {
	if isReport(bundle) {
		return a.readReport(bundle[0])
	}
	return a.explain(ctx, bundle, &flags{limits: defaultLimits()})
}
