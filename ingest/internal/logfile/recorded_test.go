package logfile

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

// truth is the part of a recording's truth.json that a controller log can tell.
type truth struct {
	LostNode string
	Affected []struct {
		PV, VolumeHandle, Driver string
		Namespace, PVC           string
		OldPod, NewPod           string
		BlockingVA, NewVA        string
		OldNode, NewNode         string
		MultiAttachEventObjects  int
		MultiAttachMessage       string
		Mirror                   bool
		Times                    map[string]*string
	}
}

func (tr truth) time(t *testing.T, i int, name string) (time.Time, bool) {
	s := tr.Affected[i].Times[name]
	if s == nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, *s)
	if err != nil {
		t.Fatal(err)
	}
	return at, true
}

// eachRecording runs a test on every recorded incident with the logs of its main snapshot.
func eachRecording(t *testing.T, test func(t *testing.T, tr truth, logs []Result)) {
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		t.Run(name, func(t *testing.T) {
			data, err := recordings.Truth(name)
			if err != nil {
				t.Fatal(err)
			}
			var tr truth
			if err := json.Unmarshal(data, &tr); err != nil {
				t.Fatal(err)
			}
			bundle, err := recordings.Bundle(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, tr, readLogs(t, bundle))
		})
	}
}

// readLogs reads the logs of a bundle that Sniff takes.
func readLogs(t *testing.T, bundle fs.FS) []Result {
	var out []Result
	err := fs.WalkDir(bundle, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".log") {
			return err
		}
		data, err := fs.ReadFile(bundle, path)
		if err != nil {
			return err
		}
		if _, ok := Sniff(data[:min(len(data), 64<<10)]); !ok {
			return nil
		}
		out = append(out, Read(strings.NewReader(string(data)), path, Hint{}))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// find is all observations of a kind that a predicate takes.
func find(logs []Result, kind model.Kind, is func(model.Observation) bool) []model.Observation {
	var out []model.Observation
	for _, l := range logs {
		for _, o := range l.Observations {
			if o.Kind == kind && is(o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// The controller's line must name the volume under all its names, and both nodes, at the time of the event.
func TestRecordedMultiAttach(t *testing.T) {
	eachRecording(t, func(t *testing.T, tr truth, logs []Result) {
		for i, a := range tr.Affected {
			unique := model.UniqueCSIName(a.Driver, a.VolumeHandle)
			got := find(logs, model.MultiAttach, func(o model.Observation) bool {
				return o.Object.Name == "" && o.Volume.UniqueName == unique && o.Node == a.NewNode
			})
			if len(got) == 0 {
				t.Fatalf("no line says that %s wants %s", a.NewNode, unique)
			}
			o := got[0]
			if o.Volume.PersistentVolume != a.PV || o.Volume.Handle != a.VolumeHandle || o.Volume.Driver != a.Driver {
				t.Errorf("volume is %+v", o.Volume)
			}
			if !slices.Contains(o.Holders, a.OldNode) {
				t.Errorf("holders are %q, want %s", o.Holders, a.OldNode)
			}
			if strings.Contains(a.MultiAttachMessage, "used by pod") != (o.Variant == model.UsedByPods) {
				t.Errorf("variant is %s", o.Variant)
			}
			if o.Variant == model.UsedByPods && !slices.ContainsFunc(o.Pods, model.PodRef(a.Namespace, a.OldPod, "").Is) {
				t.Errorf("pods are %v, want %s", o.Pods, a.OldPod)
			}
			if at, ok := tr.time(t, i, "multiAttachFirstEvent"); ok && o.At.At.Sub(at).Abs() > time.Second {
				t.Errorf("at %v, the event was %v", o.At.At, at)
			}
		}
	})
}

// What a line implies about the kubelet's last sign of life must contain the renewal that the API server saw.
func TestRecordedHeartbeat(t *testing.T) {
	checked := 0
	eachRecording(t, func(t *testing.T, tr truth, logs []Result) {
		for i, a := range tr.Affected {
			renewed, ok := tr.time(t, i, "kubeletLastLeaseRenew")
			if !ok || a.OldNode != tr.LostNode {
				continue
			}
			for _, o := range find(logs, model.NodeHeartbeat, func(o model.Observation) bool { return o.Node == a.OldNode }) {
				checked++
				if renewed.Before(o.At.Earliest) || renewed.After(o.At.Latest) {
					t.Errorf("%s: %v is not in [%v, %v]", a.OldNode, renewed, o.At.Earliest, o.At.Latest)
				}
			}
		}
	})
	if checked == 0 {
		t.Error("no recording gives a heartbeat")
	}
}

// Where a log tells an instant that the API server saw, one of its statements must agree.
func TestRecordedInstants(t *testing.T) {
	const tolerance = time.Second
	checked := map[model.Kind]int{}
	eachRecording(t, func(t *testing.T, tr truth, logs []Result) {
		for i, a := range tr.Affected {
			for _, c := range []struct {
				kind  model.Kind
				truth string
				about func(o model.Observation) bool
			}{
				{model.NodeNotReady, "nodeNotReady", func(o model.Observation) bool { return o.Node == a.OldNode && o.Node == tr.LostNode }},
				{model.PodScheduled, "newPodScheduled", func(o model.Observation) bool { return o.Pod.Is(model.PodRef(a.Namespace, a.NewPod, "")) }},
				{model.AttachmentDeletionRequested, "oldVADeletionTimestamp", func(o model.Observation) bool { return o.Attachment == a.BlockingVA }},
				{model.AttachmentGone, "oldVAGone", func(o model.Observation) bool { return o.Attachment == a.BlockingVA }},
				{model.AttachmentCreated, "newVACreated", func(o model.Observation) bool { return o.Attachment == a.NewVA }},
				{model.AttachmentAttached, "newVAAttached", func(o model.Observation) bool { return o.Attachment == a.NewVA }},
			} {
				at, ok := tr.time(t, i, c.truth)
				if !ok {
					continue
				}
				got := find(logs, c.kind, c.about)
				if len(got) == 0 {
					continue
				}
				checked[c.kind]++
				agrees := func(o model.Observation) bool {
					return !at.Before(o.At.Earliest.Add(-tolerance)) && !at.After(o.At.Latest.Add(tolerance))
				}
				if !slices.ContainsFunc(got, agrees) {
					t.Errorf("%s is %v, the logs say %v", c.truth, at, got[0].At)
				}
			}
		}
	})
	if len(checked) < 2 || recordings.Long && len(checked) < 6 {
		t.Errorf("checked %v", checked)
	}
}
