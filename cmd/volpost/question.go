package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/volpost/volpost/analyze"
)

// The settings that --set knows.
const (
	setGrace       = "node-monitor-grace-period"
	setToleration  = "tolerationSeconds"
	setForceDetach = "disable-force-detach-on-timeout"
)

var settings = []string{setGrace, setToleration, setForceDetach}

// defaultReaction is that of the analysis; the flag shows it.
const defaultReaction = 5 * time.Minute

func reactionFlag(flags *pflag.FlagSet, d *time.Duration) {
	flags.DurationVar(d, "reaction", defaultReaction, "a person acts this `DURATION` after the first moment that justifies it")
}

func checkReaction(d time.Duration) error {
	if d < time.Second || d > 24*time.Hour {
		return usagef("--reaction must be from 1s to 24h, not %s", d).hinted("--reaction 5m is the default")
	}
	return nil
}

// parseQuestion reads --apply, --set and --incident.
func parseQuestion(flags whatIfFlags) (analyze.Question, error) {
	q := analyze.Question{Incident: flags.incident}
	if len(flags.apply)+len(flags.set) == 0 {
		return q, usagef("whatif is not told what is different").hinted("--apply REMEDY@TIME or --set NAME=VALUE; volpost whatif --help lists both")
	}
	for _, text := range flags.apply {
		s, err := parseStep(text)
		if err != nil {
			return q, err
		}
		q.Steps = append(q.Steps, s)
	}
	for _, text := range flags.set {
		if err := parseSetting(&q, text); err != nil {
			return q, err
		}
	}
	return q, nil
}

// parseStep reads REMEDY[@TIME].
func parseStep(text string) (analyze.Step, error) {
	id, when, timed := strings.Cut(text, "@")
	s := analyze.Step{Remedy: id}
	var known []string
	for _, r := range analyze.Remedies() {
		known = append(known, r.ID)
	}
	if !slices.Contains(known, id) {
		err := usagef("there is no remedy %q", id)
		if near := nearest(id, known); near != "" {
			return s, err.hinted("did you mean %s?", near)
		}
		return s, err.hinted("volpost remedies lists them")
	}
	if !timed {
		return s, nil
	}
	w, ok := parseWhen(when)
	if !ok {
		return s, usagef("--apply %s has no time that volpost reads", text).hinted("write %s@+5m after the first Multi-Attach report, @06:13:40 UTC, or @2026-11-21T06:13:40Z", id)
	}
	s.When = w
	return s, nil
}

// parseWhen reads an instant, a time of day, or a distance from the first Multi-Attach report.
func parseWhen(text string) (analyze.When, bool) {
	if strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		d, err := time.ParseDuration(text)
		return analyze.When{Kind: analyze.AfterReport, Offset: d}, err == nil
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return analyze.When{Kind: analyze.OfDay, Offset: t.Sub(t.Truncate(24 * time.Hour))}, true
		}
	}
	t, err := time.Parse(time.RFC3339, text)
	return analyze.When{Kind: analyze.At, At: t}, err == nil
}

// parseSetting reads NAME=VALUE into the question.
func parseSetting(q *analyze.Question, text string) error {
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case setGrace:
		d, err := time.ParseDuration(value)
		if err != nil || d < time.Second || d > time.Hour {
			return usagef("--set %s is no grace period", text).hinted("--set %s=20s; from 1s to 1h", setGrace)
		}
		q.NodeMonitorGracePeriod = &d
	case setToleration:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 86400 {
			return usagef("--set %s is no number of seconds", text).hinted("--set %s=30; from 0 to 86400", setToleration)
		}
		d := time.Duration(n) * time.Second
		q.Toleration = &d
	case setForceDetach:
		if value != "true" {
			return usagef("--set %s can only be true", setForceDetach).hinted("--set %s=true", setForceDetach)
		}
		q.DisableForceDetach = true
	default:
		err := usagef("there is no setting %q", name)
		if near := nearest(name, settings); near != "" {
			return err.hinted("did you mean %s?", near)
		}
		return err.hinted("known: %s", strings.Join(settings, ", "))
	}
	return nil
}
