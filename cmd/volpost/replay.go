package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/replay"
)

const replayLong = `Plays an incident of a bundle as it unfolded: which node had the volume, which pod waited
for it, which conditions the attach/detach controller saw, and the events with their evidence.

On a terminal it is played with keys: space pauses, left and right step, [ and ] jump to
another phase, + and - change the speed, enter opens the evidence, ? helps, q quits. To
a pipe or a file, and with --plain, the events are printed, each with its time relative to
the first Multi-Attach report (T+0).

If there are several incidents, the one in the headline is played, unless --incident names
another.

--what-if REMEDY@TIME plays beside it what would have happened; volpost whatif --help says
what REMEDY and TIME are. A JSON report can be played instead of a bundle; it knows each
remedy at one time.`

const replayExample = `  volpost replay sample:controller-failover
  volpost replay sample:node-deleted --what-if out-of-service-taint@09:17:20
  volpost replay ./must-gather --incident 2 --speed 600
  volpost replay ./must-gather --plain --speed max > incident.txt
  volpost replay report.json`

// defaultSpeed is that of a terminal. What goes elsewhere goes at once.
const defaultSpeed = 60

// speedMax is the word for all at once.
const speedMax = "max"

type replayFlags struct {
	whatIf          []string
	incident, speed string
	plain           bool
	reaction        time.Duration
	redact          redactFlags
	bundleFlags
}

func (a app) replayCommand() *cobra.Command {
	var flags replayFlags
	c := ofBundle(&cobra.Command{
		Use:     "replay BUNDLE...",
		Short:   "Play an incident as it unfolded",
		Long:    replayLong,
		Example: replayExample,
	}, func(ctx context.Context, bundle []string) error { return a.replay(ctx, bundle, flags) })
	c.Flags().StringVar(&flags.incident, "incident", "",
		"which incident, if the bundle has several: `NAME` is its number, ID, claim or volume")
	c.Flags().StringArrayVar(&flags.whatIf, "what-if", nil, "play beside it what `REMEDY[@TIME]` would have done")
	c.Flags().StringVar(&flags.speed, "speed", "", "so many `TIMES` faster than real time, or max for all at once; 60 on a terminal, else max")
	c.Flags().BoolVar(&flags.plain, "plain", false, "print the events, also on a terminal")
	reactionFlag(c.Flags(), &flags.reaction)
	flags.redact.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) replay(ctx context.Context, bundle []string, flags replayFlags) error {
	screen := !flags.plain && a.onTerminal()
	speed, err := parseSpeed(flags.speed, isTerminal(a.stdout))
	if err != nil {
		return err
	}
	if screen && speed == 0 {
		return usagef("--speed %s is for --plain", speedMax).
			hinted("--plain --speed %s prints all at once; a terminal plays at up to 600", speedMax)
	}
	if err := errors.Join(checkReaction(flags.reaction), flags.redact.check(a, nil, bundle)); err != nil {
		return err
	}
	played, err := a.replayOf(ctx, bundle, flags)
	var quiet *noIncident
	if errors.As(err, &quiet) {
		return a.writeNoIncident(quiet)
	}
	if err != nil {
		return err
	}
	if screen {
		err = played.Play(ctx, speed, time.Now)
	} else {
		err = a.printReplay(ctx, played, speed, flags.limits)
	}
	if errors.Is(err, context.Canceled) {
		return failf("interrupted").hinted("volpost replay plays it again")
	}
	if err != nil && screen {
		return failf("the terminal: %v", err).hinted("--plain prints the events instead")
	}
	return unprinted(err, "the replay")
}

// printReplay writes the replay line by line, each when its time has come. Where all comes at once that takes no longer than it may.
func (a app) printReplay(ctx context.Context, played *replay.Replay, speed float64, l limits) error {
	out := bufio.NewWriter(a.stdout)
	wait := func(ctx context.Context, d time.Duration) error {
		if err := out.Flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
			return nil
		}
	}
	if speed > 0 {
		l.time = 0
	}
	return l.within(ctx, "the replay was written", func() error {
		return errors.Join(played.Plain(ctx, out, speed, wait), out.Flush())
	})
}

// replayOf reads the bundle and finds the incident and, when a question is asked, its answer.
func (a app) replayOf(ctx context.Context, bundle []string, flags replayFlags) (*replay.Replay, error) {
	if isReport(bundle) {
		if flag := flags.supplied.given(); flag != "" {
			return nil, ofReport(flag, bundle[0])
		}
		return a.replaySaved(ctx, bundle[0], flags)
	}
	var question analyze.Question
	for _, text := range flags.whatIf {
		step, err := parseStep(text)
		if err != nil {
			return nil, err
		}
		question.Steps = append(question.Steps, step)
	}
	var index int
	var result *model.Report
	var answer *model.WhatIf
	err := a.read(ctx, bundle, flags.bundleFlags, func(ctx context.Context, snapshot *model.Snapshot) (err error) {
		options := analyze.Options{Version: a.version, Reaction: flags.reaction}
		result = a.conclude(ctx, snapshot, flags.limits, options)
		if index, err = a.incidentToPlay(ctx, result, flags); err == nil && len(question.Steps) > 0 {
			question.Incident = result.Incidents[index].ID
			answer, err = analyze.WhatIf(ctx, snapshot, question, options)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return a.newReplay(ctx, result, index, answer, flags)
}

// newReplay is what is played, redacted alike in incident and answer. It says which of several incidents it is, and what cuts it short.
func (a app) newReplay(ctx context.Context, r *model.Report, index int, answer *model.WhatIf, flags replayFlags) (*replay.Replay, error) {
	if flags.redact.on && r.Redaction != nil {
		return nil, redactedAlready()
	}
	both, _, err := redacted(ctx, a, flags.limits, &struct {
		Report *model.Report
		Answer *model.WhatIf
	}{r, answer}, flags.redact)
	if err != nil {
		return nil, err
	}
	for _, p := range both.Report.Bundle.Problems {
		if p.CutsShort() {
			fmt.Fprintln(a.stderr, clean(p.Message))
		}
	}
	if names := incidentNames(both.Report); flags.incident == "" && len(names) > 1 {
		fmt.Fprintf(a.stderr, "playing incident %d of %d; %s\n", index+1, len(names),
			clean("--incident names another: "+analyze.IncidentChoices(names)))
	}
	return replay.New(both.Report, index, both.Answer), nil
}

// noIncident says that a bundle has none to play.
type noIncident struct{ headline string }

func (n *noIncident) Error() string { return "there is no incident to play" }

// writeNoIncident says what the bundle says instead. That nothing happened is an answer.
func (a app) writeNoIncident(n *noIncident) error {
	p := &page{width: 100}
	p.text(0, "There is no incident to play: "+n.headline)
	p.text(0, "volpost analyze says more of what was read.")
	_, err := io.WriteString(a.stdout, a.renamed(p.String()))
	return err
}

// incidentToPlay finds the incident that is named, or the one that the headline is about.
func (a app) incidentToPlay(ctx context.Context, r *model.Report, flags replayFlags) (int, error) {
	names, name := incidentNames(r), flags.incident
	if name == "" && len(names) == 0 && len(flags.whatIf) == 0 {
		r, _, err := redacted(ctx, a, flags.limits, r, redactFlags{on: flags.redact.on && r.Redaction == nil})
		if err != nil {
			return 0, err
		}
		return 0, &noIncident{r.Verdict.Headline}
	}
	if name == "" && len(names) > 1 {
		return max(0, slices.IndexFunc(r.Incidents, func(in model.Incident) bool { return in.ID == r.Verdict.Incident })), nil
	}
	n, err := analyze.ChooseIncident(names, name)
	return n, flags.redact.withoutNames(err)
}

func incidentNames(r *model.Report) []analyze.IncidentNames {
	out := make([]analyze.IncidentNames, 0, len(r.Incidents))
	for _, in := range r.Incidents {
		one := analyze.IncidentNames{ID: in.ID, Volume: in.Volume.PersistentVolume}
		if in.Volume.Claim != nil && in.Volume.Claim.Name != "" {
			one.Claim = in.Volume.Claim.String()
		}
		out = append(out, one)
	}
	return out
}

// parseSpeed reads how much faster than real time a replay is; 0 is all at once.
func parseSpeed(text string, terminal bool) (float64, error) {
	if text == speedMax || text == "" && !terminal {
		return 0, nil
	}
	if text == "" {
		return defaultSpeed, nil
	}
	speed, err := strconv.ParseFloat(strings.TrimSuffix(text, "x"), 64)
	if err != nil || !(speed >= 0.1 && speed <= 1e6) {
		return 0, usagef("--speed %s is not a speed", text).hinted("--speed 60 plays a minute in a second; from 0.1 to 1000000, or %s", speedMax)
	}
	return speed, nil
}

// onTerminal reports whether a person can press keys and see what they do.
func (a app) onTerminal() bool {
	return isTerminal(a.stdin) && isTerminal(a.stdout) && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether a stream of the process is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// replaySaved plays an incident of a JSON report. It answers only the questions that the report has answered.
func (a app) replaySaved(ctx context.Context, path string, flags replayFlags) (*replay.Replay, error) {
	r, err := a.readReport(path)
	if err != nil {
		return nil, err
	}
	index, err := a.incidentToPlay(ctx, r, flags)
	if err != nil {
		return nil, err
	}
	answer, err := savedAnswer(r, r.Incidents[index], flags.whatIf)
	if err != nil {
		return nil, err
	}
	return a.newReplay(ctx, r, index, answer, flags)
}

// savedAnswer finds the remedy that is requested among those that a report has of an incident.
func savedAnswer(r *model.Report, in model.Incident, whatIf []string) (*model.WhatIf, error) {
	if len(whatIf) == 0 {
		return nil, nil
	}
	step, err := parseStep(whatIf[0])
	if err != nil {
		return nil, err
	}
	if len(whatIf) > 1 || step.When.Kind != analyze.Justified {
		return nil, failf("a report knows one remedy at one time only").
			hinted("--what-if %s, or give the bundle instead of the report", step.Remedy)
	}
	var known []string
	for _, remedy := range in.Remediations {
		if remedy.ID == step.Remedy {
			asked := remedy.ID
			if remedy.AppliedAt != nil {
				asked += " at " + model.TimeOfDay(remedy.AppliedAt.At)
			}
			return &model.WhatIf{Bundle: r.Bundle.Root, StandIn: r.Bundle.StandIn, Asked: []string{asked}, Incident: in, Answer: remedy,
				Evidence: r.Evidence}, nil
		}
		known = append(known, remedy.ID)
	}
	return nil, failf("the report has no remedy %q of this incident", step.Remedy).hinted("it has: %s", strings.Join(known, ", "))
}
