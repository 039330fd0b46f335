package facts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// bundleOf is a bundle with logs whose lines have neither year nor zone.
type bundleOf struct{ model.Snapshot }

// wall is a time of day as such a log has it: in year 0, or in year 1 where the log goes on into the next.
func wall(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", "000"+text)
	if err != nil {
		panic(err)
	}
	return t
}

func utc(text string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return t
}

// log adds one that ends with a line.
func (b *bundleOf) log(path, component, from, to string, how ...func(*model.Input, *model.Observation)) *bundleOf {
	f, t := wall(from), wall(to)
	in := model.Input{Path: path, Component: component, Floating: true, From: &f, To: &t}
	o := model.Observation{Kind: model.MultiAttach, Floating: true, Input: path, Volume: model.VolumeID{PersistentVolume: "pvc-1"},
		Source: model.Source{Kind: model.SourceLog, Path: path, Line: 7}}
	o.At = model.Exactly(t)
	o.Last = o.At
	for _, h := range how {
		h(&in, &o)
	}
	b.Inputs, b.Observations = append(b.Inputs, in), append(b.Observations, o)
	return b
}

// dated adds a log with year and zone.
func (b *bundleOf) dated(path, component, from, to string, zone time.Duration) *bundleOf {
	f, t := utc(from), utc(to)
	b.Inputs = append(b.Inputs, model.Input{Path: path, Component: component, From: &f, To: &t, ZoneOffset: &zone})
	return b
}

// knows adds a statement with a date, of another source.
func (b *bundleOf) knows(at string, how ...func(*model.Observation)) *bundleOf {
	o := model.Observation{Kind: model.NodeReady, Node: "node-a", Input: "events",
		Source: model.Source{Kind: model.SourceEvent, Path: "events"}, At: model.Exactly(utc(at))}
	o.Last = o.At
	for _, h := range how {
		h(&o)
	}
	b.Observations = append(b.Observations, o)
	return b
}

// volume adds the PersistentVolume, made at a time.
func (b *bundleOf) volume(name, at string) *bundleOf {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.NewTime(utc(at))}}
	b.PersistentVolumes = append(b.PersistentVolumes, object("PersistentVolume", v))
	return b
}

func (b *bundleOf) collectedAt(at string) *bundleOf {
	m := model.Exactly(utc(at))
	b.CapturedAt = &m
	return b
}

func (b *bundleOf) said(how func(*model.Supplied)) *bundleOf {
	how(&b.Supplied)
	return b
}

// placed is where the first log was put: when it ends, how its year and zone are known, and what the user is told.
func (b *bundleOf) placed() string {
	a := facts.Clocks(&b.Snapshot)
	in := a.Inputs[0]
	out := []string{"?", "", ""}
	if in.To != nil {
		out[0] = in.To.Format("2006-01-02 15:04:05")
	}
	if in.Clock != nil {
		out[1], out[2] = in.Clock.Year, in.Clock.Zone
		if in.Clock.OffsetSeconds != 0 || in.Clock.OffsetUncertainty != 0 {
			out = append(out, fmt.Sprintf("%.4g±%.4g", in.Clock.OffsetSeconds, in.Clock.OffsetUncertainty))
		}
	}
	for _, p := range a.Problems {
		if p.Path == in.Path && strings.HasPrefix(p.Message, "the clock of this log contradicts") {
			out = append(out, "UNSURE")
		} else if p.Path == in.Path && !strings.HasPrefix(p.Message, "its lines have neither zone nor year") {
			out = append(out, "PROBLEM "+p.Message)
		} else if p.Path == in.Path {
			out = append(out, "ASSUMED")
		}
	}
	short := strings.NewReplacer("assumed: nothing in the bundle tells it", "?",
		"UTC, assumed: nothing in the bundle tells the zone; controllers in containers usually log in UTC", "UTC?")
	return short.Replace(strings.Join(out, " | "))
}

// TestYearAndZone: where a log is put whose lines have neither.
func TestYearAndZone(t *testing.T) {
	const from, to, dec = "0-03-14 08:00:00", "0-03-14 10:00:00", "0-12-31 23:00:00"
	const jan = "1-01-01 01:00:00"
	const kcm = "kube-controller-manager"
	one := func() *bundleOf { return new(bundleOf).log("a.log", kcm, from, to) }
	year := func(y int) func(*model.Supplied) { return func(s *model.Supplied) { s.Year = y } }
	east := func(hours int) func(*model.Supplied) {
		return func(s *model.Supplied) {
			s.LogZone, s.LogZoneName = time.FixedZone("x", hours*3600), fmt.Sprint("+", hours)
		}
	}
	printing := func(at, text string) func(*model.Input, *model.Observation) {
		return func(_ *model.Input, o *model.Observation) {
			o.At, o.Quote = model.Exactly(wall(at)), mask.Quote(text)
			o.Last = o.At
		}
	}
	event := func(o *model.Observation) { o.Kind, o.Volume.PersistentVolume = model.MultiAttach, "pvc-1" }
	for _, tt := range []struct {
		rule string
		b    *bundleOf
		want string
	}{
		{"nothing tells", one(), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
		{"the user says the year", one().said(year(2025)), "2025-03-14 10:00:00 | 2025, set by --year | UTC? | ASSUMED"},
		{"of the last line", new(bundleOf).log("a.log", kcm, dec, jan).said(year(2025)),
			"2025-01-01 01:00:00 | 2025, set by --year | UTC? | ASSUMED"},
		{"the user says the zone", one().said(east(2)), "2000-03-14 08:00:00 | ? | +2, set by --log-zone | ASSUMED"},

		{"collected later that year", one().collectedAt("2026-03-14 11:00:00"),
			"2026-03-14 10:00:00 | 2026, the latest that ends the log before 2026-03-14T11:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"collected earlier in the year", one().collectedAt("2026-03-13 10:00:00"),
			"2025-03-14 10:00:00 | 2025, the latest that ends the log before 2026-03-13T10:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"collected up to fifteen hours before the end, for the zone and the slack", one().collectedAt("2026-03-13 19:00:00"),
			"2026-03-14 10:00:00 | 2026, the latest that ends the log before 2026-03-13T19:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"more than that", one().collectedAt("2026-03-13 18:59:59"),
			"2025-03-14 10:00:00 | 2025, the latest that ends the log before 2026-03-13T18:59:59Z, when the bundle was collected | UTC? | ASSUMED"},
		{"of a zone that is known an hour", one().said(east(0)).collectedAt("2026-03-14 09:00:00"),
			"2026-03-14 10:00:00 | 2026, the latest that ends the log before 2026-03-14T09:00:00Z, when the bundle was collected | +0, set by " +
				"--log-zone | UNSURE"},
		{"and more", one().said(east(0)).collectedAt("2026-03-14 08:59:59"),
			"2025-03-14 10:00:00 | 2025, the latest that ends the log before 2026-03-14T08:59:59Z, when the bundle was collected | +0, set by " +
				"--log-zone"},
		{"the year that the user says ends after the collection", one().said(year(2027)).collectedAt("2026-03-14 11:00:00"),
			"2026-03-14 10:00:00 | 2026, the latest that ends the log before 2026-03-14T11:00:00Z, when the bundle was collected | UTC? | " +
				"PROBLEM --year 2027 is not used for this log: it would end after 2026-03-14T11:00:00Z, when the bundle was collected; leave the " +
				"flag out, or give the year of its last line | ASSUMED"},
		{"it ends before it", one().said(year(2025)).collectedAt("2026-03-14 11:00:00"),
			"2025-03-14 10:00:00 | 2025, set by --year | UTC? | ASSUMED"},
		{"a log over the new year", new(bundleOf).log("a.log", kcm, dec, jan).collectedAt("2026-01-01 02:00:00"),
			"2026-01-01 01:00:00 | 2026, the latest that ends the log before 2026-01-01T02:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"the user says when it was collected", one().said(func(s *model.Supplied) { s.CollectedAt = utc("2025-03-14 11:00:00") }),
			"2025-03-14 10:00:00 | 2025, the latest that ends the log before 2025-03-14T11:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"but something is newer",
			one().knows("2026-03-14 11:00:00").said(func(s *model.Supplied) { s.CollectedAt = utc("2025-03-14 11:00:00") }),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2026-03-14T11:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},

		{"beside the newest time in the bundle", one().knows("2025-04-01 00:00:00"),
			"2025-03-14 10:00:00 | 2025, in which the log ends nearest to 2025-04-01T00:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"that is a month before its end", one().said(east(0)).knows("2025-02-12 10:00:00"),
			"2025-03-14 10:00:00 | 2025, in which the log ends nearest to 2025-02-12T10:00:00Z, the newest time in the rest of the bundle | +0, " +
				"set by --log-zone"},
		{"that is more than a month off", one().said(east(0)).knows("2025-05-14 10:00:00"),
			"2025-03-14 10:00:00 | 2025, in which the log ends nearest to 2025-05-14T10:00:00Z, the newest time in the rest of the bundle | +0, " +
				"set by --log-zone | ASSUMED"},
		{"more than a month before its end", one().said(east(0)).knows("2025-02-12 09:59:59"),
			"2025-03-14 10:00:00 | 2025, in which the log ends nearest to 2025-02-12T09:59:59Z, the newest time in the rest of the bundle | +0, " +
				"set by --log-zone | ASSUMED"},
		{"that is nearer to the year before", one().knows("2025-08-01 00:00:00"),
			"2025-03-14 10:00:00 | 2025, in which the log ends nearest to 2025-08-01T00:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"that is nearer to the year after", one().knows("2025-10-01 00:00:00"),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2025-10-01T00:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"a log over the new year beside it", new(bundleOf).log("a.log", kcm, dec, jan).knows("2026-01-02 00:00:00"),
			"2026-01-01 01:00:00 | 2026, in which the log ends nearest to 2026-01-02T00:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"a volume that it does not name", new(bundleOf).log("a.log", kcm, from, "0-12-30 00:00:00").volume("pvc-2",
			"2025-12-31 00:00:00").knows("2026-01-01 00:00:00"),
			"2025-12-30 00:00:00 | 2025, in which the log ends nearest to 2026-01-01T00:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},

		{"in the zone of another log of the component", one().dated("b.log", kcm, "2026-03-14 08:00:00", "2026-03-14 09:00:00", 2*time.Hour),
			"2000-03-14 08:00:00 | ? | UTC+02:00, as in b.log | ASSUMED"},
		{"of another component, assumed", one().dated("b.log", "kubelet", "2026-03-14 08:00:00", "2026-03-14 09:00:00", 2*time.Hour),
			"2000-03-14 08:00:00 | ? | UTC+02:00, assumed: the zone of every log of the bundle whose zone is known, such as b.log | ASSUMED"},
		{"of two that differ, none", one().dated("b.log", "kubelet", "2026-03-14 08:00:00", "2026-03-14 09:00:00", 2*time.Hour).dated("c.log",
			"kubelet", "2026-03-14 08:00:00", "2026-03-14 09:00:00", time.Hour), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
		{"of a log that nobody knows, any log that tells", new(bundleOf).log("a.log", "", from, to).dated("b.log", "kubelet",
			"2026-03-14 08:00:00", "2026-03-14 09:00:00", 2*time.Hour), "2000-03-14 08:00:00 | ? | UTC+02:00, as in b.log | ASSUMED"},
		{"the user's zone beats it", one().said(east(3)).dated("b.log", kcm, "2026-03-14 08:00:00", "2026-03-14 09:00:00", 2*time.Hour),
			"2000-03-14 07:00:00 | ? | +3, set by --log-zone | ASSUMED"},

		{"it ends two hours after the collection, so that it is east", one().collectedAt("2026-03-14 08:00:00"),
			"2026-03-14 08:00:00 | 2026, the latest that ends the log before 2026-03-14T08:00:00Z, when the bundle was collected | UTC+02:00, " +
				"assumed: in a zone farther west it would end after 2026-03-14T08:00:00Z, when the bundle was collected | ASSUMED"},
		{"by any part of half an hour", one().collectedAt("2026-03-14 07:59:59"),
			"2026-03-14 07:30:00 | 2026, the latest that ends the log before 2026-03-14T07:59:59Z, when the bundle was collected | UTC+02:30, " +
				"assumed: in a zone farther west it would end after 2026-03-14T07:59:59Z, when the bundle was collected | ASSUMED"},
		{"an hour after it that is slack", one().collectedAt("2026-03-14 09:00:00"),
			"2026-03-14 10:00:00 | 2026, the latest that ends the log before 2026-03-14T09:00:00Z, when the bundle was collected | UTC? | ASSUMED"},
		{"in half a zone", one().collectedAt("2026-03-14 08:29:00"),
			"2026-03-14 08:00:00 | 2026, the latest that ends the log before 2026-03-14T08:29:00Z, when the bundle was collected | UTC+02:00, " +
				"assumed: in a zone farther west it would end after 2026-03-14T08:29:00Z, when the bundle was collected | ASSUMED"},

		{"an Event that it records too", one().knows("2026-03-14 10:00:00", event),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 0±0.001"},
		{"in another zone", one().knows("2026-03-14 04:30:00", event),
			"2026-03-14 04:30:00 | 2026, from 1 line that an Event object records too | UTC+05:30, from the same | 0±0.001"},
		{"in a zone of a quarter", one().knows("2026-03-14 04:15:10", event),
			"2026-03-14 04:15:00 | 2026, from 1 line that an Event object records too | UTC+05:45, from the same | 10±0.001"},
		{"of another volume", one().knows("2026-03-14 10:00:00", event, func(o *model.Observation) { o.Volume.PersistentVolume = "pvc-2" }),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2026-03-14T10:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"seven minutes off: in no zone", one().knows("2026-03-14 10:07:00", event),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2026-03-14T10:07:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"a minute off", one().knows("2026-03-14 10:01:00", event),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 60±0.001 | UNSURE"},
		{"more than a minute off", one().knows("2026-03-14 10:01:01", event),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2026-03-14T10:01:01Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"told by a log it is no Event", one().knows("2026-03-14 10:00:00", event,
			func(o *model.Observation) { o.Source.Kind = model.SourceLog }),
			"2026-03-14 10:00:00 | 2026, in which the log ends nearest to 2026-03-14T10:00:00Z, the newest time in the rest of the bundle | UTC? " +
				"| ASSUMED"},
		{"two Events at two times: the nearer", one().knows("2026-03-14 10:00:20", event).knows("2026-03-14 11:00:05", event),
			"2026-03-14 11:00:00 | 2026, from 1 line that an Event object records too | UTC-01:00, from the same | 5±0.001"},
		{"against the user", one().knows("2026-03-14 10:00:00", event).said(year(2025)),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 0±0.001 | PROBLEM --year 2025 is " +
				"not used for this log: its year is 2026, from 1 line that an Event object records too; leave the flag out, or give the logs that it " +
				"is of by themselves"},
		{"with the user", one().knows("2026-03-14 10:00:00", event).said(year(2026)),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 0±0.001"},
		{"against the user's zone", one().knows("2026-03-14 10:00:00", event).said(east(2)),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 0±0.001 | PROBLEM --log-zone +2 is " +
				"not used for this log: its zone is UTC, from the same; leave the flag out, or give the logs that it is of by themselves"},
		{"with the user's zone", one().knows("2026-03-14 10:00:00", event).said(east(0)),
			"2026-03-14 10:00:00 | 2026, from 1 line that an Event object records too | UTC, from the same | 0±0.001"},

		{"a time that a line prints in full", new(bundleOf).log("a.log", kcm, from, to,
			printing("0-03-14 09:00:00", "No retries permitted until 2026-03-14 09:02:00.5 +0100 (durationBeforeRetry 2m2s)")),
			`2026-03-14 09:00:00 | 2026, line 7 prints "2026-03-14 09:02:00.5 +0100" | UTC+01:00, line 7 prints "2026-03-14 09:02:00.5 +0100"`},
		{"in UTC", new(bundleOf).log("a.log", kcm, from, to, printing("0-03-14 09:00:00",
			"No retries permitted until 2026-03-14 09:00:00 +0000")),
			`2026-03-14 10:00:00 | 2026, line 7 prints "2026-03-14 09:00:00 +0000" | UTC, line 7 prints "2026-03-14 09:00:00 +0000"`},
		{"more than three minutes later it is none of its own", new(bundleOf).log("a.log", kcm, from, to,
			printing("0-03-14 09:00:00", "No retries permitted until 2026-03-14 09:03:01 +0000")), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
		{"nor one before it", new(bundleOf).log("a.log", kcm, from, to, printing("0-03-14 09:00:00",
			"No retries permitted until 2026-03-14 08:59:59 +0000")), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
		{"when a pod ran", new(bundleOf).log("a.log", kcm, from, to, printing("0-03-14 09:00:00",
			`observedRunningTime="2026-03-14 08:59:59 +0000 UTC"`)),
			`2026-03-14 10:00:00 | 2026, line 7 prints "2026-03-14 08:59:59 +0000" | UTC, line 7 prints "2026-03-14 08:59:59 +0000"`},
		{"a second off it is another", new(bundleOf).log("a.log", kcm, from, to,
			printing("0-03-14 09:00:00", `observedRunningTime="2026-03-14 09:00:02 +0000 UTC"`)), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
		{"over the new year", new(bundleOf).log("a.log", kcm, from, "0-12-31 23:59:00",
			printing("0-12-31 23:59:00", "No retries permitted until 2026-01-01 00:01:00 +0000")),
			`2025-12-31 23:59:00 | 2025, line 7 prints "2026-01-01 00:01:00 +0000" | UTC, line 7 prints "2026-01-01 00:01:00 +0000"`},
		{"no date", new(bundleOf).log("a.log", kcm, from, to, printing("0-03-14 09:00:00",
			"No retries permitted until 2026-99-14 09:00:00 +0000")), "2000-03-14 10:00:00 | ? | UTC? | ASSUMED"},
	} {
		if got := tt.b.placed(); got != tt.want {
			t.Errorf("%s:\n%s", tt.rule, got)
		}
	}
}
