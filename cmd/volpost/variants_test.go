package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// scraped is one series of a recording, sample by sample.
type scraped struct {
	labels  model.Labels
	samples []model.Sample
}

// scrapedOf are the series that a bundle holds.
func scrapedOf(t testing.TB, bundle fs.FS) []scraped {
	t.Helper()
	opened := ingest.OpenFS(bundle, "metrics")
	defer func() { _ = opened.Close() }() // it was only read
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil || len(snapshot.Metrics) != 1 {
		t.Fatalf("%v, or not one source of metrics", err)
	}
	var out []scraped
	err = snapshot.Metrics[0].Select(nil, time.Time{}, time.Time{}, func(l model.Labels, samples model.Samples) error {
		s := scraped{labels: slices.Clone(l)}
		for sample, err := range samples {
			if err != nil {
				return err
			}
			s.samples = append(s.samples, sample)
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lacking leaves metrics out.
func lacking(all []scraped, drop func(name string) bool) []scraped {
	return slices.DeleteFunc(slices.Clone(all), func(s scraped) bool { return drop(s.labels.Get(model.MetricName)) })
}

// since leaves out what was scraped before a time.
func since(all []scraped, from time.Time) []scraped {
	var out []scraped
	for _, s := range all {
		i := slices.IndexFunc(s.samples, func(x model.Sample) bool { return !x.At.Before(from) })
		if i >= 0 {
			out = append(out, scraped{s.labels, s.samples[i:]})
		}
	}
	return out
}

// until leaves out what was scraped after a time, unless that is zero.
func until(all []scraped, to time.Time) []scraped {
	var out []scraped
	for _, s := range all {
		i := slices.IndexFunc(s.samples, func(x model.Sample) bool { return !to.IsZero() && x.At.After(to) })
		if i < 0 {
			i = len(s.samples)
		}
		if i > 0 {
			out = append(out, scraped{s.labels, s.samples[:i]})
		}
	}
	return out
}

// failing lets the first scrape of kube-state-metrics after a time fail: each of its series goes stale then.
func failing(all []scraped, at time.Time) []scraped {
	fails := func(s scraped) bool { return strings.HasPrefix(s.labels.Get(model.MetricName), "kube_") }
	var scrape time.Time
	for _, s := range all {
		for _, x := range s.samples {
			if fails(s) && !x.Stale && !x.At.Before(at) && (scrape.IsZero() || x.At.Before(scrape)) {
				scrape = x.At
			}
		}
	}
	var out []scraped
	for _, s := range all {
		i := slices.IndexFunc(s.samples, func(x model.Sample) bool { return x.At.Equal(scrape) })
		if i >= 0 && fails(s) {
			s.samples = slices.Clone(s.samples)
			if i > 0 && !s.samples[i-1].Stale {
				s.samples[i] = model.Sample{At: scrape, Stale: true}
			} else {
				s.samples = slices.Delete(s.samples, i, i+1)
			}
		}
		if len(s.samples) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// asDump is series as promtool tsdb dump-openmetrics writes them.
func asDump(all []scraped) fs.FS {
	var b strings.Builder
	for _, s := range all {
		for _, x := range s.samples {
			value := strconv.FormatFloat(x.Value, 'f', -1, 64)
			if x.Stale {
				value = "NaN"
			}
			fmt.Fprintf(&b, "%s %s %d.%03d\n", s.labels, value, x.At.Unix(), x.At.UnixMilli()%1000)
		}
	}
	b.WriteString("# EOF\n")
	return fstest.MapFS{"metrics.openmetrics": {Data: []byte(b.String())}}
}

// lookback is for how long Prometheus answers with an old sample.
const lookback = 5 * time.Minute

// asAnswers is series as a range query with a step has them: at each step the last sample, unless it is old or a stale marker.
func asAnswers(t testing.TB, all []scraped, step time.Duration) fs.FS {
	t.Helper()
	type result struct {
		Metric map[string]string `json:"metric"`
		Values [][2]any          `json:"values"`
	}
	var first, last time.Time
	for _, s := range all {
		if n := len(s.samples); first.IsZero() || s.samples[0].At.Before(first) {
			first = s.samples[0].At
		} else if s.samples[n-1].At.After(last) {
			last = s.samples[n-1].At
		}
	}
	byName := map[string][]result{}
	for _, s := range all {
		r := result{Metric: map[string]string{}}
		for _, l := range s.labels {
			r.Metric[l.Name] = l.Value
		}
		for at := first.Truncate(time.Second).Add(time.Second); !at.After(last); at = at.Add(step) {
			i, same := slices.BinarySearchFunc(s.samples, at, func(x model.Sample, t time.Time) int { return x.At.Compare(t) })
			if !same {
				i--
			}
			if i >= 0 && !s.samples[i].Stale && at.Sub(s.samples[i].At) < lookback {
				r.Values = append(r.Values, [2]any{at.Unix(), strconv.FormatFloat(s.samples[i].Value, 'f', -1, 64)})
			}
		}
		if name := s.labels.Get(model.MetricName); len(r.Values) > 0 {
			byName[name] = append(byName[name], r)
		}
	}
	out := fstest.MapFS{}
	for name, results := range byName {
		text, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		out[name+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"status":"success","data":{"resultType":"matrix","result":%s}}`, text)}
	}
	return out
}

// variant is what somebody has of a server's metrics.
type variant struct {
	name string
	step time.Duration // of the samples
	of   func(testing.TB, []scraped, truthFile) fs.FS
}

func isCreated(name string) bool { return strings.HasSuffix(name, "_created") }

// lateBegin is two minutes before the first wait, or the beginning.
func lateBegin(all []scraped, truth truthFile) []scraped {
	began, _ := waited(truth)
	if began.IsZero() {
		return all
	}
	return since(all, began.Add(-2*time.Minute))
}

// waited is when the first wait of a recording began, and the middle of it.
func waited(truth truthFile) (began, middle time.Time) {
	for _, a := range truth.Affected {
		if at := a.Times["multiAttachFirstEvent"]; at != nil && (began.IsZero() || at.Before(began)) {
			began, middle = *at, at.Add(time.Minute)
			if end := a.Times["newVAAttached"]; end != nil {
				middle = at.Add(end.Sub(*at) / 2)
			}
		}
	}
	return began, middle
}

var variants = []variant{
	{"alone", scrape, func(_ testing.TB, all []scraped, _ truthFile) fs.FS { return asDump(all) }},
	{"late, no _created", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		return asDump(lacking(lateBegin(all, truth), isCreated))
	}},
	{"late, first list", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		return asDump(lacking(lateBegin(all, truth),
			func(name string) bool { return isCreated(name) || name == "kube_pod_status_scheduled_time" }))
	}},
	{"begins inside", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		_, middle := waited(truth)
		return asDump(since(all, middle))
	}},
	{"begins inside, no _created", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		_, middle := waited(truth)
		return asDump(lacking(since(all, middle), isCreated))
	}},
	{"ends inside", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		_, middle := waited(truth)
		return asDump(until(all, middle))
	}},
	{"failed scrape", scrape, func(_ testing.TB, all []scraped, truth truthFile) fs.FS {
		_, middle := waited(truth)
		return asDump(failing(all, middle))
	}},
	{"step 15s", scrape, func(t testing.TB, all []scraped, _ truthFile) fs.FS { return asAnswers(t, all, 15*time.Second) }},
	{"step 5m", 5 * time.Minute, func(t testing.TB, all []scraped, _ truthFile) fs.FS { return asAnswers(t, all, 5*time.Minute) }},
	{"step 4s", scrape, func(t testing.TB, all []scraped, _ truthFile) fs.FS { return asAnswers(t, all, 4*time.Second) }},
}

// TestVariantsOfMetrics reads the metrics of each recording as people have them: no wait of two steps is called clean, nothing is
// told to be gone that was not, and the truth lies inside of every bound.
func TestVariantsOfMetrics(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var table []string
	acts, inside := 0, 0
	t.Run("", func(t *testing.T) {
		for n, c := range withPart(t, "tsdb") {
			name := c.name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				text := c.last(t).truth
				var truth truthFile
				if err := json.Unmarshal(text, &truth); err != nil {
					t.Fatal(err)
				}
				all := scrapedOf(t, c.part(t, "tsdb"))
				for _, v := range append(variants[:1:1], recordings.Turn(n, variants[1:])...) { // the first is counted below
					t.Run(v.name, func(t *testing.T) {
						bundle := v.of(t, all, truth)
						if keep := os.Getenv("KEEP_VARIANT"); keep != "" {
							if err := os.CopyFS(keep, bundle); err != nil {
								t.Fatal(err)
							}
						}
						out, r := explained(t, bundle, v.name)
						var wrong []string
						if v.name != "ends inside" { // the truth is of the whole
							wrong = scored(t, out, text, true).wrong
						}
						wrong = append(wrong, wronglyGone(truth, r)...)
						if r.Verdict.Status == model.StatusClean && hasWait(truth, v.step) {
							wrong = append(wrong, "FALSE CLEAN: "+r.Verdict.Headline)
						}
						for _, i := range r.Incidents {
							if v.name == "ends inside" && i.Model != nil && strings.Contains(i.Model.Outlook, "never ends") {
								wrong = append(wrong, "CUT: "+i.Model.Outlook)
							}
						}
						for _, w := range wrong {
							t.Error(w)
						}
						said := predicted(truth, r)
						mu.Lock()
						defer mu.Unlock()
						table = append(table, fmt.Sprintf("| %s | %s | %s | %d | %s | %s |", name, v.name, r.Verdict.Status, len(wrong), said,
							strings.Join(wrong, "; ")))
						if v.name == "alone" && endedByAct(t, text, truth) {
							acts++
							inside += b2i(strings.Contains(said, isInside) && !strings.Contains(said, isBeside))
						}
					})
				}
			})
		}
	})
	if recordings.Long && inside*5 < acts*4 {
		t.Errorf("of %d waits that ended by an act %d are predicted from metrics alone with the truth inside", acts, inside)
	}
	slices.Sort(table)
	t.Logf("\n%s\n%d of %d acts", strings.Join(table, "\n"), inside, acts)
}

// endedByAct reports that what people did to a lost node, its pod or its attachment ended a wait of a recording.
func endedByAct(t *testing.T, text []byte, truth truthFile) bool {
	t.Helper()
	var did struct{ OperatorActions []struct{ What string } }
	if err := json.Unmarshal(text, &did); err != nil {
		t.Fatal(err)
	}
	ended := slices.ContainsFunc(truth.Affected, func(a affected) bool { return a.Times["newVAAttached"] != nil })
	return ended && truth.CauseClass != "detach-failing" && slices.ContainsFunc(did.OperatorActions, func(a struct{ What string }) bool {
		return slices.ContainsFunc([]string{"--force", "out-of-service=", "delete node", "delete volumeattachment"},
			func(act string) bool { return strings.Contains(a.What, act) })
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isInside and isBeside say whether the truth lies in what is predicted.
const isInside, isBeside = "inside", "OUTSIDE"

// hasWait reports that a volume waited for longer than two steps.
func hasWait(truth truthFile, step time.Duration) bool {
	return slices.ContainsFunc(truth.Affected, func(a affected) bool {
		began, ended := a.Times["multiAttachFirstEvent"], a.Times["newVAAttached"]
		return !a.Mirror && began != nil && (ended == nil || ended.Sub(*began) > 2*step)
	})
}

// wronglyGone are the deletions that a report tells of and that did not happen.
func wronglyGone(truth truthFile, r *model.Report) []string {
	var out []string
	gone := map[string]bool{}
	node := false
	for _, a := range truth.Affected {
		node = node || a.Times["nodeObjectGone"] != nil
		if a.BlockingVA != nil {
			gone[*a.BlockingVA] = a.Times["oldVAGone"] != nil
		}
	}
	for _, i := range r.Incidents {
		if name := i.BlockingAttachment.Name; name != nil && i.BlockingAttachment.GoneAt != nil && !gone[*name] {
			out = append(out, "INVENTED: attachment gone")
		}
		for _, c := range i.Causes {
			if c.ID == "node-gone" && c.Verdict != model.Undecidable && !node {
				out = append(out, "INVENTED: cause node-gone "+string(c.Verdict))
			}
		}
		for _, m := range i.Remediations {
			if m.ID == "delete-node" && m.WasUsed && !node {
				out = append(out, "INVENTED: delete-node used")
			}
		}
	}
	for _, item := range r.Timeline {
		if item.Kind == model.NodeDeleted && !node {
			out = append(out, "INVENTED: "+item.Text)
		}
	}
	return out
}

// predicted tells for each act that a report finds, or for each wait without one, whether a replay predicts the attach, and whether
// the truth lies inside.
func predicted(truth truthFile, r *model.Report) string {
	var out []string
	for _, i := range r.Incidents {
		var end *time.Time
		for _, a := range truth.Affected {
			if a.PV == i.Volume.PersistentVolume && a.NewNode != nil && *a.NewNode == i.To.Node {
				end = a.Times["newVAAttached"]
			}
		}
		found := false
		for _, m := range i.Remediations {
			if !m.WasUsed {
				continue
			}
			found = true
			switch p := m.PredictedAttach; {
			case p == nil && end == nil:
				out = append(out, m.ID+" OPEN")
			case p == nil:
				out = append(out, fmt.Sprintf("%s NOT (%s)", m.ID, m.Why))
			default:
				inside := end != nil && !end.Before(p.Earliest.Add(-slack)) && !end.After(p.Latest.Add(slack))
				out = append(out, fmt.Sprintf("%s %v %s..%s %v", m.ID, map[bool]string{true: isInside, false: isBeside}[inside],
					p.Earliest.Format(time.TimeOnly), p.Latest.Format(time.TimeOnly), end))
			}
		}
		if !found && end != nil {
			out = append(out, "no act: "+i.Model.Withheld+i.Model.Given+i.Model.Outlook)
		}
	}
	return strings.Join(out, ", ")
}
