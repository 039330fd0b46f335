package kubestate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// seconds are times after 1970.
func seconds(list ...int) (out []time.Time) {
	for _, s := range list {
		out = append(out, time.Unix(int64(s), 0).UTC())
	}
	return out
}

func at(second int) time.Time { return seconds(second)[0] }

// TestScrapes: the scrape before a time and the one after it, with neither of them at it.
func TestScrapes(t *testing.T) {
	list := seconds(10, 20, 30)
	for _, c := range []struct{ at, before, after int }{{5, 0, 10}, {10, 0, 20}, {15, 10, 20}, {20, 10, 30}, {30, 20, 0}, {35, 30, 0}} {
		before, hasBefore := preceding(list, at(c.at))
		after, hasAfter := following(list, at(c.at))
		if hasBefore != (c.before > 0) || hasAfter != (c.after > 0) || hasBefore && before != at(c.before) || hasAfter && after != at(c.after) {
			t.Errorf("at %d: %v %v", c.at, before, after)
		}
	}
	for _, c := range []struct {
		a, b int
		want bool
	}{{10, 20, false}, {10, 21, true}, {9, 11, true}, {30, 99, false}, {20, 30, false}} {
		if got := between(list, at(c.a), at(c.b)); got != c.want {
			t.Errorf("between %d and %d: %t", c.a, c.b, got)
		}
	}
	for _, c := range []struct{ to, add, want []int }{
		{[]int{10, 20}, []int{10, 20}, []int{10, 20}},
		{[]int{10, 20}, []int{20}, []int{10, 20}},
		{[]int{10, 20}, []int{15, 20, 25}, []int{10, 15, 20, 25}},
		{nil, []int{5}, []int{5}},
		{[]int{10}, nil, []int{10}},
	} {
		if got := fmt.Sprint(merge(seconds(c.to...), seconds(c.add...))); got != fmt.Sprint(seconds(c.want...)) {
			t.Errorf("%v and %v: %s", c.to, c.add, got)
		}
	}
}

// TestFollow: samples of one value are one run as long as none may be missing: by more than a quarter of the shortest distance so far.
func TestFollow(t *testing.T) {
	for _, c := range []struct{ samples, want string }{
		{"0=1 10=1 20=1 30=1", "0-0 10-30"},
		{"0=1 10=1 20=1 32=1", "0-0 10-32"},
		{"0=1 10=1 20=1 33=1", "0-0 10-20 33-33"},
		{"0=1 10=1 18=1 29=1", "0-0 10-18 29-29"},
		{"0=1 10=1 20=2 30=2", "0-0 10-10 20-30"},
		{"0=1 10=1 20=! 30=1 40=1", "0-0 10-10 30-40"},
	} {
		var scraped []string
		runs, err := follow(func(yield func(model.Sample, error) bool) {
			for w := range strings.FieldsSeq(c.samples) {
				var s int
				text, value, _ := strings.Cut(w, "=")
				_, _ = fmt.Sscan(text, &s) // it is written above
				sample := model.Sample{At: at(s), Stale: value == "!"}
				_, _ = fmt.Sscan(value, &sample.Value)
				if !yield(sample, nil) {
					return
				}
			}
		}, func(at time.Time) { scraped = append(scraped, fmt.Sprint(at.Unix())) })
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprintf("%d-%d", r.from.Unix(), r.to.Unix()))
		}
		if err != nil || strings.Join(got, " ") != c.want || len(scraped) != strings.Count(c.samples, "=")-strings.Count(c.samples, "!") {
			t.Errorf("%s: %v, scraped %v, %v", c.samples, got, scraped, err)
		}
	}
	runs := []run{{from: at(0), to: at(0), value: 1}, {from: at(20), to: at(30), value: 1}, {from: at(40), to: at(40), value: 2},
		{from: at(50), to: at(50), value: 1}}
	for _, c := range []struct {
		scrapes []int
		want    string
	}{{nil, "0-30 40-40 50-50"}, {[]int{10}, "0-0 20-30 40-40 50-50"}, {[]int{0, 20}, "0-30 40-40 50-50"}} {
		var got []string
		for _, r := range join(runs, seconds(c.scrapes...)) {
			got = append(got, fmt.Sprintf("%d-%d", r.from.Unix(), r.to.Unix()))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("scrapes at %v: %v, want %s", c.scrapes, got, c.want)
		}
	}
}

// TestValues: a value that is a time in seconds, and how samples are quoted.
func TestValues(t *testing.T) {
	for value, want := range map[float64]bool{0: false, -1: false, 1: true, 253402300798: true, 253402300799: false} {
		if _, ok := second(value); ok != want {
			t.Errorf("%v: %t", value, ok)
		}
	}
	if got := sample(0.25, time.UnixMilli(1_000_007)); got != "0.25 @1000.007" {
		t.Error(got)
	}
}

// TestIdentity: what only one cluster has ends as a UUID does; names alone are had by many.
func TestIdentity(t *testing.T) {
	const uid = "01234567-89ab-cdef-0123-456789abcdef"
	for text, want := range map[string]bool{
		uid: true, "pvc-" + uid: true, "": false, uid[1:]: false, strings.ToUpper(uid): false,
		strings.Replace(uid, "-", "0", 1): false, "0123456-789ab-cdef-0123-456789abcdef0": false, uid + "x": false,
	} {
		if uidInside(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
	i := NewIdentity()
	i.Node("a", strings.ToUpper(uid))
	i.Node("a", uid)
	i.Node("b", "")
	i.Pod(model.PodRef("n", "p", ""), at(0), at(10))
	i.Pod(model.PodRef("n", "p", "pvc-"+uid), at(0), at(10))
	i.Claim("n/c", "pv-1")
	i.Claim("n/c", "x-"+uid)
	if len(i.Nodes["a"]) != 1 || len(i.Nodes["b"]) != 1 || len(i.Pods["n/p"]) != 1 || len(i.Claims["n/c"]) != 1 || len(i.Unique) != 3 {
		t.Errorf("%+v", i)
	}
}
