package wait_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// TestCloud: whether a cloud's word is of the old node's machine and the case's volume, and which of its words is the last.
func TestCloud(t *testing.T) {
	const text, audit = model.SourceText, model.SourceAudit
	stops := func(c *wait.Case) any {
		out := ""
		for _, s := range c.Stops() {
			out += fmt.Sprintf("[%s %s %v]", s.Why, span(s.By), s.Cloud)
		}
		return out
	}
	runs := func(c *wait.Case) any { return cited([]*model.Observation{c.CloudRuns()}) }
	from := func(c *wait.Case) any { return c.From }
	holds := func(c *wait.Case) any { return cited([]*model.Observation{c.CloudAttached()}) }
	acts := func(c *wait.Case) any {
		out := ""
		for _, a := range wait.Actions(c) {
			out += fmt.Sprintf("[%s %s]", a.What, a.Object.Name)
		}
		return out
	}
	by := func(id string) *corev1.Node {
		return nodeOf("node-a", func(n *corev1.Node) { n.Spec.ProviderID = id })
	}
	aws := by("aws:///zone/i-0a")
	// say is what a cloud says of a machine, since a time.
	say := func(kind model.Kind, id string, since float64, source model.SourceKind) *model.Observation {
		return change(of(kind, since, source, detail("word")), func(o *model.Observation) { o.Object = model.Ref{Kind: "Machine", Name: id} })
	}
	now := func(kind model.Kind, id string) *model.Observation { return timeless(say(kind, id, 0, text)) }
	called := func(name string, o *model.Observation) *model.Observation { o.Node = name; return o }
	disk := func(id, machine string) *model.Observation {
		return timeless(change(of(model.DiskAttached, 0, text), func(o *model.Observation) {
			o.Object, o.Owner = model.Ref{Kind: "Disk", Name: id}, model.Ref{Kind: "Machine", Name: machine}
		}))
	}
	const off, on = model.MachineOff, model.MachineRunning
	lost := of(model.NodeNotReady, -100, "node-a")
	here := collected(300)
	askRows(t, []row{
		{"its machine is off", things{here, lost, aws, now(off, "i-0a")}, stops, "[the cloud had the machine i-0a as word 300 true]"},
		{"since a time", things{here, lost, aws, say(off, "i-0a", -120, text)}, stops, "[the cloud had the machine i-0a as word -120 true]"},
		{"another machine", things{here, lost, aws, now(off, "i-0b")}, stops, ""},
		{"an ID that ends alike", things{here, lost, by("aws:///zone/xi-0a"), now(off, "i-0a")}, stops, ""},
		{"by Compute Engine's path", things{here, lost, by("gce://p/z/n"), now(off, "projects/p/zones/z/instances/n")}, stops,
			"[the cloud had the machine n as word 300 true]"},
		{"of another zone", things{here, lost, by("gce://p/y/n"), now(off, "projects/p/zones/z/instances/n")}, stops, ""},
		{"in another case", things{here, lost, by("azure:///subscriptions/S/x"), now(off, "/subscriptions/s/X")}, stops,
			"[the cloud had the machine X as word 300 true]"},
		{"by its name", things{here, lost, called("node-a", now(off, "i-0a"))}, stops, "[the cloud had the machine i-0a as word 300 true]"},
		{"by the name of two", things{here, lost, called("node-a", now(off, "i-0a")), called("node-a", now(off, "i-0b"))}, stops, ""},
		{"by the name, against the provider ID", things{here, lost, aws, called("node-a", now(off, "i-0b"))}, stops, ""},
		{"by another name", things{here, lost, called("node-a.example", now(off, "i-0a"))}, stops, ""},
		{"started since", things{here, lost, aws, say(off, "i-0a", 10, audit), say(model.MachineStartRequested, "i-0a", 20, audit)}, stops, ""},
		{"started before", things{here, lost, aws, say(off, "i-0a", 10, audit), say(model.MachineStartRequested, "i-0a", 5, audit)}, stops,
			"[the cloud had the machine i-0a as word 10 true]"},
		{"a stop that is asked for is none", things{here, lost, aws, say(model.MachineStopRequested, "i-0a", 10, audit)}, stops, ""},
		{"long before the loss", things{here, lost, aws, say(off, "i-0a", -701, audit)}, stops, ""},
		{"ten minutes before it", things{here, lost, aws, say(off, "i-0a", -699, audit)}, stops,
			"[the cloud had the machine i-0a as word -699 true]"},
		{"the node was back then", things{here, lost, aws, of(model.NodeReady, 50, "node-a"), say(off, "i-0a", 60, audit)}, stops, ""},
		{"the node is back", things{here, lost, aws, of(model.NodeReady, 50, "node-a"), now(off, "i-0a")}, stops, ""},
		{"two words at once", things{here, lost, aws, now(off, "i-0a"), now(on, "i-0a")}, stops, ""},
		{"nothing tells when it was printed", things{lost, aws, now(off, "i-0a")}, stops, "[the cloud had the machine i-0a as word 0 true]"},
		{"it runs", things{here, lost, aws, now(on, "i-0a")}, runs, "machine-running"},
		{"two words at once, it runs", things{here, lost, aws, now(off, "i-0a"), now(on, "i-0a")}, runs, "nil"},
		{"the node is back, it runs", things{here, lost, aws, of(model.NodeReady, 50, "node-a"), now(on, "i-0a")}, runs, "nil"},
		{"it was stopped after that", things{here, lost, aws, say(on, "i-0a", 10, audit), say(off, "i-0a", 20, audit)}, runs, "nil"},
		{"the wait is over", things{here, lost, aws, now(on, "i-0a"), of(model.AttachSucceeded, 80, "node-b", volume)}, runs, "nil"},
		{"the wait is over, it ran all the time", things{here, lost, aws, say(on, "i-0a", -5000, text), of(model.AttachSucceeded, 80, "node-b", volume)}, runs,
			"machine-running@-5000"},
		{"by a log since the loss, it runs", things{here, lost, aws, say(on, "i-0a", 10, audit)}, runs, "machine-running@10"},
		{"by a log of before the loss", things{here, lost, aws, say(on, "i-0a", -5000, audit)}, runs, "nil"},
		{"the cloud has the volume there", things{here, lost, aws, disk("vol-1", "i-0a")}, holds, "disk-attached"},
		{"another volume", things{here, lost, aws, disk("vol-2", "i-0a")}, holds, "nil"},
		{"on another machine", things{here, lost, aws, disk("vol-1", "i-0b")}, holds, "nil"},
		{"it alone names the holder", things{here, unheld(), aws, disk("vol-1", "i-0a")}, from, "node-a"},
		{"it has another volume", things{here, unheld(), aws, disk("vol-2", "i-0a")}, from, ""},
		{"who stopped it", things{here, lost, aws, say(model.MachineStopRequested, "i-0a", 10, audit)}, acts, "[stopped-machine i-0a]"},
		{"who stopped another", things{here, lost, aws, say(model.MachineStopRequested, "i-0b", 10, audit)}, acts, ""},
	})
}

// unheld is a report that does not name the holder.
func unheld() *model.Observation {
	return change(report(), func(o *model.Observation) {
		o.Holders, o.Pods, o.Variant = nil, nil, model.ExclusivelyAttached
	})
}
