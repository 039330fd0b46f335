package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// fault is the finding that a verdict without an incident is about: the first of severity critical or warning. Nil of other verdicts.
func (v *View) fault() *model.Finding {
	if v.Verdict.Status != model.StatusFault || v.Main() != nil {
		return nil
	}
	n := slices.IndexFunc(v.Findings, func(f model.Finding) bool { return f.Severity != string(model.Info) })
	if n < 0 {
		return nil
	}
	return &v.Findings[n]
}

// addFault adds the steps of the verdict itself, and since when a fault lasts.
func (v *View) addFault(a *Answer) {
	if a.Incident != nil {
		return
	}
	a.Open = v.Verdict.Open
	if f := v.fault(); f != nil && f.Since != nil && a.Open {
		a.When = "since " + DateAt(f.Since.At) + Zone(f.Since.At)
		if at := v.Bundle.CapturedAt; at != nil && at.Basis == model.Observed && at.At.After(f.Since.At) {
			a.Lasted = words.Seconds(f.Since.Until(*at).Best)
		}
	}
	a.Steps = StepsOf(v.Verdict.Steps)
	switch {
	case a.State == StateFault && !a.Open:
		a.Tense = "TO DO"
	case a.State == StateFault && v.Bundle.CapturedAt != nil && v.Bundle.CapturedAt.Basis == model.Observed:
		a.Tense = "DO NOW"
	case a.State == StateFault:
		a.Tense = "DO NOW, IF IT IS STILL SO"
	case len(a.Steps) > 0 && a.Steps[0].Name == partNames[0]:
		a.Tense = "TO FIND OUT MORE"
	}
}

// about names what the answer is about, so that each name that the evidence shows stands on the first screen.
func (v *View) about(in *IncidentView) []string {
	if in == nil {
		return v.shown()
	}
	vol, text := in.Volume, words.OneLine(cmp.Or(in.Volume.PersistentVolume, in.Volume.UniqueName, in.Volume.VolumeHandle))
	if text != "" {
		text = "volume " + text
	}
	if vol.Claim != nil && vol.Claim.Name != "" {
		claim := "PersistentVolumeClaim " + words.OneLine(vol.Claim.String())
		text += words.If(text != "", " ("+claim+")") + words.If(text == "", claim)
	}
	cluster := words.If(in.Cluster != "", "cluster "+words.OneLine(model.ClusterName(in.Cluster, v.Bundle.Inputs)))
	out := []string{cluster, text, side("from", in.From), side("to", in.To)}
	return slices.DeleteFunc(out, func(text string) bool { return text == "" })
}

// side names the pods and the node of one side of an incident; "" where neither is known.
func side(word string, p model.Place) string {
	text := ""
	if len(p.Pods) > 0 {
		text = " " + words.OneLine(p.Pods[0].Name) + words.If(len(p.Pods) > 1, fmt.Sprintf(" and %d more", len(p.Pods)-1))
	}
	if node := words.OneLine(p.Node); node != "" {
		text += words.If(text != "", " on") + " " + node
	}
	return words.If(text != "", word+text)
}

// AboutLabel says what the names of an answer are to it.
func (a Answer) AboutLabel() string {
	if a.Incident != nil {
		return "About"
	}
	if a.State == StateFault {
		return "Objects"
	}
	return "Shown"
}

// shown is what the input shows, or else the objects of the fault that the answer is about.
func (v *View) shown() []string {
	if f := v.fault(); f != nil {
		var out []string
		for _, o := range f.Objects[:min(len(f.Objects), shownObjects)] {
			out = append(out, words.OneLine(o.Kind+" "+o.String()))
		}
		if more := len(f.Objects) - len(out); more > 0 {
			out = append(out, fmt.Sprintf("and %d more", more))
		}
		return append(out, v.besidesHeadline()...)
	}
	return v.besidesHeadline()
}

// besidesHeadline is what the input shows and the headline has no room for.
func (v *View) besidesHeadline() []string {
	said := strings.ToLower(v.Verdict.Headline)
	return slices.DeleteFunc(Each(v.Verdict.Shown, words.OneLine), func(text string) bool { return strings.Contains(said, strings.ToLower(text)) })
}

// shownObjects is how many objects of a fault the first screen names.
const shownObjects = 6

// fewFiles is how many files an input may have for each of those that were ignored to stand on the first screen.
const fewFiles = 5

// ignored are the files of a small input of which nothing was read, each with the reason.
func (v *View) ignored() []string {
	if len(v.Bundle.Inputs) > fewFiles {
		return nil
	}
	var out []string
	for _, in := range v.Bundle.Inputs {
		withheld := slices.ContainsFunc(v.Bundle.Unreadable, func(u model.Unreadable) bool { return u.Path == in.Path }) // a banner tells of it
		if withheld || in.Kind != model.InputIgnored && in.Kind != model.InputEmpty && (in.Kind != model.InputText || in.Used > 0) {
			continue
		}
		why := "nothing in it is output of Kubernetes that is read"
		if in.Kind == model.InputEmpty {
			why = "it is empty"
		}
		for _, p := range v.Bundle.Problems {
			if p.Path == in.Path && p.Severity != model.Failure && p.Message != "" {
				why = p.Message
				break
			}
		}
		out = append(out, words.OneLine(v.Short(model.Source{Path: in.Path}))+": "+words.OneLine(why))
	}
	return out
}

// PhaseName is the one name that a phase has in every output, that of the JSON report; of an undivided stretch with the first and the last
// phase that it consists of.
func PhaseName(p model.Phase) string {
	name := words.OneLine(string(p.ID))
	if n := len(p.Undivided); n > 1 {
		name += " (" + words.OneLine(string(p.Undivided[0])) + " to " + words.OneLine(string(p.Undivided[n-1])) + ")"
	}
	return name
}

// BarText names the stretches of a bar with how long each was.
func BarText(parts []PhaseView) string {
	names := Each(parts, func(p PhaseView) string { return p.Name + " " + p.Took + words.If(p.Open, " so far") })
	text := strings.Join(names, " · ")
	if from := parts[0].Clock; from != "" {
		text = "from " + from + ": " + text
	}
	return text
}
