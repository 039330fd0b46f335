package analyze_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// recordedTruth is what a recording's truth says of the commands that were run during it.
type recordedTruth struct {
	OperatorActions []struct{ At, Done, What string }
}

// command is a kubectl command as an action.
type command struct {
	text       string
	what       wait.ActionKind
	object     string // kind/namespace/name, or kind/name
	detail     string
	from, done time.Time
}

// withAudit are the recordings that have an audit log, which goes on to the last collection: each with the commands until then, that
// collection's directory, and the log.
func withAudit(t *testing.T, test func(t *testing.T, commands []command, whole fs.FS, bundle string)) {
	for _, kind := range []recordings.Kind{recordings.Real, recordings.Played} {
		for _, name := range recordings.Names(kind) {
			whole, err := recordings.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fs.Stat(whole, "audit.log"); err != nil {
				continue
			}
			bundle, truth := "bundle", "truth.json"
			if _, err := fs.Stat(whole, "bundle-later"); err == nil {
				bundle, truth = "bundle-later", "truth-later.json"
			}
			t.Run(name, func(t *testing.T) { test(t, commandsOf(t, whole, truth), whole, bundle) })
		}
	}
}

// TestActionsWithAudit: with the API server's audit log, every command that touched an object of an incident is told, at its
// time and as a person's with kubectl, and nothing else is called a person's.
func TestActionsWithAudit(t *testing.T) {
	withAudit(t, func(t *testing.T, commands []command, whole fs.FS, bundle string) {
		cases := casesOf(t, whole, bundle, "audit.log")
		for _, c := range commands {
			if !concerned(cases, c) {
				continue
			}
			a, ok := actionFor(cases, c)
			if !ok {
				t.Errorf("not told: %s at %s", c.text, c.from)
			} else if a.ByPerson != model.True || !strings.Contains(a.By, "kubectl") {
				t.Errorf("%s is told as by %q (person: %s)", c.text, a.By, a.ByPerson)
			}
		}
		for _, a := range allActions(cases) {
			if a.ByPerson == model.True && !commanded(commands, a) {
				t.Errorf("no command did it: %s %s at %s by %s", a.What, a.Object, a.At.At, a.By)
			}
		}
	})
}

// TestActionsWithoutAudit: without it nothing is called a person's, each action that is told of a command's kind was
// commanded within the interval that is given for it, and the deletions and taints that leave a trace are told.
func TestActionsWithoutAudit(t *testing.T) {
	traced := []wait.ActionKind{wait.TaintedOutOfService, wait.DeletedNode, wait.DeletedAttachment,
		wait.ForceDeletedPod}
	found := map[wait.ActionKind]int{}
	withAudit(t, func(t *testing.T, commands []command, whole fs.FS, bundle string) {
		cases := casesOf(t, whole, bundle)
		for _, a := range allActions(cases) {
			if a.ByPerson == model.True {
				t.Errorf("called a person's: %s %s by %s", a.What, a.Object, a.By)
			}
			if a.ByPerson == model.Unknown && a.What != wait.DeletedPod && a.What != wait.StartedAttacher &&
				a.What != wait.EvictedPod && !commanded(commands, a) {
				t.Errorf("no command did it: %s %s %s at %s (%s–%s)", a.What, a.Object, a.Detail, a.At.At, a.At.Earliest, a.At.Latest)
			}
			if len(a.At.Witness) == 0 {
				t.Errorf("%s %s has no witness", a.What, a.Object)
			}
		}
		for _, c := range commands {
			if a, ok := actionFor(cases, c); ok {
				found[a.What]++
			} else if concerned(cases, c) {
				t.Logf("leaves no trace: %s", c.text)
			}
		}
	})
	for _, deed := range traced {
		if found[deed] == 0 {
			t.Errorf("%s is told of no recording", deed)
		}
	}
	t.Logf("commands found without audit log: %v", found)
}

// casesOf reads a recording, or parts of it.
func casesOf(t *testing.T, whole fs.FS, parts ...string) []*wait.Case {
	t.Helper()
	some := fstest.MapFS{}
	err := fs.WalkDir(whole, ".", func(path string, d fs.DirEntry, err error) error {
		top, _, _ := strings.Cut(path, "/")
		if err != nil || d.IsDir() || len(parts) > 0 && !slices.Contains(parts, top) {
			return err
		}
		data, err := fs.ReadFile(whole, path)
		some[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	bundle := ingest.OpenFS(some, "recording")
	defer bundle.Close()
	snapshot, err := ingest.Read(context.Background(), bundle, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return small.Waits(facts.NewWorld(snapshot))
}

func commandsOf(t *testing.T, whole fs.FS, file string) []command {
	t.Helper()
	data, err := fs.ReadFile(whole, file)
	if err != nil {
		t.Fatal(err)
	}
	var truth recordedTruth
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	var out []command
	for _, a := range truth.OperatorActions {
		from, err1 := time.Parse(time.RFC3339Nano, a.At)
		done, err2 := time.Parse(time.RFC3339Nano, a.Done)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, c := range readCommand(a.What) {
			c.text, c.from, c.done = a.What, from, done
			out = append(out, c)
		}
	}
	return out
}

// readCommand reads the kubectl commands of the recordings. A drain is a cordon and evictions of pods that it does not name.
func readCommand(what string) []command {
	w := append(strings.Fields(what), "", "", "", "", "", "")
	workload := func(s string) string {
		kind, name, _ := strings.Cut(s, "/")
		return map[string]string{"deployment": "Deployment", "statefulset": "StatefulSet"}[kind] + "/" + w[3] + "/" + name
	}
	switch verb := w[1]; {
	case verb == "delete" && w[2] == "pod" && strings.Contains(what, "--force"):
		return []command{{what: wait.ForceDeletedPod, object: "Pod/" + w[4] + "/" + w[5]}}
	case verb == "delete" && w[2] == "pod":
		return []command{{what: wait.DeletedPod, object: "Pod/" + w[4] + "/" + w[5]}}
	case verb == "delete" && w[2] == "volumeattachment":
		return []command{{what: wait.DeletedAttachment, object: "VolumeAttachment/" + w[3]}}
	case verb == "delete" && w[2] == "node":
		return []command{{what: wait.DeletedNode, object: "Node/" + w[3]}}
	case verb == "taint" && strings.HasSuffix(w[4], "-"):
		return []command{{what: wait.RemovedOutOfService, object: "Node/" + w[3]}}
	case verb == "taint":
		return []command{{what: wait.TaintedOutOfService, object: "Node/" + w[3]}}
	case verb == "drain":
		return []command{{what: wait.Cordoned, object: "Node/" + w[2]}, {what: wait.EvictedPod}}
	case verb == "cordon":
		return []command{{what: wait.Cordoned, object: "Node/" + w[2]}}
	case verb == "uncordon":
		return []command{{what: wait.Uncordoned, object: "Node/" + w[2]}}
	case verb == "scale":
		return []command{{what: wait.Scaled, object: workload(w[4]), detail: "scaled to " + strings.TrimPrefix(w[5],
			"--replicas=") + " replicas"}}
	case verb == "set":
		w[3] = w[4]
		return []command{{what: wait.ChangedTemplate, object: workload(w[5])}}
	case verb == "rollout":
		w[3] = w[4]
		return []command{{what: wait.Restarted, object: workload(w[5])}}
	}
	return nil
}

func allActions(cases []*wait.Case) []wait.Action {
	var out []wait.Action
	for _, c := range cases {
		out = append(out, wait.Actions(c)...)
	}
	return out
}

// concerned reports whether a command touched an object of a case during its span.
func concerned(cases []*wait.Case, cmd command) bool {
	for _, c := range cases {
		names := map[string]bool{"Node/" + c.From: true, "VolumeAttachment/" + c.Attachment.Name: true,
			"VolumeAttachment/" + c.NewAttachmentName().Name: true}
		for _, p := range append(c.OldPods[:len(c.OldPods):len(c.OldPods)], c.NewPods...) {
			names["Pod/"+p.String()] = true
		}
		if c.Workload != nil {
			names[c.Workload.Key()] = true
		}
		if names[cmd.object] && !cmd.from.Before(c.Span.From.At) && !cmd.done.After(c.Span.To.At) {
			return true
		}
	}
	return false
}

func actionFor(cases []*wait.Case, c command) (wait.Action, bool) {
	for _, a := range allActions(cases) {
		if fits(c, a) {
			return a, true
		}
	}
	return wait.Action{}, false
}

func commanded(commands []command, a wait.Action) bool {
	for _, c := range commands {
		if fits(c, a) {
			return true
		}
	}
	return false
}

// latency is how long after the command's process ended its last request may be recorded, and how coarse clocks are.
const latency = time.Second

func fits(c command, a wait.Action) bool {
	object := a.Object.Kind + "/" + a.Object.String()
	return c.what == a.What && (c.object == "" || c.object == object) && (c.detail == "" || c.detail == a.Detail) &&
		!a.At.Earliest.After(c.done.Add(latency)) && !a.At.Latest.Before(c.from.Add(-latency))
}
