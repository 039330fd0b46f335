package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
)

const whatIfLong = `Replays one incident of a bundle with something different, and prints it as it was and as
it would have been.

--apply REMEDY@TIME applies a remedy. TIME is RFC 3339, or HH:MM:SS of the incident's day
in UTC, or +5m after the first Multi-Attach report. Without @TIME it is the first moment
at which the evidence justified the remedy, with --reaction on top, if any. What people
really did from then on is left out. A preventive remedy is in force from the beginning
and takes no time.

--set changes settings from the beginning, alone or beside --apply: node-monitor-grace-period,
tolerationSeconds, disable-force-detach-on-timeout.

%s.
%s.`

const whatIfExample = `  volpost whatif sample:node-deleted --apply out-of-service-taint@09:17:20
  volpost whatif sample:node-deleted --apply force-delete-pod-and-volume-attachment@+5m
  volpost whatif ./must-gather --incident 2 --set node-monitor-grace-period=20s,tolerationSeconds=30`

func (a app) whatIfCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "whatif BUNDLE...",
		Short:   "Replay an incident with something different",
		Long:    fmt.Sprintf(whatIfLong, remediesOf("Reactive"), remediesOf("Preventive")),
		Example: whatIfExample,
	}, a.whatIf, ofBundle, applying("apply", "apply `REMEDY[@TIME]`"), reacting, redacting,
		printing(report.WhatIfs.Names(), ""), func(c *cobra.Command, f *flags) {
			c.Flags().StringSliceVar(&f.set, "set", nil, "`NAME=VALUE` in force from the beginning; repeatable")
			offer(c, "set", cobra.NoFileCompletions)
		})
}

func (a app) whatIf(ctx context.Context, bundle []string, f *flags) error {
	question, err := parseQuestion(f)
	if err != nil {
		return err
	}
	options, err := a.options(f)
	if err != nil {
		return err
	}
	var found *model.WhatIf
	err = a.read(ctx, bundle, f, func(ctx context.Context, snapshot *model.Snapshot) (err error) {
		found, err = analyze.WhatIf(ctx, snapshot, question, options)
		return f.redact.withoutNames(err)
	})
	if err != nil {
		return err
	}
	return answer(ctx, a, f, found, true, report.WhatIfs.Write)
}

// remediesOf are the identifiers of the remedies of a kind, in lines of the help's width.
func remediesOf(kind string) string {
	var out []string
	for _, r := range analyze.Remedies() {
		if r.Kind == strings.ToLower(kind) {
			out = append(out, r.ID)
		}
	}
	return strings.Join(words.Wrap(kind+" remedies: ", "", strings.Join(out, ", "), 88), "\n")
}

func completeRemedy(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, "@") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	out := wordsOf(analyze.Remedies(), func(r analyze.Entry) string { return cobra.CompletionWithDesc(r.ID, r.Title) })
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// The settings that --set knows.
const (
	setGrace       = "node-monitor-grace-period"
	setToleration  = "tolerationSeconds"
	setForceDetach = "disable-force-detach-on-timeout"
)

var settings = []string{setGrace, setToleration, setForceDetach}

// parseQuestion reads --apply, --set and --incident.
func parseQuestion(f *flags) (analyze.Question, error) {
	q := analyze.Question{Incident: f.incident}
	if len(f.apply)+len(f.set) == 0 {
		return q, usagef("whatif needs what is different").
			hinted("--apply REMEDY@TIME or --set NAME=VALUE; volpost whatif --help lists both")
	}
	var err error
	if q.Applied, err = f.remedy(); err != nil {
		return q, err
	}
	for _, text := range f.set {
		if err := parseSetting(&q, text); err != nil {
			return q, err
		}
	}
	return q, nil
}

// remedy is what --apply or --what-if names, REMEDY[@TIME]; an empty one for none.
func (f *flags) remedy() (s analyze.Applied, err error) {
	if len(f.apply) == 0 {
		return s, nil
	}
	if len(f.apply) > 1 {
		return s, usagef("one remedy is replayed at a time").hinted("ask once for each; --set can stand beside it")
	}
	id, when, timed := strings.Cut(f.apply[0], "@")
	s.Remedy = id
	known := wordsOf(analyze.Remedies(), func(r analyze.Entry) string { return r.ID })
	if !slices.Contains(known, id) {
		return s, usagef("there is no remedy %q", id).meant(id, known, "did you mean %s?", "volpost remedies lists them")
	}
	if !timed {
		return s, nil
	}
	var ok bool
	if s.When, ok = parseWhen(when); !ok {
		return s, usagef("%s has no time that volpost reads", f.apply[0]).
			hinted("write %s@+5m after the first Multi-Attach report, @06:13:40 UTC, or @2026-11-21T06:13:40Z", id)
	}
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
			return usagef("--set %s is not a grace period", text).hinted("--set %s=20s; from 1s to 1h", setGrace)
		}
		q.NodeMonitorGracePeriod = &d
	case setToleration:
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n > 86400 {
			return usagef("--set %s is not a number of seconds", text).hinted("--set %s=30; from 0 to 86400", setToleration)
		}
		d := time.Duration(n) * time.Second
		q.Toleration = &d
	case setForceDetach:
		if value != "true" {
			return usagef("--set %s can only be true", setForceDetach).hinted("--set %s=true", setForceDetach)
		}
		q.DisableForceDetach = true
	default:
		return usagef("there is no setting %q", name).meant(name, settings, "did you mean %s?", "known: "+strings.Join(settings, ", "))
	}
	return nil
}
