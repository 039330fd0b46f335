package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestSaid: each row is one thing that is said, with what it says.
func TestSaid(t *testing.T) {
	in, open := New(advised()).Incident[0], New(advised()).Incident[0]
	open.Span.Open = true
	withheld := New(advised()).Incident[0]
	withheld.Model = &model.ReplayModel{Withheld: "x"}
	remedy, maria, zero, at := "delete-node", "maria", model.Moment{}, second(65)
	saved := func(best float64) *model.Range { return &model.Range{Best: best, Min: best, Max: best} }
	act := func(in *IncidentView, d model.DoneAct) string { return in.doneView(d).Line() }
	option := func(in *IncidentView, o model.Option) string { return in.optionView(o).Sentence() }
	volume := func(claim, pv, unique string) model.IncidentVolume {
		return model.IncidentVolume{Claim: &model.Ref{Name: claim}, PersistentVolume: pv, UniqueName: unique}
	}
	unhashed := func(claim string) string {
		return (&IncidentView{Incident: model.Incident{Volume: volume(claim, "pvc-1", "d^h")}}).Unhashed("csi-0123456789abcdef of d^h and pvc-1")
	}
	half := model.Moment{At: second(0).At, Earliest: second(0).At, Latest: second(0.5).At}
	nearly := model.Moment{At: second(0).At, Earliest: second(0).At, Latest: second(0.499).At}
	how := func(how model.CollectedHow) string { m := second(0); return Collection(&m, how, "never") }
	change := func(c string, before, after *model.Range, unfinished string) string {
		by := saved(-3)
		return phaseWord(model.PhaseChange{Change: c, Before: before, After: after, By: by, Unfinished: unfinished})
	}
	writers := func(n int) string {
		r := advised()
		r.Incidents[0].IntegrityWindow = &model.IntegrityWindow{RanOn: true, From: second(1)}
		r.Incidents[0].Volume.PersistentVolume = "v"
		for range n - 1 {
			r.Incidents = append(r.Incidents, r.Incidents[0])
		}
		return New(r).twoWriters()
	}
	unread := func(holds string, n int) string {
		r := &model.Report{}
		for i := range n {
			r.Bundle.Unreadable = append(r.Bundle.Unreadable, model.Unreadable{Path: fmt.Sprint("p", i), Why: "denied", Holds: holds})
		}
		return New(r).withheld()
	}
	for _, row := range []struct{ name, got, want string }{
		{"an act", act(in, model.DoneAct{What: "Pod deleted.", At: &at, Effect: model.ActEnded}), "10:01:05 Pod deleted, by an unknown user: ended the wait"},
		{"an act without a time", act(in, model.DoneAct{What: "Pod deleted", At: &zero, Effect: model.ActEnded}), "Pod deleted, by an unknown user: ended the wait"},
		{"an act in vain", act(open, model.DoneAct{What: "x", By: &maria, Remedy: &remedy, Effect: model.ActNone}), "X, by maria: has not ended the wait"},
		{"an act in vain, over", act(in, model.DoneAct{What: "x", Remedy: &remedy, Effect: model.ActNone}), "X, by an unknown user"},
		{"an act that is no remedy", act(open, model.DoneAct{What: "maria did it", By: &maria, Effect: model.ActNone}), "Maria did it"},
		{"an act that names its user", act(in, model.DoneAct{What: "by maria", By: &maria, Effect: model.ActCaused}), "By maria: caused the wait"},
		{"weighed at nothing", act(in, model.DoneAct{What: "x", By: &maria, Saved: saved(0.2), Effect: model.ActNone}), "X, by maria: changed nothing"},
		{"not weighed", act(withheld, model.DoneAct{What: "x", By: &maria, Saved: saved(0), Effect: model.ActNone}), "X, by maria: its effect is not known"},
		{"a saving", act(in, model.DoneAct{What: "x", By: &maria, Saved: saved(0.5), Effect: model.ActEnded}), "X, by maria: ended the wait; saved 0.5 s"},
		{"a cost", act(in, model.DoneAct{What: "x", By: &maria, Saved: saved(-0.5), Effect: model.ActEnded}), "X, by maria: ended the wait; cost 0.5 s"},
		{"next to nothing", act(in, model.DoneAct{What: "x", By: &maria, Saved: saved(-0.4), Effect: model.ActEnded}), "X, by maria: ended the wait"},

		{"an option", option(in, model.Option{Remedy: "r", Saved: saved(60), DataRisk: model.RiskNone}), "1 min sooner; no data risk."},
		{"of an open wait", option(open, model.Option{Remedy: "r", Saved: saved(60), ReadyAt: &at, DataRisk: model.RiskCertain}),
			"1 min sooner: Ready at 10:01:05; data risk: certain."},
		{"one that is too late", option(in, model.Option{Remedy: "r", Saved: saved(-60), ReadyAt: &zero, DataRisk: model.RiskNone}), "1 min later; no data risk."},
		{"one that changes nothing", option(in, model.Option{Remedy: "r", Saved: saved(0.4), DataRisk: model.RiskNone}), "Saves nothing here; no data risk."},
		{"one that is not known", option(in, model.Option{Remedy: "r", Why: "Withheld: it turns. The end is not seen; more.", DataRisk: model.RiskNone}),
			"No data risk. Saving not known: the end is not seen."},
		{"one for now", option(in, model.Option{Remedy: "rollout-undo", Anchor: model.AnchorCollection, ReadyAt: &model.Moment{At: second(660).At,
			Earliest: second(650).At, Latest: second(670).At}, DataRisk: model.RiskNone}), "Over in 50 s–1 min 10 s if done now; no data risk."},
		{"commands that read", option(in, model.Option{Why: "Look first."}), "Look first; these commands only read."},

		{"a volume by its claim", VolumeName(volume("data", "pvc-1", "d^h")), "data"}, {"by its PersistentVolume", VolumeName(volume("", "pvc-1", "d^h")), "pvc-1"},
		{"by its unique name", VolumeName(volume("", "", "d^h")), "d^h"},
		{"without hashes", unhashed("data"), " of data and data"}, {"without a claim", unhashed(""), " of d^h and pvc-1"},
		{"the record", holder{None: "it is in-tree", Node: "n"}.Text(), "The controller's own record (it is in-tree) on n"},
		{"an attachment", holder{Attachment: "csi-1", Short: "csi-1", None: "x", Inferred: true, Because: "it waits"}.Text(), "Likely VolumeAttachment csi-1. it waits"},
		{"no name", holder{Unasked: "Nobody asked"}.Text(), "A VolumeAttachment (none is shown). Nobody asked"},
		{"many objects", Refs(make([]model.Ref, 52))[98:], ", and 2 more"}, {"as many as are shown", Refs(make([]model.Ref, 50)), strings.Repeat(", ", 49)},
		{"a place", Place(model.Source{Path: "a", Line: 3, Field: "f", Series: "s"}), "a:3 f s"}, {"a file", Place(model.Source{Path: "a"}), "a"},
		{"an anchor", Anchor("a-B.9_x/"), "a-B.9_5f_x_2f_"},
		{"a list", Listed([]string{"a", "b", "c"}, 2), "a; b; and 1 more"}, {"a short list", Listed([]string{"a", "b"}, 2), "a; b"},

		{"to half a second", Dated(half), "2026-03-14 10:00:00 UTC"}, {"to milliseconds", Dated(nearly), "2026-03-14 10:00:00.000 UTC"},
		{"after T", Offset(second(0).At, second(3723.4).At), "T+1:02:03.4"}, {"before T", Offset(second(65).At, second(0).At), "T−01:05.0"},
		{"recorded", how(model.CollectedRecorded), "2026-03-14 10:00:00.000 UTC"}, {"named", how(model.CollectedNamed), "2026-03-14 10:00:00.000 UTC, by the name of what it lies in"},
		{"by ages", how(model.CollectedAges), "2026-03-14 10:00:00.000 UTC, from an age and a date of the same thing"},
		{"supplied", how(model.CollectedSupplied), "2026-03-14 10:00:00.000 UTC, set by --collected-at"}, {"not collected", Collection(nil, "", "never"), "never"},
		{"at once", Lead(0), "at once"}, {"before", Lead(2), "2 s before"}, {"after", Lead(-2), "2 s after"},

		{"a phase, shorter", change("shorter", saved(9), saved(6), ""), "9 s → 6 s, shorter by 3 s"}, {"longer", change("longer", saved(6), saved(9), ""), "6 s → 9 s, longer by −3 s"},
		{"the same", change("same", saved(9), saved(9), "both"), "9 s, unchanged; has ended in neither"},
		{"nearly the same", change("same", saved(9), saved(8), "before"), "9 s → 8 s, the same within what is known; had not ended in the first"},
		{"new", change("new", nil, saved(8), "after"), "8 s, only in the second; has not ended in the second"}, {"gone", change("gone", saved(8), nil, ""), "8 s, only in the first"},

		{"both write", writers(1), "Both nodes could write to volume v from 10:00:01 on:  ran on after the detach. Check the volume's file system and the application's data."},
		{"many do", writers(3)[len("Both nodes could write to volume v from 10:00:01 on:  ran on after the detach"):],
			", and so for 2 other volumes. Check the volume's file system and the application's data."},
		{"not read", unread("Pod", 1), "1 path of the bundle could not be read (denied): p0. What is there was collected, and is missing here."},
		{"many not read", unread("Pod", 5), "5 paths of the bundle could not be read (denied): p0, p1, p2, and 2 more. What is there was collected, and is missing here."},
		{"prose", unread(model.HoldsProse, 4), "Not understood: p0, p1, p2, and 1 more (denied)."},
		{"saved by a remedy", savedText(model.FleetRemedy{Helps: 3, Unknown: 1, SecondsSaved: *saved(9)}), "9 s, of 1 not known"},
		{"nothing known of it", savedText(model.FleetRemedy{Helps: 1, Unknown: 1}), "not known"},
	} {
		if row.got != row.want {
			t.Errorf("%s: %q, want %q", row.name, row.got, row.want)
		}
	}
}

// TestHeads: what an option's moment is taken from, in the head above it.
func TestHeads(t *testing.T) {
	for anchor, want := range map[model.Anchor]string{model.AnchorAct: "Better at that moment", model.AnchorAlert: "Better at the first alert",
		model.AnchorReport: "Better at the first report", model.AnchorJustified: "Better as soon as the evidence justified it",
		model.AnchorCollection: "What to do now", model.AnchorBefore: "Better before it began"} {
		if got := anchorHead(anchor); got != want {
			t.Errorf("%s: %q, want %q", anchor, got, want)
		}
	}
}

// TestAway: the way from a volume leads to its claim and attachments, to pods and owners, and to nodes, and never back.
func TestAway(t *testing.T) {
	for _, leads := range []string{"PersistentVolume PersistentVolumeClaim", "PersistentVolume VolumeAttachment", "PersistentVolumeClaim Pod", "Pod Node",
		"Pod ReplicaSet", "ReplicaSet Deployment", "VolumeAttachment Node"} {
		from, to, _ := strings.Cut(leads, " ")
		if !away(from, to) || from != "ReplicaSet" && away(to, from) {
			t.Errorf("%s: %v, and back %v", leads, away(from, to), away(to, from))
		}
	}
	if away("VolumeAttachment", "Pod") || away("Node", "Deployment") || away("Deployment", "Node") || away("Pod", "Pod") {
		t.Error("it leads to what is of another volume")
	}
}

// TestAlertRows: of several firings the first that belongs to an incident is told, against the wait of its incident.
func TestAlertRows(t *testing.T) {
	r, id, other := advised(), "i", "gone"
	lead := 10.0
	fires := func(s float64, of *string) model.Firing {
		return model.Firing{From: second(s).At, Incident: of, LeadSeconds: &lead}
	}
	r.Alerts = []model.Alert{
		{Name: "a", Origin: "builtin", Severity: "critical", Over: model.OverMetrics, Result: "fired", Recorded: []model.Firing{fires(1, nil), fires(2, nil)},
			Firings: []model.Firing{fires(60, &id), fires(40, &id), fires(10, nil)}},
		{Name: "b", Origin: "rules.yaml", Line: 7, Over: model.OverMetrics, Result: "fired", Firings: []model.Firing{fires(595, &id)}},
		{Name: "c", Origin: "seed", Result: "fired", Firings: []model.Firing{fires(5, &other)}},
	}
	var got []string
	for _, a := range New(r).AlertRows() {
		got = append(got, strings.Join([]string{a.Source, a.At, a.Lead, a.Left, fmt.Sprint(a.Seen, a.Beside), a.Served}, "|"))
	}
	want := []string{"recommended, critical|10:00:40|10 s before|9 min 10 s before its end|1 1|2026-03-14 10:00:01 UTC and 1 more times",
		"rules.yaml:7|10:09:55|10 s before|after its end|1 0|no", "popular rule|10:00:05|10 s before||1 0|"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// TestInputSums: inputs of one kind are one row, with the earliest and the latest time of them.
func TestInputSums(t *testing.T) {
	at := func(s float64) *time.Time { m := second(s).At; return &m }
	got := InputSums([]model.Input{{Kind: "log", Records: 1, Bytes: 10, From: at(5), To: at(6)}, {Kind: "yaml"}, {Kind: "log", Records: 2, From: at(1), To: at(9)},
		{Kind: "log", From: at(3), To: at(4)}})
	if len(got) != 2 || got[0].Text() != "3 files, 3 records, 10 bytes, from 2026-03-14 10:00:01 to 2026-03-14 10:00:09 UTC" || got[1].Text() != "1 file, 0 records, 0 bytes" {
		t.Errorf("%q", Each(got, InputSum.Text))
	}
}

// TestStoryTimes: a story's offset is that of its own times, and of the collection only where it has none.
func TestStoryTimes(t *testing.T) {
	r, at := advised(), second(-86400*150)
	r.Bundle.CapturedAt = &at
	if first, last := storyOf(r); !first.Equal(second(0).At) || !last.Equal(second(600).At) {
		t.Errorf("from %s to %s", first, last)
	}
	r.Incidents = nil
	if first, _ := storyOf(r); !first.Equal(at.At) {
		t.Errorf("from %s", first)
	}
	r.Bundle.StandIn = &model.StandIn{}
	if wallsOf(r, time.FixedZone("x", 3600)) != nil {
		t.Error("times without dates have a zone")
	}
}
