package logfile

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

const head = "2026-03-14T09:26:53.8Z I0314 09:26:53.841223       1 "

func readText(text string, hint Hint) Result { return Read(strings.NewReader(text), "x.log", hint) }

// at is a klog line of a kube-controller-manager, some seconds after noon, as a collector with time stamps has it.
func at(seconds float64, rest string) string {
	t := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
	return t.Format("2006-01-02T15:04:05.000000000Z") + " I" + t.Format("0102 15:04:05.000000") + "       1 " + rest + "\n"
}

func kinds(r Result) string {
	var out []string
	for _, o := range r.Observations {
		out = append(out, fmt.Sprintf("%s x%d", o.Kind, o.Count))
	}
	return strings.Join(out, ", ")
}

func TestInput(t *testing.T) {
	reconciler := head + `reconciler.go:1] attacherDetacher.DetachVolume started for volume "p" (UniqueName: "u") on node "n" ` + "\n"
	for _, c := range []struct {
		name, text    string
		hint          Hint
		kind, com     string
		records, used int
		problems      int
	}{
		{"empty", "", Hint{}, model.InputEmpty, "", 0, 0, 0},
		{"binary", strings.Repeat("\x00\xff\n", 100), Hint{}, model.InputUnread, "", 0, 0, 1},
		{"controller", reconciler + head + "x.go:1] y\n", Hint{}, "log/kube-controller-manager", "kube-controller-manager", 2, 1, 0},
		{"content before container", reconciler, Hint{Container: "kube-scheduler"}, "log/kube-controller-manager", "kube-controller-manager", 1,
			1, 0},
		{"container", head + "x.go:1] y\n", Hint{Container: "csi-attacher"}, "log/external-attacher", "external-attacher", 1, 0, 0},
		{"unknown", head + "x.go:1] y\n", Hint{Container: "app"}, "log", "", 1, 0, 0},
		{"apiserver", head + "cacher.go:1] y\n" + head + `flags.go:1] FLAG: --v="2"` + "\n", Hint{}, "log/kube-apiserver", "kube-apiserver", 2, 0,
			0},
		{"torn header", reconciler[:60], Hint{}, model.InputUnread, "", 0, 0, 1},
		{"torn message", reconciler[:90], Hint{}, "log/kube-controller-manager", "kube-controller-manager", 1, 0, 0},
		{"lines before", "torn off\n" + reconciler, Hint{}, "log/kube-controller-manager", "kube-controller-manager", 1, 1, 1},
		{"zone key with NUL", head + "node_lifecycle_controller.go:1] Controller detected that zone a:\x00:b is now in state Normal.\n", Hint{},
			"log/kube-controller-manager", "kube-controller-manager", 1, 1, 0},
	} {
		r := readText(c.text, c.hint)
		in := r.Input
		if in.Kind != c.kind || in.Component != c.com || in.Records != c.records || in.Used != c.used || in.Used+in.Skipped != in.Records ||
			len(r.Problems) != c.problems {
			t.Errorf("%s: %+v %+v", c.name, in, r.Problems)
		}
		if in.Bytes != int64(len(c.text)) || (in.From != nil) != (c.records > 0) {
			t.Errorf("%s: %d bytes, from %v", c.name, in.Bytes, in.From)
		}
		for _, o := range r.Observations {
			if o.Source.Path != "x.log" || o.Input != "x.log" || o.Source.Line == 0 || o.Component == "" || o.Source.Kind != model.SourceLog {
				t.Errorf("%s: %+v", c.name, o)
			}
		}
	}
}

func TestReaderError(t *testing.T) {
	r := Read(io.MultiReader(strings.NewReader(head+"x.go:1] y\n"), failing{}), "x.log", Hint{})
	if r.Input.Records != 1 || len(r.Problems) != 1 || r.Problems[0].Severity != model.Failure {
		t.Errorf("%+v", r)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestFloating(t *testing.T) {
	r := readText("I1231 23:59:59.000000       1 attach_detach_controller.go:1] Starting attach detach controller\nI0101 "+
		"00:00:09.000000       1 attach_detach_controller.go:1] Shutting down attach detach controller\n", Hint{})
	if !r.Input.Floating || r.Input.From.Year() != 0 || r.Input.To.Year() != 1 || !r.Observations[0].Floating || r.Input.ZoneOffset != nil {
		t.Errorf("%+v", r.Input)
	}
	r = readText("2026-03-14T09:33:01.1Z I0314 15:03:01.112233       1 attach_detach_controller.go:1] Starting attach detach controller\n",
		Hint{})
	if r.Input.Floating || r.Input.ZoneOffset == nil || *r.Input.ZoneOffset != 330*time.Minute ||
		r.Observations[0].At.At.Format(time.RFC3339Nano) != "2026-03-14T09:33:01.112233Z" {
		t.Errorf("%+v", r.Input)
	}
}

func TestRepetitions(t *testing.T) {
	const mounted = `reconciler.go:1] "Cannot detach volume because it is still mounted" node="n" volumeName="u"`
	const other = `reconciler.go:1] "Cannot detach volume because it is still mounted" node="m" volumeName="u"`
	const started = `reconciler.go:1] "attacherDetacher.AttachVolume started" volumeName="u" nodeName="n" scheduledPods=["a/b"]`
	const succeeded = `operation_generator.go:1] AttachVolume.Attach succeeded for volume "p" (UniqueName: "u") from node "n" `
	const failed = `nestedpendingoperations.go:1] Operation for "{volumeName:u podName: nodeName:}" failed. No retries permitted until ` +
		`2026-03-14 12:00:0%d. Error: DetachVolume.Detach failed for volume "p" (UniqueName: "u") on node "n" : %s`
	const timeout = `csi_attacher.go:1] kubernetes.io/csi: Detach timeout after 2m0s [volume=h; attachment.ID=csi-1]`
	const timedOut = `nestedpendingoperations.go:1] Operation for "{volumeName:kubernetes.io/csi/d^h podName: nodeName:}" failed. No ` +
		`retries permitted until x. Error: DetachVolume.Detach failed for volume "p" (UniqueName: "kubernetes.io/csi/d^h") on node "n" : timed ` +
		`out waiting for external-attacher of unknown CSI driver to detach volume h`
	for _, c := range []struct{ name, text, want string }{
		{"ten times a second", at(0, mounted) + at(0.1, mounted) + at(0.2, mounted), "detach-still-mounted x3"},
		{"another node", at(0, mounted) + at(0.1, other) + at(0.2, mounted), "detach-still-mounted x2, detach-still-mounted x1"},
		{"after a long silence", at(0, mounted) + at(3000, mounted), "detach-still-mounted x1, detach-still-mounted x1"},
		{"retries", at(0, started) + at(1, started) + at(2, succeeded), "attach-started x2, attach-succeeded x1"},
		{"a new attach after a success", at(0, started) + at(1, succeeded) + at(20, started),
			"attach-started x1, attach-succeeded x1, attach-started x1"},
		{"same error", at(0, fmt.Sprintf(failed, 1, "boom")) + at(1, fmt.Sprintf(failed, 2, "boom")), "detach-failed x2"},
		{"another error", at(0, fmt.Sprintf(failed, 1, "boom")) + at(1, fmt.Sprintf(failed, 2, "bang")), "detach-failed x1, detach-failed x1"},
		{"never the decisive line", at(0, `reconciler.go:1] Multi-Attach error for volume "p" (UniqueName: "u") from node "n" x`) + at(0,
			`reconciler.go:1] Multi-Attach error for volume "p" (UniqueName: "u") from node "n" x`), "multi-attach x1, multi-attach x1"},
		{"start logged twice", at(0, `attach_detach_controller.go:1] "Starting attach detach controller"`) + at(0.01,
			`controllermanager.go:1] "Started controller" controller="attachdetach"`), "controller-started x2"},
		{"one timeout on two lines", at(0, timeout) + at(0.001, timedOut), "operation-timeout x1, detach-failed x1"},
		{"a timeout on the second line only", at(0, timedOut), "detach-failed x1, operation-timeout x1"},
	} {
		if got := kinds(readText(c.text, Hint{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	r := readText(at(0, mounted)+at(0.1, mounted)+at(5, mounted), Hint{})
	if d := r.Observations[0].Last.At.Sub(r.Observations[0].At.At); d != 5*time.Second {
		t.Errorf("run lasts %v", d)
	}
	if r.Input.Used != 3 {
		t.Errorf("%d used", r.Input.Used)
	}
}

func TestHeartbeats(t *testing.T) {
	missed := func(d string) string {
		return `node_lifecycle_controller.go:1] "Node hasn't been updated" node="n" duration="` + d + `" nodeConditionType="Ready"`
	}
	const begin = `x.go:1] long before`
	const election = `leaderelection.go:1] successfully acquired lease kube-system/kube-controller-manager`
	for _, c := range []struct{ name, text, want string }{
		{"one outage", at(-900, begin) + at(0, missed("40s")) + at(5, missed("45s")), "node-heartbeat-missed x2, node-heartbeat x1"},
		{"two outages", at(-900, begin) + at(0, missed("40s")) + at(5, missed("45s")) + at(300, missed("40s")),
			"node-heartbeat-missed x2, node-heartbeat x1, node-heartbeat-missed x1, node-heartbeat x1"},
		{"a leader that just came", at(-900, begin) + at(-45, election) + at(0, missed("40s")), "leader-acquired x1, node-heartbeat-missed x1"},
		{"before the log begins", at(-30, begin) + at(0, missed("40s")), "node-heartbeat-missed x1"},
		{"no duration", at(-900, begin) + at(0, missed("soon")), "node-heartbeat-missed x1"},
	} {
		if got := kinds(readText(c.text, Hint{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	r := readText(at(-900, begin)+at(-899, `flags.go:1] FLAG: --node-monitor-period="2s"`)+at(0, missed("40s")), Hint{})
	beat := r.Observations[2].At
	if beat.Latest.Sub(beat.Earliest) != 2500*time.Millisecond || beat.Basis != model.Derived {
		t.Errorf("%+v", beat)
	}
}

// A controller that has just started finds nodes not ready without knowing since when.
func TestReadinessAfterStart(t *testing.T) {
	const begin = `x.go:1] long before`
	const election = `leaderelection.go:1] successfully acquired lease kube-system/kube-controller-manager`
	const unresponsive = `node_lifecycle_controller.go:1] "Node is unresponsive. Adding it to the Taint queue" node="n" timeStamp="x"`
	for _, c := range []struct{ name, text, want string }{
		{"running", at(0, unresponsive), "node-not-ready x1"},
		{"just started", at(-5, election) + at(0, unresponsive), "leader-acquired x1"},
		{"started before", at(-60, election) + at(0, unresponsive), "leader-acquired x1, node-not-ready x1"},
	} {
		if got := kinds(readText(at(-900, begin)+c.text, Hint{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTooManyStatements(t *testing.T) {
	r := readText(strings.Repeat("I0314 09:26:53.841223       1 gc_controller.go:1] PodGC is force deleting Pod: a/p\n", maxObservations+5),
		Hint{})
	if len(r.Observations) != maxObservations || len(r.Problems) != 1 || r.Problems[0].Line != maxObservations+1 {
		t.Errorf("%d observations, %+v", len(r.Observations), r.Problems)
	}
}

// TestQuoted: messages alone among other lines are a person's quotation; one with a header, or with a time, is of a log.
func TestQuoted(t *testing.T) {
	const (
		message = `attacherDetacher.DetachVolume started for volume "pv-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") on node "elm-1"` + "\n"
		prose   = "This is what the controller wrote before it gave up.\n"
		header  = "I0405 10:00:01.000000       1 reconciler.go:224] "
	)
	for _, c := range []struct {
		text string
		want bool
	}{
		{prose + message, true}, {message + prose, true}, {message, false}, {prose, true}, {header + message, false}, {prose + header + message, false},
		{prose + "2026-04-05T10:00:01Z " + message, false}, {prose + message + header + message, false},
	} {
		if got := Quoted([]byte(c.text)); got != c.want {
			t.Errorf("%q is a quotation: %t", c.text, got)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, text, component string
		ok                    bool
	}{
		{"klog", head + "x.go:1] y\n", "", true},
		{"klog json", `{"ts":1773480413841.2231,"caller":"reconciler/reconciler.go:398","msg":"attacherDetacher.AttachVolume started","v":0}`,
			"kube-controller-manager", true},
		{"docker", `{"log":"W0314 09:26:53.841223       1 csi_handler.go:344] y\n","stream":"stderr","time":"2026-03-14T09:26:53.841400123Z"}`,
			"external-attacher", true},
		{"recorder", head + `event.go:258] Event(v1.ObjectReference{Kind:"Pod"}): type: 'Normal' reason: 'x' y`, "", true},
		{"cut at 64 KiB", head + "csi_handler.go:1] " + strings.Repeat("x", 64<<10), "external-attacher", true},
		{"application", "2026-11-21T06:12:35.000000000Z 2026-11-21 06:12:35 INFO listening on :8080\n", "", false},
		{"zap", `{"level":"info","ts":1773480413.8,"msg":"a"}`, "", false},
		{"manifest", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n", "", false},
		{"manifest that quotes a log", "apiVersion: v1\nkind: ConfigMap\ndata:\n  log: |\n    I0314 09:26:53.841223       1 reconciler.go:1] x\n",
			"", false},
		{"json manifest", `{"apiVersion":"v1","kind":"List","items":[]}`, "", false},
		{"empty", "", "", false},
		{"binary", "\x00\x01\x02\xff", "", false},
	} {
		if component, ok := Sniff([]byte(c.text)); component != c.component || ok != c.ok {
			t.Errorf("%s: %q %v", c.name, component, ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(at(0, `reconciler.go:1] Multi-Attach error for volume "p" (UniqueName: "u") from node "n" Volume is already used by pods a/b on `+
		`node c`))
	f.Add(at(0, `node_lifecycle_controller.go:1] "Node hasn't been updated" node="n" duration="40s"`))
	f.Add("I1231 23:59:59.000000 1 flags.go:1] FLAG: --node-monitor-period=\"-5s\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		Sniff([]byte(text))
		r := readText(text, Hint{})
		if r.Input.Used < 0 || r.Input.Used+r.Input.Skipped != r.Input.Records || r.Input.Bytes != int64(len(text)) {
			t.Fatalf("%+v", r.Input)
		}
		for _, o := range r.Observations {
			if o.Count < 1 || o.At.Latest.Before(o.At.Earliest) || !strings.Contains(text, o.Quote.Text) {
				t.Fatalf("%+v", o)
			}
		}
	})
}
