package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

const alertsIntro = `# Alerts

Would an alert have seen the incident, and how long before or after Multi-Attach began? ` + "`volpost analyze`" + ` evaluates the rules that
` + "`volpost alerts`" + ` recommends, and the popular ones that they replace, with Prometheus' own engine.

## Over what they are run

Over series that are synthesised from the reconstructed timeline of each incident: what kube-state-metrics 2.20 would have reported of its
nodes, pods, claim and VolumeAttachments, every 30 s, from 15 minutes before to 10 minutes after, and not beyond the collection.
Scrapes at other instants would shift a firing by up to 30 s, and one that lasts no longer might not come. Nothing else of the cluster is in them, so
they say what a rule would have bought in the incident, and nothing of its false alarms elsewhere. A rule over other metrics has no data.
An incident whose times nothing dates, or whose volume, nodes or new pod nothing names, is left out.

## The rules over the recordings inside of the program

Each cell: the result; where it fired, the seconds from its first firing to the beginning of Multi-Attach (positive: before; negative: after)
and, where there are any, the firings that belong to no incident.

`

// alertsPage is the outcome of every rule, as written and as recommended, over every sample.
func alertsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(generated + alertsIntro + "| recording | rule | parses as written | as written | recommended |\n|---|---|---|---|---|\n")
	for _, s := range samples.List() {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		_, r := explained(t, bundle, s.Name)
		for _, recommended := range r.Alerts {
			if recommended.Origin != "builtin" {
				continue
			}
			parses, written := "", "none"
			for _, a := range r.Alerts {
				if a.Origin == "seed" && a.Name == recommended.Name {
					parses, written = "yes", alertCell(a)
					if strings.Contains(a.Note, "does not parse") {
						parses = "no"
					}
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.Name, recommended.Name, parses, written, alertCell(recommended))
		}
	}
	return b.String()
}

// alertCell is a rule's outcome in a few words.
func alertCell(a model.Alert) string {
	text, beside := a.Result, 0
	var first *model.Firing
	for i, f := range a.Firings {
		if f.Incident == nil {
			beside++
		} else if first == nil || f.From.Before(first.From) {
			first = &a.Firings[i]
		}
	}
	if first != nil && first.LeadSeconds != nil {
		text += fmt.Sprintf(", %+.0f s", *first.LeadSeconds)
	}
	if beside > 0 {
		text += fmt.Sprintf(", %d beside", beside)
	}
	return text
}
