package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report"
)

const inspectLong = `Reads a bundle and says what was read: every kind of input, how its times were placed, what
could not be read, and what was not collected with the command that collects it.`

func (a app) inspectCommand() *cobra.Command {
	var format string
	var names redactFlags
	var flags bundleFlags
	c := ofBundle(&cobra.Command{
		Use:   "inspect BUNDLE...",
		Short: "Say what a bundle holds and what it lacks",
		Long:  inspectLong,
	}, func(ctx context.Context, bundle []string) error { return a.inspect(ctx, bundle, format, names, flags) })
	c.Flags().StringVarP(&format, "output", "o", "text", "`FORMAT`: text, or json for the bundle part of the JSON report")
	names.define(c.Flags())
	flags.define(c.Flags())
	a.complete(c)
	return c
}

func (a app) inspect(ctx context.Context, bundle []string, format string, names redactFlags, flags bundleFlags) error {
	if err := cmp.Or(checkFormat("inspect", format, inspectFormats()), names.check(a, nil, bundle)); err != nil {
		return err
	}
	result, err := a.explain(ctx, bundle, flags, analyze.Options{})
	if err != nil {
		return err
	}
	return answer(ctx, a, flags.limits, names, result, format, true, func(w io.Writer, format string, r *model.Report) error {
		if format == "json" {
			return report.WriteBundle(w, r)
		}
		_, err := io.WriteString(w, inspection(r.Bundle))
		return err
	})
}

func inspectFormats() []string { return []string{"text", "json"} }

// inspectWidth is the widest line of an inspection, in characters.
const inspectWidth = 100

func inspection(b model.Bundle) string {
	p := page{width: inspectWidth}
	p.pair("Bundle", b.Root)
	p.pair("Layout", orUnknown(strings.Join(b.Layouts, ", ")))
	if len(b.Clusters) > 0 {
		p.pair("Clusters", strings.Join(b.Clusters, ", "))
	}
	p.pair("Kubernetes", orUnknown(b.KubernetesVersion))
	p.pair("Collected", capturedAt(b.CapturedAt, b.CapturedHow))
	p.withheld(b.Unreadable)
	p.inputs(b.Inputs)
	p.problems(b.Problems)
	p.notCollected(b.NotCollected)
	return p.String()
}

func orUnknown(s string) string { return cmp.Or(s, "unknown: nothing in the bundle tells") }

func capturedAt(m *model.Moment, how model.CollectedHow) string {
	if m == nil {
		return orUnknown("")
	}
	at := span(m.Earliest, m.Latest)
	if m.Latest.Sub(m.Earliest) <= time.Second {
		at = model.Stamp(m.At)
	}
	switch how {
	case model.CollectedNewest:
		return "at a time not recorded; the newest time in the bundle is " + at
	case model.CollectedAssumed:
		return "at a time not recorded: only distances in time are certain"
	case model.CollectedSupplied:
		return at + " (set by --collected-at)"
	case model.CollectedAges:
		return at + " (" + string(m.Basis) + " from an age and a date of the same thing)"
	}
	return at + " (" + string(m.Basis) + ")"
}

// span names the day of the end only where it is another.
func span(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	end := model.Stamp(to)
	if day := to.Format(time.DateOnly); day == from.Format(time.DateOnly) {
		end = strings.Replace(end, model.DateTime(to), model.TimeOfDay(to), 1)
	}
	return model.DateTime(from) + " to " + end
}

// manyInputs is the number up to which all inputs are listed one by one. A must-gather has hundreds.
const manyInputs = 20

// inputs lists the inputs that were used: of many only those that say when something happened, the others by their number.
func (p *page) inputs(inputs []model.Input) {
	var total int64
	var used, timed, others []model.Input
	for _, in := range inputs {
		total += in.Bytes
		if in.Used > 0 {
			used = append(used, in)
		}
	}
	for _, in := range used {
		if len(used) <= manyInputs || in.From != nil || in.Clock != nil || in.Kind != model.InputManifests {
			timed = append(timed, in)
		} else {
			others = append(others, in)
		}
	}
	p.heading(fmt.Sprintf("Inputs: %s, %s; %d used", words.Count(len(inputs), "file"), size(total), len(used)))
	root := commonDirectory(timed)
	if root != "" {
		p.text(0, "Paths begin below "+root)
	}
	for _, in := range timed {
		p.text(2, strings.TrimPrefix(in.Path, root))
		p.text(6, inputFacts(in))
		if clock := clockFacts(in.Clock); clock != "" {
			p.text(6, "clock: "+clock)
		}
	}
	p.others(others)
	p.unused(inputs)
}

// others sums up the manifests that have no times of their own.
func (p *page) others(inputs []model.Input) {
	if len(inputs) == 0 {
		return
	}
	sum := model.Input{Kind: model.InputManifests}
	for _, in := range inputs {
		sum.Bytes += in.Bytes
		sum.Records += in.Records
		sum.Used += in.Used
	}
	p.text(2, fmt.Sprintf("and %s with objects; -o json lists them", words.Count(len(inputs), "file")))
	p.text(6, inputFacts(sum))
}

// unused counts by kind the inputs that gave nothing.
func (p *page) unused(inputs []model.Input) {
	counts := map[string]int{}
	for _, in := range inputs {
		if in.Used == 0 {
			counts[in.Kind]++
		}
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
	}
	if len(parts) > 0 {
		p.text(2, "nothing to use in "+strings.Join(parts, ", "))
	}
}

func inputFacts(in model.Input) string {
	facts := []string{in.Kind, size(in.Bytes), fmt.Sprintf("%d of %s used", in.Used, words.Count(in.Records, "record"))}
	if in.From != nil && in.To != nil {
		facts = append(facts, span(*in.From, *in.To))
	}
	return strings.Join(facts, ", ")
}

func clockFacts(c *model.Clock) string {
	if c == nil {
		return ""
	}
	var facts []string
	if c.Year != "" {
		facts = append(facts, "year "+c.Year)
	}
	if c.Zone != "" {
		facts = append(facts, "zone "+c.Zone)
	}
	if c.Ages != "" {
		facts = append(facts, "ages count back "+c.Ages)
	}
	if c.OffsetSeconds != 0 || c.OffsetUncertainty != 0 {
		facts = append(facts, fmt.Sprintf("offset %+.3f s ± %.3f s", c.OffsetSeconds, c.OffsetUncertainty))
	}
	return strings.Join(facts, "; ")
}

// withheld names the paths that the system did not let be read.
func (p *page) withheld(list []model.Unreadable) {
	if len(list) == 0 {
		return
	}
	p.heading(fmt.Sprintf("Not read: %s, which the system withheld", words.Count(len(list), "path")))
	for _, u := range list {
		p.text(2, u.Path+": "+u.Why)
	}
}

func (p *page) problems(problems []model.Problem) {
	p.heading(fmt.Sprintf("Problems: %d", len(problems)))
	for _, problem := range problems {
		place := problem.Path
		if problem.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, problem.Line)
		}
		p.text(2, fmt.Sprintf("%s: %s", problem.Severity, place))
		p.text(6, problem.Message)
	}
}

func (p *page) notCollected(missing []model.NotCollected) {
	p.heading(fmt.Sprintf("Not collected: %d", len(missing)))
	for _, m := range missing {
		p.text(2, m.What)
		p.text(6, m.Consequence)
		for _, command := range append([]string{m.Command}, m.Also...) {
			if command != "" {
				p.line("      $ " + clean(command)) // in one line, as a shell takes it
			}
		}
	}
}

// commonDirectory is the longest directory, with its final slash, that all paths begin with.
func commonDirectory(inputs []model.Input) string {
	if len(inputs) < 2 {
		return ""
	}
	common := inputs[0].Path
	for _, in := range inputs[1:] {
		for !strings.HasPrefix(in.Path, common) {
			common = common[:len(common)-1]
		}
	}
	return common[:strings.LastIndexByte(common, '/')+1]
}
