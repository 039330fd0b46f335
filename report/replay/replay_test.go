package replay

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/terminal"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// ofSample is a sample's first incident, with the answer to a question about it if one is asked.
func ofSample(t testing.TB, name string, steps ...analyze.Applied) *Replay {
	t.Helper()
	return replayOf(t, "sample:"+name, func() (fs.FS, error) { return samples.Bundle(name) }, steps)
}

// older is the first incident of a recording that is none of the samples, so that its times do not change with them.
func older(t testing.TB, name string) *Replay {
	t.Helper()
	return replayOf(t, name, func() (fs.FS, error) { return recordings.Bundle(name) }, nil)
}

func replayOf(t testing.TB, root string, open func() (fs.FS, error), steps []analyze.Applied) *Replay {
	t.Helper()
	key := fmt.Sprint(root, steps)
	if kept, ok := replayed.Load(key); ok {
		return kept.(func() *Replay)()
	}
	bundle, err := open()
	if err != nil {
		t.Fatal(err)
	}
	opened := ingest.OpenFS(bundle, root)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := analyze.Run(t.Context(), snapshot, analyze.Options{Version: "test"})
	var answer *model.WhatIf
	if len(steps) > 0 {
		answer, err = analyze.WhatIf(t.Context(), snapshot, analyze.Question{Incident: "1", Applied: steps[0]}, analyze.Options{Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
	}
	again := func() *Replay { return New(r, 0, answer) }
	replayed.Store(key, again)
	return again()
}

// replayed keeps what was read of the recordings, because several tests play the same one.
var replayed sync.Map

func tainted() analyze.Applied {
	return analyze.Applied{Remedy: "out-of-service-taint", When: analyze.When{Kind: analyze.AfterReport, Offset: time.Minute}}
}

// screen is what a terminal of that size shows.
func screen(p *player, width, height int) string {
	var b strings.Builder
	for _, row := range p.frame(width, height) {
		b.WriteString(plainRow(row) + "\n")
	}
	return b.String()
}

// TestReplayScreens keeps what is shown, at the sizes of a telephone, of a terminal as it opens, and of a large one.
func TestReplayScreens(t *testing.T) {
	for _, c := range []struct {
		name, sample  string
		width, height int
		keys          string
		steps         []analyze.Applied
	}{
		{"start", "controller-failover", 80, 24, "", nil},
		{"failover", "controller-failover", 80, 24, "4 n n n n n n n n", nil},
		{"small", "controller-failover", 40, 10, "4 n n n n n n n n", nil},
		{"large", "controller-failover", 200, 50, "end", nil},
		{"evidence", "out-of-service", 80, 24, "4 n n enter", nil},
		{"help", "out-of-service", 80, 24, "?", nil},
		{"open", "unmount-stuck", 80, 24, "end", nil},
		{"whatif", "node-deleted", 80, 24, "5", []analyze.Applied{tainted()}},
		{"whatif-small", "node-deleted", 40, 10, "5", []analyze.Applied{tainted()}},
		{"whatif-large", "statefulset", 200, 50, "end", []analyze.Applied{tainted()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayer(ofSample(t, c.sample, c.steps...), 60)
			p.key("space")
			for _, key := range strings.Fields(c.keys) {
				if p.key(key) {
					t.Fatalf("%s ends the replay", key)
				}
			}
			golden(t, c.name+".txt", screen(p, c.width, c.height))
		})
	}
}

// TestReplayFits: whatever the size, the screen is full and nothing is wider, and each row has something of it.
func TestReplayFits(t *testing.T) {
	for _, steps := range [][]analyze.Applied{nil, {tainted()}} {
		p := newPlayer(ofSample(t, "statefulset", steps...), 60)
		for _, over := range []overlay{noOverlay, evidenceOverlay, helpOverlay} {
			for _, key := range []string{"home", "5", "end"} {
				p.over = noOverlay
				p.key(key)
				p.over = over
				for width := 1; width <= 160; width += 7 {
					for height := 1; height <= 60; height += 3 {
						rows := p.frame(width, height)
						if len(rows) != height {
							t.Fatalf("%dx%d, overlay %d: %d rows", width, height, over, len(rows))
						}
						for _, row := range rows {
							if n := rowColumns(row); n > width {
								t.Fatalf("%dx%d: a row of %d columns: %q", width, height, n, plainRow(row))
							}
						}
					}
				}
			}
		}
	}
	if rows := newPlayer(ofSample(t, "handover"), 1).frame(0, 0); len(rows) != 0 {
		t.Errorf("a terminal without cells has %d rows", len(rows))
	}
}

// TestReplayShowsWhatItTeaches looks for the lesson of a recording on the smallest screen.
func TestReplayShowsWhatItTeaches(t *testing.T) {
	for _, c := range []struct{ sample, at, want string }{
		{"node-lost-nobody-acts", "06:20:00", "timer not started"},
		{"node-lost-nobody-acts", "06:20:00", "not released"},
		{"force-delete", "06:26:57", "timer runs 2 min 59 s of 6 min"},
		{"controller-failover", "06:20:21", "timer runs 1 min 59 s of 6 min, anew with another leader"},
		{"unmount-stuck", "06:31:00", "timer runs 7 min 8 s (the old node is healthy)"},
		{"detach-failing", "06:23:00", "the detach has begun and is not done"},
		{"shared-claim", "06:30:00", "Ready"},
	} {
		p := newPlayer(older(t, c.sample), 60)
		at, err := time.Parse(time.RFC3339, "2026-11-21T"+c.at+"Z")
		if err != nil {
			t.Fatal(err)
		}
		p.move(at)
		if got := screen(p, 100, 10); !strings.Contains(got, c.want) {
			t.Errorf("%s at %s does not show %q:\n%s", c.sample, c.at, c.want, got)
		}
	}
}

func TestReplayPlays(t *testing.T) {
	p := newPlayer(older(t, "force-delete"), 60)
	if !p.playing || !p.at.Equal(p.film.From) {
		t.Fatalf("it begins at %s, playing: %v", p.at, p.playing)
	}
	p.tick(500 * time.Millisecond)
	if got := p.at.Sub(p.film.From); got != 30*time.Second {
		t.Errorf("half a second at 60x is %s", got)
	}
	p.tick(time.Hour) // the machine slept
	if got := p.at.Sub(p.film.From); got != 90*time.Second {
		t.Errorf("after a sleep it is at %s", got)
	}
	p.key("space")
	p.tick(time.Second)
	if got := p.at.Sub(p.film.From); got != 90*time.Second {
		t.Errorf("paused, it moves to %s", got)
	}
	p.key("space")
	p.key("?")
	p.tick(time.Second)
	if got := p.at.Sub(p.film.From); got != 90*time.Second || p.key("?") || p.over != noOverlay {
		t.Errorf("it plays on behind the help: %s", got)
	}
	for range 100 {
		p.tick(time.Second)
	}
	if p.playing || !p.at.Equal(p.end) || p.cursor != len(p.film.Events)-1 {
		t.Errorf("at the end: playing %v at %s, event %d", p.playing, p.at, p.cursor)
	}
	if p.key("space"); !p.playing || !p.at.Equal(p.film.From) {
		t.Errorf("space at the end begins again: %s", p.at)
	}
}

func TestReplayKeys(t *testing.T) {
	p := newPlayer(older(t, "force-delete"), 60)
	press := func(keys ...string) {
		for _, k := range keys {
			if p.key(k) {
				t.Fatalf("%s ends the replay", k)
			}
		}
	}
	phases := p.film.Incident.Phases
	press("]")
	if !p.at.Equal(phases[1].From.At) || p.playing {
		t.Errorf("] goes to %s, playing: %v", p.at, p.playing)
	}
	press("]", "[")
	if !p.at.Equal(phases[1].From.At) {
		t.Errorf("[ goes back to %s", p.at)
	}
	press("3")
	if !p.at.Equal(phases[2].From.At) {
		t.Errorf("3 goes to %s", p.at)
	}
	for range len(phases) + 2 {
		press("]")
	}
	if !p.at.Equal(p.film.To) {
		t.Errorf("] goes no further than %s", p.at)
	}
	press("home")
	first := p.cursor
	press("right", "right", "left")
	if p.cursor != first+1 || !p.at.Equal(p.film.Events[p.cursor].At.At) {
		t.Errorf("two steps forth and one back are event %d at %s", p.cursor, p.at)
	}
	for range len(p.film.Events) + 3 {
		press("left")
	}
	if p.cursor != -1 || !p.at.Equal(p.film.First) {
		t.Errorf("before the first event: %d at %s", p.cursor, p.at)
	}
	for range len(p.film.Events) + 3 {
		press("right")
	}
	if p.cursor != len(p.film.Events)-1 || !p.at.Equal(p.end) {
		t.Errorf("after the last event: %d at %s", p.cursor, p.at)
	}
	press("+", "+", "+", "+")
	fastest := p.speed
	for range 20 {
		press("-")
	}
	if fastest != 600 || p.speed != 1 {
		t.Errorf("speeds from %v to %v", p.speed, fastest)
	}
	press("enter", "down", "down", "right", "x", "9", "F12", "")
	for _, k := range []string{"q", "esc"} {
		if p.over = noOverlay; !p.key(k) {
			t.Errorf("%s does not end the replay", k)
		}
	}
	p.over = helpOverlay
	if p.key("q") || p.over != noOverlay {
		t.Error("q in the help ends more than the help")
	}
}

// TestReplayIsSafe: no name of a bundle can move the cursor, change the writing direction or end a line.
func TestReplayIsSafe(t *testing.T) {
	for _, name := range []string{"rich", "hostile"} {
		written := saved(t, name)
		for i := range written.Incidents[:min(len(written.Incidents), 3)] {
			r := New(written, i, &model.WhatIf{Asked: []string{nasty}, Incident: written.Incidents[i],
				Answer: model.Remediation{ID: nasty, Why: nasty, Effect: "shortens", PredictedPhases: written.Incidents[i].Phases}})
			p := newPlayer(r, 60)
			p.key("space")
			for step := range 40 {
				for _, over := range []overlay{noOverlay, evidenceOverlay, helpOverlay} {
					p.over = over
					for _, row := range p.frame(90, 30) {
						for _, span := range row {
							noControls(t, name, span.Text)
						}
					}
				}
				p.over = noOverlay
				if p.key("right"); step == 0 {
					p.move(p.film.First)
				}
			}
			var b strings.Builder
			if err := r.Plain(context.Background(), &b, 0, nil); err != nil {
				t.Fatal(err)
			}
			noControls(t, name, strings.ReplaceAll(b.String(), "\n", ""))
		}
	}
}

// nasty is a name that moves the cursor, changes the writing direction and ends a line.
const nasty = "<script>\u202egpj\u200b\x00\x1b[31m\xff\nnext\t中文"

// saved is a report of the tests of the formats.
func saved(t *testing.T, name string) *model.Report {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r model.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

var update = flag.Bool("update", false, "rewrite the goldens")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test ./report/replay -update rewrites it)\n got: %s\nwant: %s", path, got, want)
	}
}

func noControls(t *testing.T, name, s string) {
	t.Helper()
	for _, r := range s {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%s: %U in %q", name, r, s)
		}
	}
}

// TestPlainReplayTakesItsTime: what is waited is what passed, divided by the speed.
func TestPlainReplayTakesItsTime(t *testing.T) {
	r := older(t, "force-delete")
	for _, speed := range []float64{1, 60, 600} {
		waited := time.Duration(0)
		var b strings.Builder
		err := r.Plain(context.Background(), &b, speed, func(_ context.Context, d time.Duration) error {
			if d <= 0 {
				t.Errorf("a wait of %s", d)
			}
			waited += d
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := time.Duration(float64(r.film.To.Sub(r.film.From)) / speed)
		if (waited - want).Abs() > time.Millisecond {
			t.Errorf("at %vx it takes %s, want %s", speed, waited, want)
		}
	}
	stop := errors.New("stop")
	var b strings.Builder
	if err := r.Plain(context.Background(), &b, 1, func(context.Context, time.Duration) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a wait that fails ends with %v", err)
	}
	if err := r.Plain(context.Background(), failing{}, 0, nil); err == nil {
		t.Error("a writer that fails is not noticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestFitCutsAtColumns(t *testing.T) {
	for _, c := range []struct {
		row   terminal.Row
		width int
		want  string
	}{
		{terminal.Row{text("abc"), bold("def")}, 6, "abcdef"}, {terminal.Row{text("abc"), bold("def")}, 5, "abcd…"},
		{terminal.Row{text("abc"), bold("def")}, 3, "ab…"}, {terminal.Row{text("中文中文")}, 5, "中文…"}, {terminal.Row{text("中文")}, 4, "中文"},
		{terminal.Row{text("")}, 1, ""}, {terminal.Row{text("ab")}, 1, "…"}, {terminal.Row{text("abc"), text("")}, 3, "abc"},
	} {
		if got := plainRow(fit(c.row, c.width)); got != c.want {
			t.Errorf("%v in %d columns is %q, want %q", c.row, c.width, got, c.want)
		}
	}
}

func TestShortNames(t *testing.T) {
	pod := func(name string) []model.Ref { return []model.Ref{model.PodRef("ns", name, "")} }
	for _, c := range []struct{ from, to, old, text, want string }{
		{"a.x.org", "b.x.org", "web-1", "detach from a.x.org, for b.x.org", "detach from a, for b"},
		{"a.x.org", "b.y.org", "web-1", "detach from a.x.org, for b.y.org", "detach from a.x.org, for b.y.org"},
		{"a.x", "a.x", "web-1", "on a.x", "on a.x"}, {"", "", "web-1", "volume  on ", "volume  on "},
		{".x", "b.x", "web-1", "b.x", "b.x"}, {"a", "b", "web-1", "a b", "a b"},
		{"a", "b", "web-1", "pod ns/web-1 is gone", "the old pod is gone"}, {"a", "b", "web-1", "for pod ns/web-12", "for the new pod"},
		{"a", "b", "web-1", "pod ns/web-123 is Ready", "pod ns/web-123 is Ready"}, {"a", "b", "web-12", "pod ns/web-12 is gone", "pod ns/web-12 is gone"},
	} {
		in := model.Incident{From: model.Place{Node: c.from, Pods: pod(c.old)}, To: model.Place{Node: c.to, Pods: pod("web-12")}}
		if got := New(&model.Report{Incidents: []model.Incident{in}}, 0, nil).short(c.text); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// Where nothing is dated every time is a distance from the report's T, also on the screen.
func TestReplayWithoutDates(t *testing.T) {
	const pasted = `LAST SEEN   TYPE      REASON                   OBJECT     MESSAGE
52m         Warning   FailedAttachVolume       pod/db-0   Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another
46m         Normal    SuccessfulAttachVolume   pod/db-0   AttachVolume.Attach succeeded for volume "pvc-1"
2m5s        Warning   FailedAttachVolume       pod/db-1   Multi-Attach error for volume "pvc-2" Volume is already used by pod(s) db-9
`
	snapshot, err := ingest.Read(context.Background(),
		ingest.OpenFS(fstest.MapFS{"events.txt": {Data: []byte(pasted), Mode: 0o644}}, "bundle"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := analyze.Run(t.Context(), snapshot, analyze.Options{Version: "test"})
	p := newPlayer(New(r, 1, nil), 1)
	shown := screen(p, 100, 40)
	p.over = helpOverlay
	help := screen(p, 100, 60)
	p.over, p.cursor = evidenceOverlay, 0
	if !strings.Contains(shown, "T+50m25s") || !strings.Contains(help, "T is the first report of a wait; nothing tells its date.") {
		t.Errorf("the screen does not say what it counts from:\n%s%s", shown, help)
	}
	if all := shown + help + screen(p, 100, 40); strings.Contains(all, "UTC") || strings.Contains(all, "T+0 is") ||
		strings.Contains(all, "1990") {
		t.Errorf("the screen dates what nothing dates:\n%s", all)
	}
}

// TestReplaySaysThatPodsAreLeftOut: sixteen pods of a side have lanes, and of more it says how many are not.
func TestReplaySaysThatPodsAreLeftOut(t *testing.T) {
	for pods, want := range map[int]string{16: "", 17: "1 more pod of the incident is not followed.",
		20: "4 more pods of the incident are not followed."} {
		in := model.Incident{ID: "i"}
		for n := range pods {
			in.To.Pods = append(in.To.Pods, model.PodRef("shop", fmt.Sprintf("web-%d", n), ""))
			if n < 16 {
				in.Lanes = append(in.Lanes, model.Lane{Object: in.To.Pods[n], Role: model.RoleNewPod})
			}
		}
		in.From.Pods = in.To.Pods[:1] // it counts once
		r := New(&model.Report{Incidents: []model.Incident{in}}, 0, nil)
		var plain strings.Builder
		if err := r.Plain(t.Context(), &plain, 0, nil); err != nil {
			t.Fatal(err)
		}
		p := newPlayer(r, 1)
		p.key("?")
		for where, text := range map[string]string{"plain": plain.String(), "help": screen(p, 100, 40)} {
			if want != "" && !strings.Contains(text, want) || strings.Contains(text, "not followed") != (want != "") {
				t.Errorf("%d pods, %s: no %q in\n%s", pods, where, want, text)
			}
		}
	}
}
