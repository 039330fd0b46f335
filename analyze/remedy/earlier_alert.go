package remedy

import (
	"fmt"
	"math"
	"time"

	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Alarm is when the first recommended alert would have fired for an incident, by the back-test. The zero Alarm is none.
type Alarm struct {
	Tested   bool   // rules were run over the time of the incident; otherwise nothing is known
	Rule     string // "" when none fired
	At       time.Time
	Recorded bool     // by the cluster's own metrics, not by series made of the timeline
	Evidence []string // the samples
}

// alertFor is how long, in seconds, an alert on the wait waits where no rule could be run: ordinary handovers do not fire it.
const alertFor = 120.0

var earlierAlert = Remedy{
	ID: "earlier-alert", Title: "Alert with the recommended rules", Preventive: true, During: true,
	References: []string{"volpost alerts prints the rules; docs/alerts.md says when each fired in the recordings",
		"kubernetes Event FailedAttachVolume, written once for each wait"},
	SideEffects: (*Incident).answered,

	Phases: []model.PhaseID{model.PhaseRelease, model.PhaseReplacement, model.PhaseScheduling, model.PhaseUnmountWait, model.PhaseDetach,
		model.PhaseAttach, model.PhaseMount},
	Fit: func(i *Incident) Fit {
		if i.Alarm.Tested && i.Alarm.Rule == "" {
			return misfit("None of the recommended alerts would have fired while the wait lasted.")
		}
		if end := i.Case.Ended(); end.Known() && i.of(end.At) < i.alarm() {
			return misfit("The wait was over before an alert would have fired.")
		}
		r, used, ok := i.sooner()
		if !ok && i.Misfit() != "" {
			return undecidable("Withheld: " + i.Misfit())
		}
		if !ok {
			return undecidable("No recorded act could have come sooner, and no remedy without a data risk would have shortened the wait.")
		}
		if used {
			at, _ := i.used(r)
			if at <= i.called(r)+noticeable {
				return noEffect(fmt.Sprintf("%s What was done here (%s) came before an alert would have helped.", i.alarmText(), r.ID))
			}
			return fits(fmt.Sprintf("%s %s %s comes at %s and not at %s, as it was done.",
				i.alarmText(), i.then(), r.ID, i.clock(i.called(r)), i.clock(at)))
		}
		return fits(fmt.Sprintf("%s %s %s comes at %s.", i.alarmText(), i.then(), r.ID, i.clock(i.called(r))))
	},
	Change: func(i *Incident, p replay.Plan, _ float64) replay.Plan {
		if r, _, ok := i.sooner(); ok {
			return r.Change(i, p.Without(r.Acts...), i.called(r))
		}
		return p
	},
	Cites: func(i *Incident) []string { return i.Alarm.Evidence },
	Needs: func(i *Incident, at float64) []Need {
		if r, _, ok := i.sooner(); ok && r.Needs != nil {
			return r.Needs(i, at)
		}
		return nil
	},
}

// alarm is when an alert would have called a person, in seconds of the scenario.
func (i *Incident) alarm() float64 {
	if i.Alarm.Rule != "" {
		return i.of(i.Alarm.At)
	}
	return i.Scenario.Reported + alertFor
}

// called is when a person who was alerted would have acted: after the reaction, and not before something justifies it.
func (i *Incident) called(r Remedy) float64 {
	at := i.alarm() + i.reaction
	if from := r.From(i); !math.IsNaN(from) && !math.IsInf(from, 0) {
		return max(at, from)
	}
	return at
}

// then introduces what a person does who was called; a reaction is named.
func (i *Incident) then() string {
	if i.reaction > 0 {
		return "With a reaction of " + words.Whole(i.reaction) + ","
	}
	return "Then"
}

// alarmText says when the alert would have fired, and how that is known.
func (i *Incident) alarmText() string {
	if i.Alarm.Rule == "" {
		return fmt.Sprintf("No rule could be run; an alert is assumed to fire %s after the wait began.", words.Whole(alertFor))
	}
	when, by := "before", "by what kube-state-metrics would have reported of the timeline"
	if i.Alarm.Recorded {
		by = "by the metrics of the bundle"
	}
	away := i.Scenario.Reported - i.alarm()
	if away < 0 {
		when, away = "after", -away
	}
	return fmt.Sprintf("%s would have fired at %s, %s %s the wait began, %s.", i.Alarm.Rule, clock(i.Alarm.At), words.Whole(away), when, by)
}

// sooner is what an alert would have brought forward: the first remedy that was used, else the best one without a risk for the data.
func (i *Incident) sooner() (r Remedy, used, ok bool) {
	first, best := math.Inf(1), 0.0
	for _, done := range i.all {
		if at, yes := i.used(done); yes && at < first && done.Change != nil {
			r, used, ok, first = done, true, true, at
		}
	}
	if ok {
		return r, used, ok
	}
	for n, j := range i.judged {
		harmless := j.Kind == model.Reactive && j.Safety.State == model.Safe
		if !harmless || j.Effect != model.EffectShortens || i.all[n].Change == nil {
			continue
		}
		if saved := j.SavedSeconds; saved != nil && (!ok || saved.Best > best) {
			r, ok, best = i.all[n], true, saved.Best
		}
	}
	return r, false, ok
}
