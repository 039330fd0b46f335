package logfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// Repetitions and last signs of life come out the same whatever the order of the lines.
func TestOrder(t *testing.T) {
	const missed = `node_lifecycle_controller.go:1] "Node hasn't been updated" node="n" duration="%s" nodeConditionType="Ready"`
	lines := []string{
		at(-900, `x.go:1] long before`),
		at(0, fmt.Sprintf(missed, "40s")), at(5, fmt.Sprintf(missed, "45s")),
		at(10, `reconciler.go:1] "attacherDetacher.AttachVolume started" volumeName="u" nodeName="n" scheduledPods=["a/b"]`),
		at(12, `reconciler.go:1] "attacherDetacher.AttachVolume started" volumeName="u" nodeName="n" scheduledPods=["a/b"]`),
		at(14, `operation_generator.go:1] AttachVolume.Attach succeeded for volume "p" (UniqueName: "u") from node "n" `),
		at(30, `reconciler.go:1] "attacherDetacher.AttachVolume started" volumeName="u" nodeName="n" scheduledPods=["a/b"]`),
	}
	const want = "node-heartbeat-missed x2, node-heartbeat x1, attach-started x2, attach-succeeded x1, attach-started x1"
	r := readText(strings.Join(lines, ""), Hint{})
	if got := kinds(r); got != want || len(r.Problems) != 0 {
		t.Errorf("in order: %s %+v", got, r.Problems)
	}
	slices.Reverse(lines)
	r = readText(strings.Join(lines, ""), Hint{})
	if got := kinds(r); got != want || len(r.Problems) != 1 || r.Problems[0].Line != 2 || r.Observations[0].Source.Line != 6 {
		t.Errorf("newest first: %s %+v", got, r.Problems)
	}
	lines[1], lines[4] = lines[4], lines[1]
	if got := kinds(readText(strings.Join(lines, ""), Hint{})); got != want {
		t.Errorf("in no order: %s", got)
	}
}

// In one journal of k3s each line is of its own component, and a statement that any may make is nobody's.
func TestOneProcess(t *testing.T) {
	const unit = "2026-03-14T12:00:0%d+0000 h k3s[1]: I0314 12:00:0%d.000000       1 %s\n"
	line := func(s int, text string) string { return fmt.Sprintf(unit, s, s, text) }
	text := line(0, `kubelet.go:1] "Pod is terminated, but some volumes have not been cleaned up" pod="a/b" podUID="u"`) +
		line(1, `kubelet.go:1] something else`) + line(2, `kubelet.go:1] something else`) +
		line(3, `reconciler.go:1] attacherDetacher.DetachVolume started for volume "p" (UniqueName: "u") on node "n" `) +
		line(4, `flags.go:64] FLAG: --v="4"`)
	r := readText(text, Hint{})
	if r.Input.Component != "kube-controller-manager" || len(r.Observations) != 3 {
		t.Fatalf("%+v %s", r.Input, kinds(r))
	}
	if o := r.Observations[0]; o.Component != "kubelet" || o.Node != "h" || o.Kind != model.UnmountFailed {
		t.Errorf("%+v", o)
	}
	if o := r.Observations[1]; o.Component != "kube-controller-manager" || o.Node != "n" {
		t.Errorf("%+v", o)
	}
	if o := r.Observations[2]; o.Component != "" {
		t.Errorf("%+v", o)
	}
	// A unit of the kubelet alone is the kubelet's throughout.
	r = readText(strings.ReplaceAll(line(4, `flags.go:64] FLAG: --v="4"`)+line(1, `kubelet.go:1] x`), "k3s[", "kubelet["), Hint{})
	if r.Observations[0].Component != "kubelet" {
		t.Errorf("%+v", r.Observations)
	}
}

// Up to 1.22 the line before names the node of the pods that become not ready.
func TestMarking(t *testing.T) {
	const nodeA, nodeB = `controller_utils.go:1] Update ready status of pods on node [a]`, `controller_utils.go:1] Update ready status of ` +
		`pods on node [b]`
	const pod = `controller_utils.go:1] Updating ready status of pod p to false`
	const event = `event.go:1] Event(v1.ObjectReference{Kind:"Node", Name:"a"}): type: 'Normal' reason: 'X' y`
	for _, c := range []struct{ name, text, want string }{
		{"named", at(0, nodeA) + at(0.1, pod), "a"},
		{"an event between", at(0, nodeA) + at(0.1, event) + at(0.2, pod), "a"},
		{"a second pod", at(0, nodeA) + at(0.1, strings.Replace(pod, " p ", " q ", 1)) + at(0.2, pod), "a"},
		{"the next node", at(0, nodeA) + at(0.1, strings.Replace(pod, " p ", " q ", 1)) + at(0.2, nodeB) + at(0.3, pod), "b"},
		{"two at once", at(0, nodeA) + at(0.1, nodeB) + at(0.2, pod), ""},
		{"another line between", at(0, nodeA) + at(0.1, `x.go:1] y`) + at(0.2, pod), ""},
		{"never named", at(0.1, pod), ""},
	} {
		r := readText(c.text, Hint{})
		o := r.Observations[len(r.Observations)-1]
		if o.Kind != model.PodNotReady || o.Pod.Name != "p" || o.Node != c.want {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}

// An exporter's JSON is an Event; the same text in another program's log is nothing.
func TestExportedEvent(t *testing.T) {
	const message = `Multi-Attach error for volume \"pvc-1\" Volume is already exclusively attached to one node and can't be attached to ` +
		`another`
	r := readText(`{"reason":"FailedAttachVolume","message":"`+message+
		`","count":2,"firstTimestamp":"2026-03-14T09:26:53Z","lastTimestamp":"2026-03-14T09:27:53Z","involvedObject":{"kind":"Pod",`+
		`"namespace":"n","name":"p","uid":"u"},"source":{"component":"attachdetach-controller"}}`+"\n", Hint{})
	if len(r.Observations) != 1 {
		t.Fatalf("%+v", r)
	}
	o := r.Observations[0]
	if o.Kind != model.MultiAttach || o.Pod != model.PodRef("n", "p", "u") || o.Volume.PersistentVolume != "pvc-1" || o.Count != 2 ||
		o.Source.Kind != model.SourceEvent || o.Last.At.Sub(o.At.At).Seconds() != 60 || o.At.Latest.Equal(o.At.Earliest) {
		t.Errorf("%+v", o)
	}
	r = readText(`{"level":"info","message":"the pod p failed: FailedAttachVolume: `+message+`","time":"2026-03-14T09:26:53Z"}`+"\n", Hint{})
	if len(r.Observations) != 0 {
		t.Errorf("%+v", r.Observations)
	}
}

// Logs of applications are not ours, in whatever they are wrapped.
func TestSniffOfApplications(t *testing.T) {
	for _, text := range []string{
		`{"log":"GET /healthz 200\n","stream":"stdout","time":"2026-03-14T09:26:53.8Z"}` + "\n",
		`{"events":[{"timestamp":1773480413841,"message":"START RequestId: 1"},{"timestamp":1773480413842,"message":"END"}]}`,
		`{"level":"error","msg":"attach failed","ts":1773480413.8,"caller":"attacher/attacher.go:12"}` + "\n",
		`[{"textPayload":"hello","severity":"INFO","timestamp":"2026-03-14T09:26:53Z","resource":{"labels":{"container_name":"app"}}}]`,
		"Mar 14 09:26:53 h sshd[1]: Accepted publickey\nMar 14 09:26:54 h kernel: usb 1-1\n",
		"p c 2026-03-14T09:26:53Z listening\n",
		"time=\"2026-03-14T09:26:53Z\" level=info msg=\"Attaching volume\" file=\"main.go:1\"\n",
		"timestamp,level,message\n2026-03-14T09:26:53Z,info,hello\n",
		"INFO 2025-04-18T20:16:24.146149064Z successfully renewed lease kube-system/external-resizer\n",
	} {
		if c, ok := Sniff([]byte(text)); ok {
			t.Errorf("taken for a log of %q: %s", c, text)
		}
	}
}

// Where summer time ends, a clock that names no zone says the same hour twice: which of the two a line is of is not known.
func TestHourThatRepeats(t *testing.T) {
	line := func(clock string) string { return "I1025 " + clock + "       1 a.go:1] x\n" }
	for name, tt := range map[string]struct {
		log  string
		want int // line of the problem
	}{
		"summer time ends": {line("02:58:00.000000") + line("02:59:59.000000") + line("02:00:01.000000") + line("03:00:00.000000"), 3},
		"in order":         {line("02:58:00.000000") + line("02:59:59.000000") + line("03:00:01.000000"), 0},
		"newest first":     {line("02:59:00.000000") + line("02:40:00.000000") + line("02:20:00.000000"), 0},
		"another log":      {line("02:59:59.000000") + line("01:10:00.000000") + line("03:00:00.000000"), 0},
		"with a zone":      {"2026-10-25T00:59:59.1Z " + line("02:59:59.000000") + "2026-10-25T01:00:01.1Z " + line("02:00:01.000000"), 0},
	} {
		got := 0
		for _, p := range readText(tt.log, Hint{}).Problems {
			if strings.Contains(p.Message, "goes back by an hour") {
				got = p.Line
			}
		}
		if got != tt.want {
			t.Errorf("%s: told of line %d, want %d", name, got, tt.want)
		}
	}
}
