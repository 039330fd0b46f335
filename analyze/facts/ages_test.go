package facts_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// object is a copy of an object in which every field can be quoted.
func object[T metav1.Object](kind string, o T) model.Object[T] {
	ref := model.Ref{Kind: kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
	return model.Object[T]{Ref: ref, Content: model.Whole(o), Input: "objects", Line: 1, Cite: func(field string) (int, model.Quote, bool) {
		return 1, mask.Quote(field), true
	}}
}

// ages are those of rows in seconds, known within some.
func ages(best, within float64) *model.Range {
	return &model.Range{Best: best, Min: best - within, Max: best + within}
}

// shows adds a pasted report with an age.
func (b *bundleOf) shows(file string, age float64) *bundleOf {
	o := model.Observation{Kind: model.MultiAttach, Node: "node-b", Volume: model.VolumeID{PersistentVolume: "pvc-1"}, Input: file,
		Source: model.Source{Kind: model.SourceText, Path: file, Line: 3}, Age: ages(age, 1), Count: 1}
	b.Observations = append(b.Observations, o)
	return b.file(file)
}

func (b *bundleOf) file(path string) *bundleOf {
	for _, in := range b.Inputs {
		if in.Path == path {
			return b
		}
	}
	b.Inputs = append(b.Inputs, model.Input{Path: path, Kind: model.InputText})
	return b
}

// proves adds a row with the age of a Node, and the Node, made at a time.
func (b *bundleOf) proves(file, node, made string, age, within float64) *bundleOf {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node, CreationTimestamp: metav1.NewTime(utc(made))}}
	b.Nodes = append(b.Nodes, object("Node", n))
	b.Aged = append(b.Aged, model.Aged{Object: model.Ref{Kind: "Node", Name: node}, Age: *ages(age, within), Input: file,
		Source: model.Source{Kind: model.SourceText, Path: file, Line: 1}})
	return b.file(file)
}

// counted is when the bundle was collected, and how that and the time of its first row are known.
func (b *bundleOf) counted() string {
	a := facts.Clocks(&b.Snapshot)
	out := []string{"nothing", string(a.CapturedHow)}
	if a.CapturedAt != nil {
		out[0] = a.CapturedAt.Earliest.Format("2006-01-02 15:04:05")
		if w := a.CapturedAt.Latest.Sub(a.CapturedAt.Earliest); w > 0 {
			out[0] += "+" + w.String()
		}
	}
	for _, o := range a.Observations {
		if o.Source.Kind == model.SourceText {
			out = append(out, o.At.At.Format("15:04:05")+" "+string(o.At.Basis))
		}
	}
	for _, in := range a.Inputs {
		if in.Clock != nil && in.Clock.Ages != "" {
			out = append(out, in.Clock.Ages)
		}
	}
	for _, p := range a.Problems {
		out = append(out, "PROBLEM "+p.Path+": "+p.Message)
	}
	return strings.TrimSpace(strings.Join(out, " | "))
}

// TestAges: from when the ages of a pasted table count back, and when a bundle was collected.
func TestAges(t *testing.T) {
	row := func() *bundleOf { return new(bundleOf).shows("a.txt", 600) }
	user := func(at string) func(*model.Supplied) { return func(s *model.Supplied) { s.CollectedAt = utc(at) } }
	day := func(clock string) string { return "2026-03-14 " + clock }
	pod := func(b *bundleOf, file, name, made string, age float64) *bundleOf {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name, CreationTimestamp: metav1.NewTime(utc(made))}}
		b.Pods = append(b.Pods, object("Pod", p))
		b.Aged = append(b.Aged, model.Aged{Object: model.Ref{Kind: "Pod", Namespace: "prod", Name: name}, Age: *ages(age, 30), Input: file,
			Source: model.Source{Kind: model.SourceText, Path: file, Line: 2}})
		return b.file(file)
	}
	report := func(o *model.Observation) {
		o.Kind, o.Node, o.Volume.PersistentVolume, o.Count = model.MultiAttach, "node-b", "pvc-1", 1
	}
	for _, tt := range []struct {
		rule string
		b    *bundleOf
		want string
	}{
		{"nothing tells", row(), "1990-01-01 12:10:00 | assumed | 12:00:00 assumed | from a time that nothing shows: only the time differences " +
			"between its lines are certain | PROBLEM a.txt: its ages count back from a time of collection that nothing records: only the " +
			"time differences between its lines are certain; --collected-at says when it was collected"},
		{"the user says it", row().said(user(day("10:00:00"))),
			"2026-03-14 10:00:00 | said | 09:50:00 derived | from 2026-03-14 10:00:00 UTC, set by --collected-at"},
		{"the file itself does", row().proves("a.txt", "n", day("09:00:00"), 3600, 30),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: " +
				"line 1 shows the age of Node/n, of which objects has the creation"},
		{"another file does", row().proves("b.txt", "n", day("09:00:00"), 3600, 30),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC, as " +
				"in b.txt: line 1 shows the age of Node/n, of which objects has the creation"},
		{"another file does, and something is newer", row().proves("b.txt", "n", day("09:00:00"), 3600, 30).knows(day("10:10:00")),
			"2026-03-14 09:59:30+10m30s | ages | 10:00:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:10:00 UTC, as in " +
				"b.txt: line 1 shows the age of Node/n, of which objects has the creation"},
		{"and something is much newer", row().proves("b.txt", "n", day("09:00:00"), 3600, 30).knows(day("10:16:00")),
			"2026-03-14 10:16:00 | newest-time | 10:06:00 assumed | from 2026-03-14 10:16:00, assumed: nothing tells when they were printed | " +
				"PROBLEM a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:16:00. Only the time differences " +
				"between its lines are certain; --collected-at says when it was collected"},
		{"and something is much newer, and a report is dated", row().proves("b.txt", "n", day("09:00:00"), 3600, 30).knows(day("10:16:00"),
			report), "2026-03-14 10:25:59+2s | ages | 10:16:00 derived | from a time between 2026-03-14 10:25:59 and 2026-03-14 10:26:01 UTC: " +
			"line 3 shows the age of what events dates"},
		{"a report is dated, and nothing else tells", row().knows(day("10:00:00"), report),
			"2026-03-14 10:09:59+2s | ages | 10:00:00 derived | from a time between 2026-03-14 10:09:59 and 2026-03-14 10:10:01 UTC: line 3 " +
				"shows the age of what events dates"},
		{"something is dated", row().knows(day("10:00:00")),
			"2026-03-14 10:00:00 | newest-time | 09:50:00 assumed | from 2026-03-14 10:00:00, assumed: nothing tells when they were printed | " +
				"PROBLEM a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:00:00. Only the time differences " +
				"between its lines are certain; --collected-at says when it was collected"},
		{"the collector wrote it down", row().collectedAt(day("10:00:00")),
			"2026-03-14 10:00:00 |  | 09:50:00 assumed | from 2026-03-14 10:00:00, assumed: nothing tells when they were printed | PROBLEM " +
				"a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:00:00. Only the time differences between " +
				"its lines are certain; --collected-at says when it was collected"},
		{"the user says it of what the collector wrote down", row().collectedAt(day("10:00:00")).said(user(day("10:02:00"))),
			"2026-03-14 10:00:00 |  | 09:52:00 derived | from 2026-03-14 10:02:00 UTC, set by --collected-at"},
		{"the user says another time", row().collectedAt(day("10:00:00")).said(user(day("10:02:01"))),
			"2026-03-14 10:00:00 |  | 09:50:00 assumed | from 2026-03-14 10:00:00, assumed: nothing tells when they were printed | PROBLEM " +
				"a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:00:00. Only the time differences between " +
				"its lines are certain; --collected-at says when it was collected"},
		{"the user says an earlier time", row().collectedAt(day("10:00:00")).said(user(day("09:57:59"))),
			"2026-03-14 10:00:00 |  | 09:50:00 assumed | from 2026-03-14 10:00:00, assumed: nothing tells when they were printed | PROBLEM " +
				"a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:00:00. Only the time differences between " +
				"its lines are certain; --collected-at says when it was collected"},
		{"the user says it of what the file proves", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).said(user(day("10:00:00"))),
			"2026-03-14 10:00:00 | said | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: line 1 shows " +
				"the age of Node/n, of which objects has the creation"},
		{"two minutes before", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).said(user(day("09:57:30"))),
			"2026-03-14 09:57:30 | said | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: line 1 shows " +
				"the age of Node/n, of which objects has the creation"},
		{"more than that before", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).said(user(day("09:57:29"))),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: " +
				"line 1 shows the age of Node/n, of which objects has the creation | PROBLEM a.txt: --collected-at 2026-03-14T09:57:29Z is not used: " +
				"line 1 shows the age of Node/n, of which objects has the creation, so that it was printed from 2026-03-14T09:59:30Z to " +
				"2026-03-14T10:00:30Z; give the time at which the collection ran, or leave the flag out"},
		{"a quarter of an hour after", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).said(user(day("10:15:30"))),
			"2026-03-14 10:15:30 | said | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: line 1 shows " +
				"the age of Node/n, of which objects has the creation"},
		{"more than that after", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).said(user(day("10:15:31"))),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: " +
				"line 1 shows the age of Node/n, of which objects has the creation | PROBLEM a.txt: --collected-at 2026-03-14T10:15:31Z is not used: " +
				"line 1 shows the age of Node/n, of which objects has the creation, so that it was printed from 2026-03-14T09:59:30Z to " +
				"2026-03-14T10:00:30Z; give the time at which the collection ran, or leave the flag out"},
		{"what the user says is finer than what the file proves", row().proves("a.txt", "n", day("09:00:00"), 3600,
			300).said(user(day("10:00:00"))), "2026-03-14 10:00:00 | said | 09:50:00 derived | from 2026-03-14 10:00:00 UTC, set by --collected-at"},
		{"just not finer", row().proves("a.txt", "n", day("09:00:00"), 3600, 119.5).said(user(day("10:00:00"))),
			"2026-03-14 10:00:00 | said | 09:50:00 derived | from a time between 2026-03-14 09:58:00 and 2026-03-14 10:02:00 UTC: line 1 shows " +
				"the age of Node/n, of which objects has the creation"},
		{"finer, and two minutes before", row().proves("a.txt", "n", day("09:00:00"), 3600, 300).said(user(day("09:53:00"))),
			"2026-03-14 09:53:00 | said | 09:43:00 derived | from 2026-03-14 09:53:00 UTC, set by --collected-at"},
		{"finer, and two minutes after", row().proves("a.txt", "n", day("09:00:00"), 3600, 300).said(user(day("10:07:00"))),
			"2026-03-14 10:07:00 | said | 09:57:00 derived | from 2026-03-14 10:07:00 UTC, set by --collected-at"},
		{"finer, and three minutes after", row().proves("a.txt", "n", day("09:00:00"), 3600, 300).said(user(day("10:08:02"))),
			"2026-03-14 10:08:02 | said | 09:50:00 derived | from a time between 2026-03-14 09:55:00 and 2026-03-14 10:05:00 UTC: line 1 shows " +
				"the age of Node/n, of which objects has the creation"},
		{"something is newer than the user says", row().knows(day("10:02:01")).said(user(day("10:00:00"))),
			"2026-03-14 10:02:01 | newest-time | 09:52:01 assumed | from 2026-03-14 10:02:01, assumed: nothing tells when they were printed | " +
				"PROBLEM a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:02:01. Only the time differences " +
				"between its lines are certain; --collected-at says when it was collected | PROBLEM events: --collected-at 2026-03-14T10:00:00Z is " +
				"not used: a time of 2026-03-14T10:02:01Z in it is later, and nothing is newer than the collection; give the time at which the " +
				"collection ran, with its zone"},
		{"by two minutes", row().knows(day("10:02:00")).said(user(day("10:00:00"))),
			"2026-03-14 10:00:00 | said | 09:50:00 derived | from 2026-03-14 10:00:00 UTC, set by --collected-at"},
		{"its parts were printed at two times", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).proves("a.txt", "m", day("09:00:00"), 7200,
			30), "nothing |  | 10:50:00 assumed | from a time between 2026-03-14 10:59:30 and 2026-03-14 11:00:30 UTC, assumed: line 1 shows the " +
			"age of Node/m, of which objects has the creation, but its parts were printed at different times, of which this is the latest | " +
			"PROBLEM a.txt: its ages count back from a time between 2026-03-14 10:59:30 and 2026-03-14 11:00:30 UTC, assumed: line 1 shows the " +
			"age of Node/m, of which objects has the creation, but its parts were printed at different times, of which this is the latest"},
		{"within a quarter of an hour", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).proves("a.txt", "m", day("09:00:00"), 4500, 30),
			"2026-03-14 09:59:30+16m0.999999s | ages | 09:57:30 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:15:30 UTC: " +
				"line 1 shows the age of Node/m, of which objects has the creation"},
		{"two proofs that agree", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).proves("a.txt", "m", day("09:30:00"), 1820, 20),
			"2026-03-14 10:00:00+30.999999s | ages | 09:50:15 derived | from a time between 2026-03-14 10:00:00 and 2026-03-14 10:00:30 UTC: " +
				"line 1 shows the age of Node/m, of which objects has the creation"},
		{"of two files the later", new(bundleOf).shows("c.txt", 600).proves("a.txt", "n", day("09:00:00"), 3600, 30).proves("b.txt", "m",
			day("09:00:00"), 4200, 30), "2026-03-14 10:09:30+1m0.999999s | ages | 10:00:00 derived | from a time between 2026-03-14 10:09:30 and " +
			"2026-03-14 10:10:30 UTC, as in b.txt: line 1 shows the age of Node/m, of which objects has the creation"},
		{"of two files of one time the first by name", new(bundleOf).shows("c.txt", 600).proves("b.txt", "n", day("09:00:00"), 3600,
			30).proves("a.txt", "m", day("09:00:00"), 3600, 30),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC, as " +
				"in a.txt: line 1 shows the age of Node/m, of which objects has the creation"},
		{"a pod of a generated name", pod(row(), "a.txt", "db-6c5d7f9b84-xk2lp", day("09:00:00"), 3600),
			"2026-03-14 09:59:30+1m0.999999s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: " +
				"line 2 shows the age of Pod/prod/db-6c5d7f9b84-xk2lp, of which objects has the creation"},
		{"a pod whose name comes back, and others are later", pod(row(), "a.txt", "db-0", day("09:00:00"), 3600).knows(day("10:20:00")),
			"2026-03-14 10:20:00 | newest-time | 09:50:00 assumed | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC, " +
				"assumed: line 2 shows the age of Pod/prod/db-0, of which objects has the creation, but other inputs are later, and the object may " +
				"have come back under its name | PROBLEM a.txt: its ages count back from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 " +
				"UTC, assumed: line 2 shows the age of Pod/prod/db-0, of which objects has the creation, but other inputs are later, and the object " +
				"may have come back under its name"},
		{"a pod of a generated name, and others are later", pod(row(), "a.txt", "db-6c5d7f9b84-xk2lp", day("09:00:00"),
			3600).knows(day("10:20:00")), "2026-03-14 10:20:00 | newest-time | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and " +
			"2026-03-14 10:00:30 UTC: line 2 shows the age of Pod/prod/db-6c5d7f9b84-xk2lp, of which objects has the creation"},
		{"a row that would be printed before something in its own file", row().proves("a.txt", "n", day("09:00:00"), 3600,
			30).knows(day("10:02:00"), func(o *model.Observation) { o.Input = "a.txt" }),
			"2026-03-14 10:02:00 | newest-time | 09:52:00 assumed | from 2026-03-14 10:02:00, assumed: nothing tells when they were printed | " +
				"PROBLEM a.txt: its ages count back from a time of collection that nothing records; used: 2026-03-14 10:02:00. Only the time differences " +
				"between its lines are certain; --collected-at says when it was collected"},
		{"by a minute", row().proves("a.txt", "n", day("09:00:00"), 3600, 30).knows(day("10:01:30"),
			func(o *model.Observation) { o.Input = "a.txt" }),
			"2026-03-14 09:59:30+2m0s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:30 and 2026-03-14 10:00:30 UTC: line 1 " +
				"shows the age of Node/n, of which objects has the creation"},
		{"an Event of the row", row().knows(day("09:50:00"), report),
			"2026-03-14 09:59:59+2s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:59 and 2026-03-14 10:00:01 UTC: line 3 " +
				"shows the age of what events dates"},
		{"two Events of it", row().knows(day("09:50:00"), report).knows(day("09:51:00"), report), "2026-03-14 09:51:00 | newest-time | 00:00:00"},
		{"two Events of a second", row().knows(day("09:50:00"), report).knows(day("09:50:01"), report),
			"2026-03-14 09:59:59+2s | ages | 09:50:00 derived | from a time between 2026-03-14 09:59:59 and 2026-03-14 10:00:01 UTC: line 3 " +
				"shows the age of what events dates"},
		{"an Event that stands for two", row().knows(day("09:50:00"), report, func(o *model.Observation) { o.Count = 2 }),
			"2026-03-14 09:50:00 | newest-time | 00:00:00"},
		{"an Event of another volume", row().knows(day("09:50:00"), report, func(o *model.Observation) { o.Volume.PersistentVolume = "pvc-2" }),
			"2026-03-14 09:50:00 | newest-time | 00:00:00"},
		{"a log line of the volume", row().knows(day("09:50:00"), report, func(o *model.Observation) { o.Source.Kind = model.SourceLog }),
			"2026-03-14 09:50:00 | newest-time | 00:00:00"},
	} {
		if got := tt.b.counted(); got != tt.want {
			t.Errorf("%s:\n%s", tt.rule, got)
		}
	}
}

// TestStandIn: what the dates on an axis stand for where they are not known.
func TestStandIn(t *testing.T) {
	const from, to = "0-03-14 08:00:00", "0-03-14 10:00:00"
	log := func() *bundleOf { return new(bundleOf).log("a.log", "kube-controller-manager", from, to) }
	undated := func(kind model.Kind, detail string) *bundleOf {
		b := new(bundleOf).file("a.txt")
		b.Observations = []model.Observation{{Kind: kind, Input: "a.txt", Detail: detail, Node: "node-b",
			Volume: model.VolumeID{PersistentVolume: "pvc-1"}, Source: model.Source{Kind: model.SourceText}, Age: ages(600, 1)}}
		return b
	}
	endlessLog := func(b *bundleOf) *bundleOf {
		b.Inputs = append(b.Inputs, model.Input{Path: "e.log", Floating: true})
		return b
	}
	for _, tt := range []struct {
		rule string
		b    *bundleOf
		want string
	}{
		{"a log without a year", log(), "year Nothing tells the year; month, day and time of day are as in the logs. 2000-03-14 10:00:00"},
		{"moved from a zone", log().said(func(s *model.Supplied) { s.LogZone = time.FixedZone("x", 3600) }),
			"year Nothing tells the year. Times are UTC. 2000-03-14 09:00:00"},
		{"in the zone of another", log().dated("b.log", "kube-controller-manager", "2026-03-14 08:00:00", "2026-03-14 09:00:00", time.Hour),
			"year Nothing tells the year. Times are UTC. 2000-03-14 09:00:00"},
		{"in UTC as another", log().dated("b.log", "kube-controller-manager", "2026-03-14 08:00:00", "2026-03-14 09:00:00", 0),
			"year Nothing tells the year; month, day and time of day are as in the logs. 2000-03-14 10:00:00"},
		{"moved, beside one that is not", log().log("c.log", "kubelet", from, to).dated("b.log", "kube-controller-manager",
			"2026-03-14 08:00:00", "2026-03-14 09:00:00", time.Hour).dated("d.log", "kubelet", "2026-03-14 08:00:00", "2026-03-14 09:00:00", 0),
			"year Nothing tells the year. Times are UTC. 2000-03-14 09:00:00 2000-03-14 10:00:00"},
		{"a year that is known, beside an empty log", endlessLog(log().said(func(s *model.Supplied) { s.Year = 2026 })),
			"nil 2026-03-14 10:00:00"},
		{"a year that is known", log().said(func(s *model.Supplied) { s.Year = 2026 }), "nil 2026-03-14 10:00:00"},
		{"a report without a date", undated(model.MultiAttach, ""),
			"date T is the first report of a wait; nothing tells its date. 1990-01-01 12:00:00"},
		{"a refusal without a date", undated(model.AttachFailed, "volume is already attached to node node-z"),
			"date T is the first report of a wait; nothing tells its date. 1990-01-01 12:00:00"},
		{"another error without a date", undated(model.AttachFailed, "x"),
			"date T is the collection; nothing tells its date. 1990-01-01 11:50:00"},
		{"something else of that text", undated(model.DetachFailed, "volume is already attached to node node-z"),
			"date T is the collection; nothing tells its date. 1990-01-01 11:50:00"},
		{"all is known", new(bundleOf).knows("2026-03-14 10:00:00"), "nil 2026-03-14 10:00:00"},
	} {
		a := facts.Clocks(&tt.b.Snapshot)
		got := "nil"
		if s := a.StandIn(); s != nil {
			got = string(s.Missing) + " " + s.Means
		}
		for _, o := range a.Observations {
			got += " " + o.At.At.Format("2006-01-02 15:04:05")
		}
		if got != tt.want {
			t.Errorf("%s:\n%s", tt.rule, got)
		}
	}
}
