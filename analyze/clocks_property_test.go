package analyze_test

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// clockSources are what may have a clock of its own in a recording: files that a person may copy, or a collector write, in another zone.
var clockSources = []struct {
	name string
	path *regexp.Regexp
}{
	{"controller", regexp.MustCompile(`kube-controller-manager/logs/current\.log$`)},
	{"events", regexp.MustCompile(`core/events\.yaml$`)},
	{"kubelets", regexp.MustCompile(`kubelet.*\.log$`)},
	{"attacher", regexp.MustCompile(`(csi-attacher|driver)/logs/current\.log$`)},
	{"leases", regexp.MustCompile(`leases\.yaml$`)},
	{"nodes", regexp.MustCompile(`core/nodes/`)},
	{"pods", regexp.MustCompile(`core/pods\.yaml$|/pods/[^/]+/[^/]+\.yaml$`)},
	{"attachments", regexp.MustCompile(`volumeattachments/`)},
	{"controller's Lease", regexp.MustCompile(`kube-system/coordination\.k8s\.io/leases\.yaml$`)},
	{"events of a namespace", regexp.MustCompile(`shop/core/events\.yaml$`)},
	{"scheduler", regexp.MustCompile(`kube-scheduler/logs/current\.log$`)},
}

var clockErrors = []time.Duration{7 * time.Minute, -time.Hour, 23 * time.Second, -7 * time.Minute, time.Hour, -23 * time.Second}

// wrongClock is a source, by its place in clockSources, and by how much its clock is ahead.
type wrongClock struct {
	source int
	ahead  time.Duration
}

// someClocks are those that are tried in a minute. With the build tag long, every source of every recording of real nodes has one of the
// errors, in turns: all of them take minutes, and the recordings are of a kind.
var someClocks = map[string][]wrongClock{
	"node-delete": {{7, 7 * time.Minute}, {3, 7 * time.Minute}, {8, -time.Hour}},
	"drain":       {{1, -time.Hour}, {0, 23 * time.Second}},
}

// TestWrongClock: with one source's clock wrong a report says nothing that it does not say with the right one.
func TestWrongClock(t *testing.T) {
	for turn, name := range recordings.Names(recordings.Real) {
		clocks := someClocks[name]
		if recordings.Long {
			for n := range clockSources {
				clocks = append(clocks, wrongClock{n, clockErrors[(turn+n)%len(clockErrors)]})
			}
		}
		if len(clocks) == 0 {
			continue
		}
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		right := sayings(reportOf(t, bundle))
		for _, w := range clocks {
			what := fmt.Sprintf("%s, %s by %s", name, clockSources[w.source].name, w.ahead)
			r := reportOf(t, withClock(t, bundle, clockSources[w.source].path, w.ahead))
			for _, s := range sayings(r) {
				if !slices.Contains(right, s) {
					t.Errorf("%s: says %s, and with the right clock %q", what, s, right)
				}
			}
			inOrder(t, what, r)
		}
	}
}

func reportOf(t *testing.T, bundle fs.FS) *model.Report {
	t.Helper()
	s, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(context.Background(), s, analyze.Options{Version: "test"})
}

// sayings are what may not become false.
func sayings(r *model.Report) (out []string) {
	out = append(out, "status "+string(r.Verdict.Status))
	for _, i := range r.Incidents {
		of := i.Volume.PersistentVolume + " "
		out = append(out, of+"from "+i.From.Node, of+"to "+i.To.Node, of+"resolved "+strconv.FormatBool(i.Resolved),
			of+"open "+strconv.FormatBool(i.Span.Open), of+"ended "+strconv.FormatBool(i.MultiAttach.Ended != nil))
		if i.IntegrityWindow != nil {
			out = append(out, of+"window")
		}
		for _, c := range i.Causes {
			if c.Verdict == model.Confirmed || c.Verdict == model.Likely {
				out = append(out, of+c.ID)
			}
		}
	}
	return out
}

// inOrder: no interval is the wrong way round.
func inOrder(t *testing.T, what string, r *model.Report) {
	t.Helper()
	check := func(of string, m model.Moment) {
		if m.Earliest.After(m.At) || m.At.After(m.Latest) {
			t.Errorf("%s: %s: %s ≤ %s ≤ %s does not hold", what, of, m.Earliest, m.At, m.Latest)
		}
	}
	for _, i := range r.Incidents {
		check("began", i.MultiAttach.Began)
		if i.MultiAttach.Ended != nil {
			check("ended", *i.MultiAttach.Ended)
		}
		for _, p := range i.Phases {
			check(string(p.ID)+" from", p.From)
			check(string(p.ID)+" to", p.To)
			if !p.From.IsZero() && !p.To.IsZero() && p.To.Latest.Before(p.From.Earliest) {
				t.Errorf("%s: phase %s lasts from %s to %s", what, p.ID, p.From.Earliest, p.To.Latest)
			}
		}
	}
}

// The forms of time in a must-gather: RFC 3339, klog's header, journalctl's, and seconds or milliseconds in JSON.
var (
	rfc3339   = regexp.MustCompile(`20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d`)
	klogTime  = regexp.MustCompile(`(?m)(^|[ \t])([IWEF])(\d{4} \d\d:\d\d:\d\d)\.\d{6} `)
	epoch     = regexp.MustCompile(`"ts":\d{10,13}(\.\d+)?`)
	journaled = regexp.MustCompile(`(?m)^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d`)
)

// withClock is a bundle in which the clock of some files was wrong.
func withClock(t *testing.T, bundle fs.FS, paths *regexp.Regexp, by time.Duration) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(bundle, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(bundle, path)
		if err == nil && paths.MatchString(path) {
			data = []byte(turned(string(data), by))
		}
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func turned(text string, by time.Duration) string {
	in := func(layout string) func(string) string {
		return func(s string) string {
			at, err := time.Parse("2006 "+layout, "2026 "+s)
			if err != nil {
				return s
			}
			return at.Add(by).Format(layout)
		}
	}
	text = rfc3339.ReplaceAllStringFunc(text, func(s string) string {
		layout := "2006-01-02" + s[10:11] + "15:04:05"
		at, err := time.Parse(layout, s)
		if err != nil {
			return s
		}
		return at.Add(by).Format(layout)
	})
	text = klogTime.ReplaceAllStringFunc(text, func(s string) string {
		m := klogTime.FindStringSubmatch(s)
		return strings.Replace(s, m[3], in("0102 15:04:05")(m[3]), 1)
	})
	text = epoch.ReplaceAllStringFunc(text, func(s string) string {
		v, err := strconv.ParseFloat(s[len(`"ts":`):], 64)
		if err != nil {
			return s
		}
		if v > 1e12 {
			v += 1000 * by.Seconds()
		} else {
			v += by.Seconds()
		}
		return `"ts":` + strconv.FormatFloat(v, 'f', 4, 64)
	})
	return journaled.ReplaceAllStringFunc(text, in("Jan _2 15:04:05"))
}
