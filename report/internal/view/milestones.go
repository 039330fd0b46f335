package view

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Milestone is a row of the short timeline of an incident.
type Milestone struct {
	Time string // of day
	Text string // without hashes

	at     time.Time
	weight int
}

// The weights of a milestone: those that bound a phase or are what somebody did come before alerts, and these before other observations.
const (
	weightOther = iota
	weightAlert
	weightPhase
	weightDone
)

// milestonesLeast is how many rows a timeline has where observations that bound nothing have to fill it.
const milestonesLeast = 5

// Milestones are at most so many rows that tell an incident, in the order of time.
func (in *IncidentView) Milestones(most int) []Milestone {
	list := append(in.doneMilestones(), in.observed()...)
	alerts := in.alertsFired()
	for _, f := range alerts[:min(alertsMost, len(alerts))] {
		list = append(list, Milestone{Text: "Alert " + f.name + " would have fired", at: f.at, weight: weightAlert})
	}
	if last := lastOf(list); last >= 0 {
		list[last].weight = weightDone // a story without its end is none
	}
	slices.SortStableFunc(list, func(a, b Milestone) int { return cmp.Or(cmp.Compare(b.weight, a.weight), a.at.Compare(b.at)) })
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(m Milestone) bool {
		again := seen[m.Text]
		seen[m.Text] = true
		return again
	})
	weighty := len(slices.DeleteFunc(slices.Clone(list), func(m Milestone) bool { return m.weight == weightOther }))
	list = list[:min(len(list), most, max(weighty, milestonesLeast))]
	slices.SortStableFunc(list, func(a, b Milestone) int { return a.at.Compare(b.at) })
	for i := range list {
		list[i].Time = ClockAt(list[i].at)
	}
	return list
}

// lastOf is the latest of the rows that bound a phase, or -1.
func lastOf(list []Milestone) int {
	last := -1
	for i, m := range list {
		if m.weight == weightPhase && (last < 0 || m.at.After(list[last].at)) {
			last = i
		}
	}
	return last
}

// doneMilestones are the acts of the advice.
func (in *IncidentView) doneMilestones() []Milestone {
	var out []Milestone
	if in.Incident.Advice == nil {
		return nil
	}
	for _, d := range in.Incident.Advice.Done {
		if d.At != nil && !d.At.IsZero() {
			out = append(out, Milestone{Text: in.doneView(d).Text, at: d.At.At, weight: weightDone})
		}
	}
	return out
}

// observed are the observations of the incident's timeline; what begins or ends a phase is told once. One that an act of the advice rests on is told by the act.
func (in *IncidentView) observed() []Milestone {
	boundOf, told, taken := map[string]int{}, map[string]bool{}, map[int]bool{}
	for n, m := range in.bounds() {
		for _, id := range m.Evidence {
			if _, known := boundOf[id]; !known {
				boundOf[id] = n
			}
		}
	}
	if in.Incident.Advice != nil {
		for _, d := range in.Incident.Advice.Done {
			for _, id := range d.Evidence {
				told[id] = true
			}
		}
	}
	var out []Milestone
	for _, item := range in.View.Timeline {
		if !slices.Contains(item.Incidents, in.ID) || slices.ContainsFunc(item.Evidence, func(id string) bool { return told[id] }) {
			continue
		}
		row := Milestone{Text: words.Capital(in.Unhashed(words.OneLine(item.Text))), at: item.At.At}
		at := slices.IndexFunc(item.Evidence, func(id string) bool { _, bounds := boundOf[id]; return bounds })
		switch {
		case item.By != "":
			row.weight = weightDone
		case at >= 0 && !taken[boundOf[item.Evidence[at]]]: // of several that tell one, the first
			row.weight, taken[boundOf[item.Evidence[at]]] = weightPhase, true
		case item.At.At.Before(in.Span.From.At):
			continue
		}
		out = append(out, row)
	}
	return out
}

// bounds are the moments between the phases, the first report and the end.
func (in *IncidentView) bounds() []model.Moment {
	out := []model.Moment{in.MultiAttach.Began}
	if in.MultiAttach.Ended != nil {
		out = append(out, *in.MultiAttach.Ended)
	}
	for _, p := range in.Phases {
		out = append(out, p.From, p.To)
	}
	return out
}

// attachmentHash is the name of a VolumeAttachment of a CSI volume: a hash of volume, driver and node.
var attachmentHash = regexp.MustCompile(`\s*\bcsi-[0-9a-f]{6,64}(…[0-9a-f]*)?`)

// Unhashed is a text without the hashes that name the volume and its attachment: the claim's name stands for the volume.
func (in *IncidentView) Unhashed(text string) string {
	text = attachmentHash.ReplaceAllString(text, "")
	if in.Volume.Claim == nil || in.Volume.Claim.Name == "" {
		return text
	}
	for _, name := range []string{in.Volume.UniqueName, in.Volume.VolumeHandle, in.Volume.PersistentVolume} {
		if name != "" {
			text = strings.ReplaceAll(text, name, in.Volume.Claim.Name)
		}
	}
	return text
}
