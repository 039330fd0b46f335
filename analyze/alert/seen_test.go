package alert

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// scrapedAt is a server that scraped at some minutes, usually every so many.
func scrapedAt(step int, minutes ...int) server {
	s := server{MetricSource: model.MetricSource{Path: "m"}, step: time.Duration(step) * time.Minute}
	for _, m := range minutes {
		s.scrapes = append(s.scrapes, minute(m))
	}
	return s
}

// TestGaps: a gap is longer than a series lives on, and than one and a half steps, and overlaps what is asked for.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		s        server
		from, to int
		want     string
	}{
		{scrapedAt(1, 0, 5, 10), 0, 10, ""},
		{scrapedAt(1, 0, 6, 10), 0, 10, "0-6"},
		{scrapedAt(1, 0, 6, 12), 0, 12, "0-6 6-12"},
		{scrapedAt(1, 0, 6, 12), 6, 12, "6-12"},
		{scrapedAt(1, 0, 6, 12), 0, 6, "0-6"},
		{scrapedAt(1, 0, 6, 12), 5, 7, "0-6 6-12"},
		{scrapedAt(10, 0, 15, 30), 0, 30, ""},
		{scrapedAt(10, 0, 16, 30), 0, 30, "0-16"},
		{scrapedAt(1, 0), 0, 30, ""},
	} {
		var got []string
		for _, g := range c.s.gaps(minute(c.from), minute(c.to)) {
			got = append(got, fmt.Sprintf("%d-%d", int(g.from.Sub(epoch).Minutes()), int(g.to.Sub(epoch).Minutes())))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v from %d to %d: %v, want %s", c.s.scrapes, c.from, c.to, got, c.want)
		}
	}
}

// TestCovers: samples show a time that begins after the first of them and ends at most as long after the last as a series lives on.
func TestCovers(t *testing.T) {
	for _, c := range []struct {
		s        server
		from, to int
		want     bool
	}{
		{scrapedAt(1, 0, 4, 8), 1, 8, true},
		{scrapedAt(1, 0, 4, 8), 0, 8, false},
		{scrapedAt(1, 0, 4, 8), 1, 13, true},
		{scrapedAt(1, 0, 4, 8), 1, 14, false},
		{scrapedAt(10, 0, 10, 20), 1, 35, true},
		{scrapedAt(10, 0, 10, 20), 1, 36, false},
		{scrapedAt(1, 0, 6, 8), 1, 8, false},
		{scrapedAt(1, 0, 6, 8), 7, 8, true},
	} {
		if got := c.s.covers(minute(c.from), minute(c.to)); got != c.want {
			t.Errorf("%v from %d to %d: %t", c.s.scrapes, c.from, c.to, got)
		}
	}
}

// TestCopies: a source is a copy of one of another form that covers its time but for what a series lives on, its labels and its metrics.
func TestCopies(t *testing.T) {
	of := func(form model.MetricForm, from, to int, has string, external ...string) server {
		s := scrapedAt(1, from, to)
		s.Form, s.has = form, strings.Fields(has)
		for _, e := range external {
			name, value, _ := strings.Cut(e, "=")
			s.External = append(s.External, model.Label{Name: name, Value: value})
		}
		return s
	}
	block := of(model.MetricBlock, 10, 60, "a b", "cluster=x")
	for _, c := range []struct {
		what string
		s    server
		want bool
	}{
		{"the same", of(model.MetricAPI, 10, 60, "a b", "cluster=x"), true},
		{"of the same form", of(model.MetricBlock, 10, 60, "a b", "cluster=x"), false},
		{"begins as early as a series lives on", of(model.MetricAPI, 5, 60, "a b"), true},
		{"begins earlier", of(model.MetricAPI, 4, 60, "a b"), false},
		{"ends as late", of(model.MetricAPI, 10, 65, "a b"), true},
		{"ends later", of(model.MetricAPI, 10, 66, "a b"), false},
		{"of another cluster", of(model.MetricAPI, 10, 60, "a b", "cluster=y"), false},
		{"with a label that the other lacks", of(model.MetricAPI, 10, 60, "a b", "region=y"), true},
		{"with a part of the metrics", of(model.MetricAPI, 10, 60, "b"), true},
		{"with another metric", of(model.MetricAPI, 10, 60, "b c"), false},
	} {
		if got := c.s.copyOf(block); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}

// TestUsualDelta: the step is the median distance of two scrapes; of less than two there is none.
func TestUsualDelta(t *testing.T) {
	for _, c := range []struct {
		minutes []int
		want    int
	}{{nil, 0}, {[]int{3}, 0}, {[]int{3, 5}, 2}, {[]int{0, 1, 3, 6}, 2}, {[]int{0, 9, 10, 11}, 1}} {
		if got := usualDelta(scrapedAt(1, c.minutes...).scrapes); got != time.Duration(c.want)*time.Minute {
			t.Errorf("%v: %s, want %d minutes", c.minutes, got, c.want)
		}
	}
}

// values are samples, one a minute; ! is a stale marker, . is no sample.
func values(words string) model.Samples {
	return func(yield func(model.Sample, error) bool) {
		for m, w := range strings.Fields(words) {
			s := model.Sample{At: minute(m), Stale: w == "!"}
			switch w {
			case ".":
				continue
			case "x":
				yield(model.Sample{}, errors.New("damaged"))
				return
			}
			if _, err := fmt.Sscan(w, &s.Value); w != "!" && err != nil {
				panic(err)
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// TestRuns: samples of one value follow each other within a time; a stale marker, and what is no finite number, ends them.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		samples, want string
		fails         bool
	}{
		{samples: "1 1 1", want: "0-2 1x3"},
		{samples: "1 1 0 0", want: "0-1 1x2, 2-3 0x2"},
		{samples: "1 . 1", want: "0-2 1x2"},
		{samples: "1 . . 1", want: "0-0 1x1, 3-3 1x1"},
		{samples: "1 ! ! 1", want: "0-0 1x1 stale 1, 3-3 1x1"},
		{samples: "! 1", want: "1-1 1x1"},
		{samples: "1 NaN 1", want: "0-0 1x1 stale 1, 2-2 1x1"},
		{samples: "1 +Inf -Inf", want: "0-0 1x1 stale 1"},
		{samples: "1 1 x", want: "0-1 1x2", fails: true},
		{samples: strings.Repeat("0 1 ", maxRuns/2) + "2", want: ""},
	} {
		list, err := server{}.runs(values(c.samples), 2*time.Minute)
		if c.want == "" {
			if len(list) != maxRuns {
				t.Errorf("%d runs, want %d", len(list), maxRuns)
			}
			continue
		}
		var got []string
		for _, r := range list {
			text := fmt.Sprintf("%.0f-%.0f %gx%d", r.From.Sub(epoch).Minutes(), r.To.Sub(epoch).Minutes(), r.Value, r.Samples)
			if r.stale != nil {
				text += fmt.Sprintf(" stale %.0f", r.stale.Sub(epoch).Minutes())
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %v, %v, want %s", c.samples, got, err, c.want)
		}
	}
}

// TestSeriesQuotes: the quote of a series has the first and the last sample of each run, of the first runs, with their times.
func TestSeriesQuotes(t *testing.T) {
	at := func(m int) string { return fmt.Sprintf("@%d.000", minute(m).Unix()) }
	many, want := "", ""
	for n := range maxCited {
		many += fmt.Sprint(n, " ")
		want += fmt.Sprintf("%d %s, ", n, at(n))
	}
	for _, c := range []struct{ samples, want, field string }{
		{"1 1 0", "s 1 " + at(0) + ", 1 " + at(1) + ", 0 " + at(2), at(0) + ".." + at(2)},
		{"0.5", "s 0.5 " + at(0), at(0) + ".." + at(0)},
		{many + "99", "s " + strings.TrimSuffix(want, ", "), at(0) + ".." + at(maxCited-1)},
	} {
		var l evidence.Ledger
		var runs []model.MetricRun
		list, _ := server{}.runs(values(c.samples), time.Minute)
		for _, r := range list {
			runs = append(runs, r.MetricRun)
		}
		server{}.quote("s", runs, &l)
		if e := l.All()[0]; e.Text != c.want || e.Source.Field != c.field {
			t.Errorf("%s: %q %q, want %q", c.samples, e.Text, e.Source.Field, c.want)
		}
	}
}

// TestShow: of series of a pod those of another UID show nothing of the wait, and those without one may; without a sample in its time none does.
func TestShow(t *testing.T) {
	s := server{MetricSource: cluster("tsdb", model.MetricBlock, nil), step: time.Minute}
	late := waitOf(1)
	late.Span.From, late.Span.To = exactly(minute(60)), exactly(minute(70))
	for _, c := range []struct {
		metric, uid string
		wait        *wait.Case
		want        int
	}{
		{"kube_pod_info", "u", waitOf(1), 1}, {"kube_pod_info", "", waitOf(1), 1}, {"kube_pod_info", "other", waitOf(1), 0},
		{"kube_volumeattachment_info", "u", waitOf(1), 1}, {"kube_pod_info", "u", late, 0},
	} {
		var l evidence.Ledger
		if got := s.show(shown{matchers: []model.Matcher{named(c.metric)}, uid: c.uid}, c.wait, &l); len(got) != c.want {
			t.Errorf("%s of %q: %d series, want %d", c.metric, c.uid, len(got), c.want)
		}
	}
}

// TestStretches: a recorded alert fires until its stale marker or its last sample; without either, it fires still at the server's end.
func TestStretches(t *testing.T) {
	s := scrapedAt(1, 0, 30)
	for _, c := range []struct{ samples, want string }{
		{"1 1", "0-1 before"},
		{strings.Repeat(". ", 4) + "1 1 !", "4-6 before"},
		{strings.Repeat(". ", 5) + "1 1 !", "5-7"},
		{strings.Repeat(". ", 24) + "1", "24-24"},
		{strings.Repeat(". ", 25) + "1", "25-"},
		{strings.Repeat(". ", 10) + "1 . . . . . 1" + strings.Repeat(" .", 20), "10-10, 16-16"},
		{strings.Repeat(". ", 21) + "1 . . . . . 1", "21-21, 27-"},
	} {
		list, _ := s.stretches(values(c.samples))
		var got []string
		for _, f := range list {
			text := fmt.Sprintf("%.0f-", f.From.Sub(epoch).Minutes())
			if f.To != nil {
				text += fmt.Sprintf("%.0f", f.To.Sub(epoch).Minutes())
			}
			if f.ActiveBefore {
				text += " before"
			}
			got = append(got, text)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %v, want %s", c.samples, got, c.want)
		}
	}
}

// TestEvaluated: the steps of a window lie at its interval since 1970, the first after its beginning.
func TestEvaluated(t *testing.T) {
	w := window{minute(0).Add(10 * time.Second), minute(5).Add(40 * time.Second), time.Minute}.aligned()
	if w.from != minute(1) || w.to != minute(5) || w.steps() != 5 || w.at(4) != minute(5) || w.step(minute(3).UnixMilli()) != 2 {
		t.Errorf("%+v, %d steps", w, w.steps())
	}
	if same := (window{minute(1), minute(1), time.Minute}); same.steps() != 1 || len(same.nothing()) != 1 || !math.IsNaN(same.nothing()[0]) {
		t.Errorf("%d steps", same.steps())
	}
	if none := (window{minute(2), minute(1), time.Minute}); none.steps() != 0 {
		t.Errorf("%d steps", none.steps())
	}
	for interval, want := range map[time.Duration]time.Duration{0: ruleInterval, time.Second: minInterval, time.Minute: time.Minute} {
		if got := (tested{interval: interval}).window(window{interval: ruleInterval}); got.interval != want {
			t.Errorf("interval %s: %s, want %s", interval, got.interval, want)
		}
	}
}
