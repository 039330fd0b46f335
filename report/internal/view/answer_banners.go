package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// banners are the problems that change the answer: what could not be read, and times whose date is a stand-in.
func (v *View) banners() []string {
	out := slices.DeleteFunc([]string{v.twoWriters(), v.withheld()}, func(text string) bool { return text == "" })
	failed, first := 0, ""
	for _, p := range v.Bundle.Problems {
		if p.Severity == model.Failure {
			if failed++; failed == 1 {
				first = words.OneLine(strings.TrimPrefix(p.Path+": "+p.Message, ": "))
			}
		}
	}
	if failed > 0 && len(v.Bundle.Unreadable) == 0 {
		out = append(out, fmt.Sprintf("%s could not be read: %s", words.Count(failed, "input"), first))
	}
	if s := v.Bundle.StandIn; s != nil {
		out = append(out, words.OneLine(s.Means))
	}
	return out
}

// twoWriters says of the first incident whose old node ran on after a forced detach that its data are in doubt.
func (v *View) twoWriters() string {
	text, others := "", 0
	for _, in := range v.Incident {
		w := in.IntegrityWindow
		if w == nil || !w.RanOn {
			continue
		}
		if text != "" {
			others++
			continue
		}
		until := " on"
		if w.To != nil {
			until = " to " + ClockAt(w.To.At)
		}
		text = fmt.Sprintf("Both nodes could write to volume %s from %s%s: %s ran on after the detach",
			VolumeName(in.Volume), ClockAt(w.From.At), until, words.OneLine(in.From.Node))
	}
	if text == "" {
		return ""
	}
	return text + words.If(others > 0, ", and so for "+words.Count(others, "other volume")) +
		". Check the volume's file system and the application's data."
}

// withheldShown is how many paths the first screen names.
const withheldShown = 3

// withheld says which paths the system did not let be read, because nothing else in the report looks different for it.
func (v *View) withheld() string {
	list := v.Bundle.Unreadable
	if len(list) == 0 {
		return ""
	}
	prose := func(u model.Unreadable) bool { return u.Holds == model.HoldsProse }
	system := slices.DeleteFunc(slices.Clone(list), prose)
	if len(system) > 0 {
		list = system
	}
	var paths, why []string
	for _, u := range list {
		if len(paths) < withheldShown {
			paths = append(paths, words.OneLine(u.Path))
		}
		if reason := words.OneLine(u.Why); !slices.Contains(why, reason) {
			why = append(why, reason)
		}
	}
	if more := len(list) - len(paths); more > 0 {
		paths = append(paths, fmt.Sprintf("and %d more", more))
	}
	if len(system) == 0 {
		return fmt.Sprintf("Not understood: %s (%s).", strings.Join(paths, ", "), strings.Join(why, "; "))
	}
	return fmt.Sprintf("%s of the bundle could not be read (%s): %s. What is there was collected, and is missing here.",
		words.Count(len(list), "path"), strings.Join(why, "; "), strings.Join(paths, ", "))
}
