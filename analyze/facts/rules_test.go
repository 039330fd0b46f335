package facts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

var day = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

// said is a statement so many seconds after noon, by a source.
func said(kind model.Kind, source model.SourceKind, after float64, how ...func(*model.Observation)) model.Observation {
	o := model.Observation{Kind: kind, Input: "a.txt", At: model.Exactly(day.Add(secondsOf(after))), Count: 1,
		Source: model.Source{Kind: source, Path: "a.txt", Line: 1}, Quote: model.Quote{Text: string(kind)}}
	for _, h := range how {
		h(&o)
	}
	o.Last = o.At
	return o
}

func timelessly(o *model.Observation) { o.At = model.Moment{} }

func aged(best, slack float64) func(*model.Observation) {
	return func(o *model.Observation) {
		o.Age = &model.Range{Best: best, Min: best, Max: best + slack}
		timelessly(o)
	}
}

// TestInstants: what is known of instants, and which windows hold a time.
func TestInstants(t *testing.T) {
	at := func(second float64) Instant { return Instant{Moment: model.Exactly(day.Add(secondsOf(second)))} }
	for _, c := range []struct {
		a, b Instant
		want bool
	}{{at(0), at(1), true}, {at(1), at(1), false}, {at(2), at(1), false}, {Instant{}, at(1), false}, {at(0), Instant{}, false}} {
		if got := c.a.Before(c.b); got != c.want {
			t.Errorf("%v before %v: %v", c.a, c.b, got)
		}
	}
	counted := at(0)
	counted.Basis, counted.Witness = model.Assumed, []*model.Observation{{Age: &model.Range{}}}
	if got := counted.NoLaterThan(); got.Format(time.RFC3339) != "9999-12-31T00:00:00Z" || !at(0).NoLaterThan().Equal(day) {
		t.Error(got)
	}
	for _, how := range []func(*Instant){func(i *Instant) { i.Basis = model.Observed }, func(i *Instant) { i.Witness = nil }, func(i *Instant) { i.Witness = []*model.Observation{{}} }} {
		i := counted
		if how(&i); !i.NoLaterThan().Equal(day) {
			t.Errorf("%+v", i)
		}
	}
	for text, c := range map[string]struct {
		w    Window
		want string
	}{"after": {After(day), "01"}, "before": {Before(day), "-10"}, "during": {During(day, day), "0"}, "open": {Window{}, "-101"}} {
		got := ""
		for n := -1; n <= 1; n++ {
			if c.w.Holds(day.Add(time.Duration(n))) {
				got += fmt.Sprint(n)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for d, want := range map[time.Duration]string{0: "UTC", 90 * time.Minute: "UTC+01:30", -time.Hour: "UTC-01:00", 14 * time.Hour: "UTC+14:00"} {
		if got := zoneName(d); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
}

// TestPasted: what has to be placed by an age, or for want of one.
func TestPasted(t *testing.T) {
	elsewhere := func(o *model.Observation) {
		o.Detail, o.Node = "volume is already attached to another instance", "node-b"
	}
	for _, c := range []struct {
		name string
		o    model.Observation
		want bool
	}{
		{"a report without a time", said(model.MultiAttach, model.SourceLog, 0, timelessly), true},
		{"one with a time", said(model.MultiAttach, model.SourceLog, 0), false},
		{"a refusal because another has it", said(model.AttachFailed, model.SourceLog, 0, timelessly, elsewhere), true},
		{"of a mount", said(model.MountFailed, model.SourceLog, 0, timelessly, elsewhere), true},
		{"by the driver", said(model.AttacherFailed, model.SourceLog, 0, timelessly, elsewhere), false},
		{"another refusal", said(model.AttachFailed, model.SourceLog, 0, timelessly), false},
		{"the error of a detach in an object", said(model.AttachmentDetachError, model.SourceManifest, 0, timelessly), true},
		{"in a text", said(model.DetachFailed, model.SourceText, 0, timelessly), true},
		{"in a log", said(model.DetachFailed, model.SourceLog, 0, timelessly), false},
		{"a row with an age", said(model.PodScheduled, model.SourceText, 0, aged(60, 60)), true},
		{"a row without", said(model.PodScheduled, model.SourceText, 0, timelessly), false},
		{"an attachment that is not attached", said(model.AttachmentPending, model.SourceText, 0, timelessly), true},
		{"in an object", said(model.AttachmentPending, model.SourceManifest, 0, timelessly), false},
	} {
		if got := pasted(&c.o); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := settled([]model.Observation{c.o}); got == c.want {
			t.Errorf("%s is settled: %v", c.name, got)
		}
	}
	floating := said(model.MultiAttach, model.SourceLog, 0, func(o *model.Observation) { o.Floating = true })
	if settled([]model.Observation{floating}) || settled([]model.Observation{said(model.NodeReady, model.SourceLog, 1), said(model.NodeReady, model.SourceLog, 0)}) {
		t.Error("what floats, or is not in order, is settled")
	}
	const notHere = "rpc error: code = Internal desc = could not find device path /dev/disk/by-id/x"
	for _, c := range []struct {
		kind   model.Kind
		detail string
		want   bool
	}{{model.MountFailed, "throttled", false}, {model.AttachFailed, notHere, false}} {
		if got := StorageRefuses(&model.Observation{Kind: c.kind, Detail: c.detail}, "node-b"); got != c.want {
			t.Errorf("%s %s: %v", c.kind, c.detail, got)
		}
	}
}

// TestPrintedRows: which rows a newer one ends, and which rows tell a state.
func TestPrintedRows(t *testing.T) {
	row := func(kind model.Kind, input string, line int, how ...func(*model.Observation)) model.Observation {
		return said(kind, model.SourceText, 0, append(how, func(o *model.Observation) { o.Input, o.Source.Line = input, line })...)
	}
	node := func(kind model.Kind, input string, line int) model.Observation {
		return row(kind, input, line, timelessly, func(o *model.Observation) { o.Node = "node-a" })
	}
	pod := func(name string, kind model.Kind, input string, line int) model.Observation {
		return row(kind, input, line, timelessly, func(o *model.Observation) { o.Pod = model.PodRef("prod", name, "") })
	}
	listed := func(namespace string, line int) model.Observation {
		return row(model.ObjectShown, "a.txt", line, timelessly, func(o *model.Observation) {
			o.Object, o.Detail, o.AllNamespaces = model.Ref{Kind: "Pod", Namespace: namespace}, model.Listing, namespace == ""
		})
	}
	event := func(line int, age float64, how ...func(*model.Observation)) model.Observation {
		return row(model.MultiAttach, "a.txt", line, append([]func(*model.Observation){aged(age, 1), func(o *model.Observation) { o.Pod = model.PodRef("prod", "p", "") }}, how...)...)
	}
	old := func(input string, line int, age float64) model.Aged {
		return model.Aged{Input: input, Source: model.Source{Line: line}, Age: model.Range{Best: age, Min: age, Max: age + 1}}
	}
	const generated = "web-6c5d7f9b84-xk2lp"
	for _, c := range []struct {
		name string
		list []model.Observation
		ages []model.Aged
		want string
	}{
		{"a Node in two texts, of which one has it older", []model.Observation{node(model.NodeReady, "a.txt", 1), node(model.NodeNotReady, "b.txt", 1)},
			[]model.Aged{old("a.txt", 1, 100), old("b.txt", 1, 200)}, "a.txt:1"},
		{"as old", []model.Observation{node(model.NodeReady, "a.txt", 1), node(model.NodeNotReady, "b.txt", 1)}, []model.Aged{old("a.txt", 1, 100), old("b.txt", 1, 101)}, ""},
		{"one has no age", []model.Observation{node(model.NodeReady, "a.txt", 1), node(model.NodeNotReady, "b.txt", 1)}, []model.Aged{old("b.txt", 1, 200)}, ""},
		{"a pod whose name does not come back", []model.Observation{pod(generated, model.PodReady, "a.txt", 1), pod(generated, model.PodNotReady, "b.txt", 1)},
			[]model.Aged{old("a.txt", 1, 100), old("b.txt", 1, 200)}, "a.txt:1"},
		{"one whose name does", []model.Observation{pod("web-0", model.PodReady, "a.txt", 1), pod("web-0", model.PodNotReady, "b.txt", 1)},
			[]model.Aged{old("a.txt", 1, 100), old("b.txt", 1, 200)}, ""},
		{"the newest of three in one text", []model.Observation{node(model.NodeReady, "a.txt", 1), node(model.NodeNotReady, "a.txt", 5), node(model.NodeReady, "a.txt", 3)}, nil, "a.txt:1 a.txt:3"},
		{"a pod that a later list of its namespace lacks", []model.Observation{pod("web-0", model.PodReady, "a.txt", 1), listed("prod", 5)}, nil, "a.txt:1"},
		{"that a later list of all lacks", []model.Observation{pod("web-0", model.PodReady, "a.txt", 1), listed("", 5)}, nil, "a.txt:1"},
		{"of another namespace", []model.Observation{pod("web-0", model.PodReady, "a.txt", 1), listed("dev", 5)}, nil, ""},
		{"of another text", []model.Observation{pod("web-0", model.PodReady, "b.txt", 1), listed("prod", 5)}, nil, ""},
		{"that the later list has", []model.Observation{pod("web-0", model.PodReady, "a.txt", 1), listed("prod", 5),
			pod("web-0", model.PodReady, "a.txt", 6)}, nil, ""},
		{"an event printed twice, the later below", []model.Observation{event(1, 60), event(9, 90)}, nil, "a.txt:1"},
		{"the later above", []model.Observation{event(9, 60), event(1, 90)}, nil, ""},
		{"in the other order", []model.Observation{event(9, 90), event(1, 60)}, nil, "a.txt:1"},
		{"of one age", []model.Observation{event(1, 60), event(9, 61)}, nil, ""},
		{"of two pods", []model.Observation{event(1, 60), event(9, 90, func(o *model.Observation) { o.Pod.Name = "q" })}, nil, ""},
		{"of nothing with a name", []model.Observation{event(1, 60, func(o *model.Observation) { o.Pod.Name = "" }), event(9, 90, func(o *model.Observation) { o.Pod.Name = "" })}, nil, ""},
		{"of a log", []model.Observation{event(1, 60, func(o *model.Observation) { o.Source.Kind = model.SourceLog }), event(9, 90)}, nil, ""},
	} {
		var got []string
		out := outdated(&model.Snapshot{Aged: c.ages}, c.list)
		for i := range c.list {
			if o := &c.list[i]; out[o] {
				got = append(got, fmt.Sprintf("%s:%d", o.Input, o.Source.Line))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		list []model.Observation
		want bool
	}{
		{[]model.Observation{pod("web-0", model.PodScheduled, "a.txt", 1), listed("prod", 5)}, true},
		{[]model.Observation{pod("web-0", model.PodScheduled, "a.txt", 1), listed("dev", 5)}, false},
		{[]model.Observation{pod("web-0", model.PodScheduled, "a.txt", 1), pod("web-0", model.PodScheduled, "a.txt", 6), listed("prod", 5)}, false},
		{[]model.Observation{listed("prod", 5)}, false},
	} {
		if w := NewWorld(&model.Snapshot{Observations: c.list}); w.Unlisted(model.PodRef("prod", "web-0", "")) != c.want {
			t.Errorf("%+v: want %t", c.list, c.want)
		}
	}
	shown := func(kind, detail string) model.Observation {
		return row(model.ObjectShown, "a.txt", 1, timelessly, func(o *model.Observation) {
			o.Object, o.Detail = model.Ref{Kind: kind, Namespace: "prod", Name: "x"}, detail
		})
	}
	for _, c := range []struct {
		o    model.Observation
		want string
	}{
		{shown("PersistentVolumeClaim", "Bound"), "PersistentVolumeClaim/prod/x"}, {shown("PersistentVolume", "Released"), "PersistentVolume/prod/x"},
		{shown("Pod", "Running"), ""}, {shown("PersistentVolume", ""), ""}, {shown("PersistentVolume", "a=b"), ""}, {shown("PersistentVolume", "a b"), ""},
		{node(model.NodeReady, "a.txt", 1), "Node/node-a"}, {pod("p", model.PodFinished, "a.txt", 1), "Pod/prod/p"},
		{said(model.NodeReady, model.SourceText, 0, func(o *model.Observation) { o.Node = "a" }), ""},
		{said(model.AttachmentPending, model.SourceText, 0, func(o *model.Observation) { o.Attachment = "va" }), "VolumeAttachment/va"},
		{said(model.AttachmentPending, model.SourceText, 0, aged(1, 1), func(o *model.Observation) { o.Attachment = "va" }), ""},
		{said(model.NodeReady, model.SourceManifest, 0, timelessly, func(o *model.Observation) { o.Node = "a" }), ""},
	} {
		got := ""
		if ref := PrintedState(&c.o); ref.Name != "" {
			got = ref.Key()
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.o.Kind, c.o.Detail, got, c.want)
		}
	}
}

// TestProofs: when a file was printed, by the age of an object or of an event that something else dates.
func TestProofs(t *testing.T) {
	p := &printed{floor: map[string]time.Time{"a.txt": day}}
	live := func(after float64) birth { return birth{model.WholeSecond(day.Add(secondsOf(after))), "pods.yaml"} }
	a := &model.Aged{Input: "a.txt", Object: model.PodRef("prod", "web-0", ""), Age: model.Range{Best: 60, Min: 60, Max: 61}}
	for _, c := range []struct {
		name  string
		lives []birth
		one   bool
	}{
		{"one life", []birth{live(0)}, true}, {"none", nil, false}, {"two", []birth{live(0), live(100)}, false},
		{"one, the other would be before what the file dates", []birth{live(0), live(-500)}, true},
		{"a minute before it", []birth{live(-121)}, true}, {"more", []birth{live(-124)}, false},
	} {
		if _, one := p.ofObject(a, c.lives); one != c.one {
			t.Errorf("%s: %v", c.name, one)
		}
	}
	dates := func(source model.SourceKind, kind model.Kind, after float64, how ...func(*model.Observation)) model.Observation {
		return said(kind, source, after, append(how, func(o *model.Observation) { o.Pod = model.PodRef("prod", "web-0", ""); o.Input = "events.yaml" })...)
	}
	claimed := func(o *model.Observation) { o.Volume.PersistentVolume = "pv" }
	for _, c := range []struct {
		name string
		list []model.Observation
		kind model.Kind
		want bool
	}{
		{"the scheduling in an object", []model.Observation{dates(model.SourceManifest, model.PodScheduled, 0)}, model.PodScheduled, true},
		{"in an Event", []model.Observation{dates(model.SourceEvent, model.PodScheduled, 0)}, model.PodScheduled, true},
		{"in both", []model.Observation{dates(model.SourceEvent, model.PodScheduled, 0), dates(model.SourceManifest, model.PodScheduled, 1)}, model.PodScheduled, true},
		{"two of one pod", []model.Observation{dates(model.SourceEvent, model.PodScheduled, 0), dates(model.SourceEvent, model.PodScheduled, 2)}, model.PodScheduled, false},
		{"in a log", []model.Observation{dates(model.SourceLog, model.PodScheduled, 0)}, model.PodScheduled, false},
		{"an object of another kind", []model.Observation{dates(model.SourceManifest, model.MultiAttach, 0, claimed)}, model.MultiAttach, false},
		{"a report", []model.Observation{dates(model.SourceEvent, model.MultiAttach, 0, claimed)}, model.MultiAttach, true},
		{"one that came again", []model.Observation{dates(model.SourceEvent, model.MultiAttach, 0, claimed, func(o *model.Observation) { o.Count = 2 })}, model.MultiAttach, false},
		{"an assumed time", []model.Observation{dates(model.SourceEvent, model.PodScheduled, 0, func(o *model.Observation) { o.At.Basis = model.Assumed })}, model.PodScheduled, false},
	} {
		row := said(c.kind, model.SourceText, 0, aged(60, 1), claimed, func(o *model.Observation) { o.Pod = model.PodRef("prod", "web-0", "") })
		if _, got := newDatedEvents(c.list).first(&row); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	made := func(source model.SourceKind, kind model.Kind, how ...func(*model.Observation)) model.Observation {
		return dates(source, kind, 0, append(how, func(o *model.Observation) { o.Attachment = "va" })...)
	}
	s := &model.Snapshot{Pods: []model.Object[*corev1.Pod]{{Ref: model.PodRef("prod", "web-0", "u"), Input: "pods.yaml",
		Content: model.Whole(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(day.Add(time.Hour))}})}}}
	for _, c := range []struct {
		o    model.Observation
		of   model.Ref
		want int
	}{
		{made(model.SourceAudit, model.PodCreated), model.PodRef("prod", "web-0", ""), 2}, {made(model.SourceManifest, model.PodCreated), model.PodRef("prod", "web-0", ""), 1},
		{made(model.SourceAudit, model.PodScheduled), model.PodRef("prod", "web-0", ""), 1}, {made(model.SourceAudit, model.PodCreated), model.PodRef("test", "web-0", ""), 0},
		{made(model.SourceAudit, model.PodScheduled), model.PodRef("", "web-0", ""), 1},
		{made(model.SourceAudit, model.AttachmentCreated), model.Ref{Kind: "VolumeAttachment", Name: "va"}, 1},
		{made(model.SourceAudit, model.AttachmentCreated), model.Ref{Kind: "VolumeAttachment", Name: "vb"}, 0},
		{made(model.SourceAudit, model.PodCreated, func(o *model.Observation) { o.Age = &model.Range{} }), model.PodRef("prod", "web-0", ""), 1},
	} {
		if got := newBirths(s, []model.Observation{c.o}).of(c.of); len(got) != c.want {
			t.Errorf("%s %s: %d births of %s, want %d", c.o.Kind, c.o.Source.Kind, len(got), c.of.Key(), c.want)
		}
	}
}

// TestVotes: the year and zone in which a line and an Event tell of one happening, a minute apart at most.
func TestVotes(t *testing.T) {
	claimed := func(o *model.Observation) { o.Volume.PersistentVolume = "pv" }
	index := newSightings([]model.Observation{said(model.MultiAttach, model.SourceEvent, 0, claimed), said(model.MultiAttach, model.SourceLog, 5, claimed),
		said(model.MultiAttach, model.SourceEvent, 7, claimed, timelessly)})
	for _, c := range []struct {
		shift time.Duration
		want  string
	}{
		{0, "2026 0s 0s"}, {30 * time.Second, "2026 0s -30s"}, {time.Minute, "2026 0s -1m0s"}, {61 * time.Second, "none"}, {2 * time.Hour, "2026 2h0m0s 0s"},
		{-5*time.Hour - 30*time.Minute, "2026 -5h30m0s 0s"}, {14 * time.Hour, "2026 14h0m0s 0s"}, {15 * time.Hour, "none"}, {7 * time.Minute, "none"},
	} {
		line := said(model.MultiAttach, model.SourceLog, 0, claimed, func(o *model.Observation) {
			o.Floating, o.At = true, model.Exactly(time.Date(0, day.Month(), day.Day(), 12, 0, 0, 0, time.UTC).Add(c.shift))
		})
		got := "none"
		if v, residuals, ok := winner(index.votes([]*model.Observation{&line})); ok {
			got = fmt.Sprintf("%d %s %s", v.year, v.zone, residuals[0])
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.shift, got, c.want)
		}
	}
	for _, d := range [][]time.Duration{{1, 2, 9}, {9, 2, 1}} {
		if median(d) != 2 || spread(d) != 7 || spread([]time.Duration{-9, 0, 1}) != 9 {
			t.Error(median(d), spread(d))
		}
	}
	if d, ok := nearest([]time.Time{day, day.Add(time.Minute)}, day.Add(40*time.Second)); !ok || d != 20*time.Second {
		t.Error(d)
	}
}

// TestOneHandle: what is known only by a handle that two volumes have admits what both admit.
func TestOneHandle(t *testing.T) {
	volume := func(name string, modes ...corev1.PersistentVolumeAccessMode) model.Object[*corev1.PersistentVolume] {
		pv := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}}
		pv.Spec.CSI, pv.Spec.AccessModes = &corev1.CSIPersistentVolumeSource{Driver: "d", VolumeHandle: "h"}, modes
		return model.Object[*corev1.PersistentVolume]{Ref: model.Ref{Kind: "PersistentVolume", Name: name}, Content: model.Whole(pv)}
	}
	for _, c := range []struct {
		a, b []corev1.PersistentVolumeAccessMode
		want int
	}{
		{[]corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, 1},
		{[]corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}, 0},
		{[]corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, nil, 0},
		{[]corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}, nil, 0},
	} {
		w := NewWorld(&model.Snapshot{PersistentVolumes: []model.Object[*corev1.PersistentVolume]{volume("pv-1", c.a...), volume("pv-2", c.b...)}})
		if v := w.Volumes.Find(model.VolumeID{Handle: "h"}); !v.Either || len(v.Access) != c.want {
			t.Errorf("%v and %v: %+v", c.a, c.b, v)
		}
	}
	for _, c := range []struct {
		driver string
		need   *bool
		want   string
	}{{"d", new(false), "the driver d asks for no attach"}, {"d", new(true), ""}, {"d", nil, ""}, {"e", new(false), ""}} {
		driver := &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: c.driver}, Spec: storagev1.CSIDriverSpec{AttachRequired: c.need}}
		w := NewWorld(&model.Snapshot{PersistentVolumes: []model.Object[*corev1.PersistentVolume]{volume("pv-1")},
			CSIDrivers: []model.Object[*storagev1.CSIDriver]{{Ref: model.Ref{Kind: "CSIDriver", Name: c.driver}, Content: model.Whole(driver)}}})
		if why, _ := w.Attachless(w.Volumes.All[0]); why != c.want {
			t.Errorf("%s: %q", c.driver, why)
		}
	}
}

// TestOutages: the first record of the newest outage; and what metrics leave undecided.
func TestOutages(t *testing.T) {
	for text, want := range map[string]string{"": "", "R": "", "n": "0", "Rn": "1", "nn": "0", "nRn": "2", "nRnn": "2", "nR": "0", "np": "0", "pn": "1"} {
		var list []*model.Observation
		for i, c := range text {
			kind := map[rune]model.Kind{'R': model.NodeReady, 'n': model.NodeNotReady, 'p': model.NodeNotReady}[c]
			o := said(kind, model.SourceEvent, float64(i))
			if c == 'p' {
				o.Pod.Name = "p"
			}
			list = append(list, &o)
		}
		got := ""
		if o := LastTransition(list, Window{}); o != nil {
			got = fmt.Sprint(int(o.At.At.Sub(day).Seconds()))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	lasting := func(o model.Observation, seconds float64) model.Observation {
		o.Last = model.Exactly(o.At.At.Add(secondsOf(seconds)))
		return o
	}
	pod, id := model.PodRef("prod", "p", "u"), model.VolumeID{PersistentVolume: "pv"}
	sampled := func(seconds float64, detail string) model.Observation {
		return lasting(said(model.WaitsSampled, model.SourceMetric, 0, func(o *model.Observation) { o.Detail = detail }), seconds)
	}
	bound := said(model.VolumeBound, model.SourceMetric, 0, func(o *model.Observation) { o.Volume, o.Pods = id, []model.Ref{pod} })
	waits := lasting(said(model.PodWaiting, model.SourceMetric, 100, func(o *model.Observation) { o.Pod, o.Node = pod, "b" }), 100)
	held := func(node string, from, to float64) model.Observation {
		return lasting(said(model.AttachmentSampled, model.SourceMetric, from, func(o *model.Observation) { o.Volume, o.Node, o.Attachment = id, node, "va" }), to-from)
	}
	for _, c := range []struct {
		name string
		list []model.Observation
		want bool
	}{
		{"a minute", []model.Observation{sampled(60, "")}, true}, {"less", []model.Observation{sampled(59, "")}, false}, {"none", nil, false},
		{"with a pause", []model.Observation{sampled(600, "12:01 to 12:02")}, false},
		{"a pod waits for what another node has", []model.Observation{sampled(600, ""), bound, waits, held("a", 0, 300)}, false},
		{"its own node", []model.Observation{sampled(600, ""), bound, waits, held("b", 0, 300)}, true},
		{"only before", []model.Observation{sampled(600, ""), bound, waits, held("a", 0, 99)}, true},
		{"only after", []model.Observation{sampled(600, ""), bound, waits, held("a", 201, 300)}, true},
		{"it waits for another", []model.Observation{sampled(600, ""), waits, held("a", 0, 300)}, true},
		{"for one of which is known that it is for many", []model.Observation{sampled(600, ""), bound, waits, held("a", 0, 300),
			said(model.AttachStarted, model.SourceLog, 0, func(o *model.Observation) { o.Volume, o.Access = id, []string{"ReadWriteMany"} })}, true},
	} {
		s := &model.Snapshot{Observations: c.list}
		model.SortObservations(s.Observations)
		if got := NewWorld(s).MetricsCover() != nil; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestFound: of two incarnations the one with the higher resourceVersion, unless a UID says which, and none of another kind.
func TestFound(t *testing.T) {
	pod := func(name, uid string, version int64, claim string) model.Object[*corev1.Pod] {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: name}}
		if claim != "" {
			p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}}}
		}
		return model.Object[*corev1.Pod]{Ref: model.PodRef("prod", name, uid), ResourceVersion: uint64(version), Content: model.Whole(p)}
	}
	w := NewWorld(&model.Snapshot{Pods: []model.Object[*corev1.Pod]{pod("a", "1", 5, "data"), pod("b", "2", 7, ""), pod("b", "3", 6, "data"), pod("b", "4", 9, "")},
		Observations: []model.Observation{
			said(model.AuthorSaid, model.SourceText, 0, func(o *model.Observation) { o.Node = "node-a" }),
			said(model.NodeReady, model.SourceEvent, 0, func(o *model.Observation) { o.Node = "node-b" })}})
	for _, c := range []struct {
		ref  model.Ref
		want string
	}{
		{model.PodRef("prod", "a", ""), "1"}, {model.PodRef("prod", "b", ""), "4"}, {model.PodRef("prod", "b", "2"), "2"}, {model.PodRef("prod", "b", "3"), "3"},
		{model.PodRef("prod", "b", "9"), ""}, {model.PodRef("prod", "c", ""), ""}, {model.Ref{Kind: "Job", Namespace: "prod", Name: "b"}, ""},
	} {
		if got, _ := Found(w, w.Pods, c.ref); got.Ref.UID != c.want {
			t.Errorf("%v: %q", c.ref, got.Ref.UID)
		}
	}
	if _, ok := Found(w, w.Jobs, model.PodRef("prod", "b", "")); ok {
		t.Error("a pod is found among the Jobs")
	}
	var with []string
	for _, p := range w.PodsWithClaims(func(p model.Object[*corev1.Pod]) bool { return p.Ref.UID != "9" }) {
		with = append(with, p.Ref.UID)
	}
	if got := strings.Join(with, " "); got != "1 3" || len(w.PodsWithClaims(func(model.Object[*corev1.Pod]) bool { return false })) > 0 {
		t.Errorf("with claims: %s", got)
	}
	if len(w.ByNode["node-a"]) != 0 || len(w.ByNode["node-b"]) != 1 {
		t.Errorf("%v", w.ByNode)
	}
	var r Refs
	r.Add(model.PodRef("prod", "x", ""), model.PodRef("prod", "x", "1"), model.PodRef("prod", "x", "2"), model.PodRef("prod", "", "3"))
	if len(r.List) != 2 || r.List[0].UID != "1" || !r.Has(model.PodRef("prod", "x", "")) || !r.Has(model.PodRef("prod", "x", "2")) || r.Has(model.PodRef("prod", "x", "4")) {
		t.Errorf("%v", r.List)
	}
	at := func(from, to int) model.Moment {
		return model.Between(day.Add(time.Duration(from)*time.Minute), day.Add(time.Duration(to)*time.Minute))
	}
	for _, c := range []struct {
		a, b  proof
		why   string
		whole bool
		from  int
	}{
		{proof{at: at(0, 10), why: "a"}, proof{at: at(10, 20), why: "b"}, "b", true, 10},              // they touch at one minute
		{proof{at: at(0, 10), why: "a"}, proof{at: at(25, 26), why: "b"}, "b", true, 0},               // as far apart as one collection can be
		{proof{at: at(0, 10), why: "a"}, proof{at: at(26, 27), why: "b"}, "b", false, 26},             // farther
		{proof{at: at(0, 10), why: "a"}, proof{at: at(5, 15), why: "b"}, "b", true, 5},                // of equal widths the first in order counts
		{proof{at: at(0, 10), why: "a"}, proof{at: at(5, 16), why: "b"}, "a", true, 5},                // else the narrower
		{proof{at: at(0, 1), why: "a", again: true}, proof{at: at(60, 61), why: "b"}, "b", false, 60}, // half of two agree
		{proof{at: at(0, 16), why: "a", again: true}, proof{at: at(31, 32), why: "b"}, "b", true, 0},  // fifteen minutes
		{proof{at: at(0, 1), why: "a"}, proof{at: at(60, 61), why: "b", again: true}, "b", false, 60},
	} {
		got, whole := join([]proof{c.a, c.b})
		if got.why != c.why || whole != c.whole || !got.at.Earliest.Equal(day.Add(time.Duration(c.from)*time.Minute)) {
			t.Errorf("%v and %v: %s, %v, from %s", c.a.at, c.b.at, got.why, whole, got.at.Earliest)
		}
	}
	if !Has(w, model.PodRef("prod", "a", "")) || Has(w, model.PodRef("prod", "c", "")) {
		t.Error("the index has other pods than the bundle")
	}
	one, other := &model.Clock{Year: "2026"}, &model.Clock{OffsetSeconds: 5}
	if explained(nil, other) != other || explained(one, nil) != one || explained(one, other).OffsetSeconds != 5 || one.Year != "2026" {
		t.Errorf("%+v", one)
	}
	of := func(o *model.Observation) { o.Claim = model.Ref{Namespace: "prod", Name: "data"} }
	w = NewWorld(&model.Snapshot{Observations: []model.Observation{said(model.KubernetesEvent, model.SourceManifest, 0, of), said(model.KubernetesEvent, model.SourceEvent, 1, of)}})
	if got := w.ClaimEvents(model.Ref{Namespace: "prod", Name: "data"}); len(got) != 1 || got[0].Source.Kind != model.SourceEvent {
		t.Errorf("about the claim: %v", got)
	}
	if p := (placement{year: 2026}).contradict(model.Supplied{Year: 2020, LogZone: time.UTC}, model.Input{}); len(p) != 0 {
		t.Errorf("of a log without a line: %v", p)
	}
}
