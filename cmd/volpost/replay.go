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

func (a app) replayCommand() *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "replay BUNDLE...",
		Short:   "Play an incident as it unfolded",
		Long:    replayLong,
		Example: replayExample,
	}, a.replay, ofBundle, applying("what-if", "play beside it what `REMEDY[@TIME]` would have done"), reacting, redacting,
		func(c *cobra.Command, f *flags) {
			c.Flags().StringVar(&f.speed, "speed", "", "so many `TIMES` faster than real time, or max for all at once; 60 on a terminal, else max")
			c.Flags().BoolVar(&f.plain, "plain", false, "print the events, also on a terminal")
		})
}

func (a app) replay(ctx context.Context, bundle []string, f *flags) error {
	screen := !f.plain && a.onTerminal()
	speed, err := parseSpeed(f.speed, isTerminal(a.stdout))
	if err != nil {
		return err
	}
	if screen && speed == 0 {
		return usagef("--speed %s is for --plain", speedMax).
			hinted("--plain --speed %s prints all at once; a terminal plays at up to 600", speedMax)
	}
	r, index, answer, err := a.toPlay(ctx, bundle, f)
	if err != nil {
		return err
	}
	both, _, err := redacted(ctx, a, f, &playing{r, answer})
	if err != nil {
		return err
	}
	if index < 0 { // that nothing happened is an answer
		p := &page{width: 100}
		p.text(0, "There is no incident to play: "+both.Report.Verdict.Headline)
		p.text(0, "volpost analyze says more of what was read.")
		_, err := io.WriteString(a.stdout, a.renamed(p.String()))
		return err
	}
	a.introduce(both.Report, index, f)
	played := replay.New(both.Report, index, both.Answer)
	if screen {
		err = played.Play(ctx, speed, time.Now)
	} else {
		err = a.printReplay(ctx, played, speed, f.limits)
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

// playing is what is played, which is redacted alike.
type playing struct {
	Report *model.Report
	Answer *model.WhatIf
}

// toPlay reads a bundle or a report and finds the incident, -1 for none, and, when a question is asked, its answer. A report answers only
// the questions that it has answered.
func (a app) toPlay(ctx context.Context, bundle []string, f *flags) (r *model.Report, index int, answer *model.WhatIf, err error) {
	remedy, err := f.remedy()
	if err != nil {
		return nil, 0, nil, err
	}
	if isReport(bundle) {
		if flag := f.supplied.given(); flag != "" {
			return nil, 0, nil, ofReport(flag, bundle[0])
		}
		if r, err = a.readReport(bundle[0]); err != nil {
			return nil, 0, nil, err
		}
		if index, err = incidentToPlay(r, f); err == nil && remedy.Remedy != "" {
			answer, err = savedAnswer(r, r.Incidents[index], remedy)
		}
		return r, index, answer, err
	}
	options, err := a.options(f)
	if err != nil {
		return nil, 0, nil, err
	}
	err = a.read(ctx, bundle, f, func(ctx context.Context, snapshot *model.Snapshot) (err error) {
		r = a.conclude(ctx, snapshot, options)
		if index, err = incidentToPlay(r, f); err == nil && remedy.Remedy != "" {
			answer, err = analyze.WhatIf(ctx, snapshot, analyze.Question{Incident: r.Incidents[index].ID, Applied: remedy}, options)
		}
		return err
	})
	return r, index, answer, err
}

// introduce says which of several incidents is played, and what cuts it short.
func (a app) introduce(r *model.Report, index int, f *flags) {
	for _, p := range r.Bundle.Problems {
		if p.CutsShort() {
			fmt.Fprintln(a.stderr, clean(p.Message))
		}
	}
	if names := incidentNames(r); f.incident == "" && len(names) > 1 {
		fmt.Fprintf(a.stderr, "playing incident %d of %d; %s\n", index+1, len(names),
			clean("--incident names another: "+analyze.IncidentChoices(names)))
	}
}

// incidentToPlay finds the incident that is named, or the one that the headline is about; -1 where there is none and none is named.
func incidentToPlay(r *model.Report, f *flags) (int, error) {
	names := incidentNames(r)
	if f.incident == "" && len(names) == 0 && len(f.apply) == 0 {
		return -1, nil
	}
	if f.incident == "" && len(names) > 1 {
		return max(0, slices.IndexFunc(r.Incidents, func(in model.Incident) bool { return in.ID == r.Verdict.Incident })), nil
	}
	n, err := analyze.ChooseIncident(names, f.incident)
	return n, f.redact.withoutNames(err)
}

func incidentNames(r *model.Report) (out []analyze.IncidentNames) {
	for _, in := range r.Incidents {
		out = append(out, analyze.NamesOf(in.ID, in.Volume))
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

// savedAnswer finds the remedy that is requested among those that a report has of an incident.
func savedAnswer(r *model.Report, in model.Incident, ask analyze.Applied) (*model.WhatIf, error) {
	if ask.When.Kind != analyze.Justified {
		return nil, failf("a report knows each remedy at one time only").
			hinted("--what-if %s, or give the bundle instead of the report", ask.Remedy)
	}
	var known []string
	for _, remedy := range in.Remediations {
		if remedy.ID == ask.Remedy {
			asked := remedy.ID
			if remedy.AppliedAt != nil {
				asked += " at " + model.TimeOfDay(remedy.AppliedAt.At)
			}
			return &model.WhatIf{Bundle: r.Bundle.Root, StandIn: r.Bundle.StandIn, Asked: []string{asked}, Incident: in, Answer: remedy,
				Evidence: r.Evidence}, nil
		}
		known = append(known, remedy.ID)
	}
	return nil, failf("the report has no remedy %q of this incident", ask.Remedy).hinted("it has: %s", strings.Join(known, ", "))
}
