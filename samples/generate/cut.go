package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// cutFile is a file with its path, which has names in it, too.
type cutFile struct{ path, body text }

// The lists that all copies put their items into.
const (
	defaultEvents = iota
	nodeLeases
	driverPods
	sharedLists
)

var sharedPath = [sharedLists]string{
	defaultEvents: "namespaces/default/core/events.yaml",
	nodeLeases:    "namespaces/kube-node-lease/coordination.k8s.io/leases.yaml",
	driverPods:    "namespaces/" + driverNamespace + "/core/pods.yaml",
}

// perPod is the folder that a must-gather has for each pod beside the list of pods. Only the control plane keeps it.
var perPod = regexp.MustCompile(`^namespaces/(?:shop|backoffice)/pods/`)

// cutBase cuts the recording of the control plane.
func (p *plan) cutBase() (*cutRecording, error) {
	rec, err := load(controlPlane)
	if err != nil {
		return nil, err
	}
	t := &cutRecording{cutter: newCutter(rec, "")}
	for of := range roles {
		log := rec.files[rec.logPath(of)]
		p.process[of] = process(log)
		t.lines[of] = t.cutLines(log, p.process[of], nil)
	}
	for _, path := range rec.below("") {
		if path == "event-filter.html" || isShared(rec, path) {
			continue
		}
		t.addFile(path)
	}
	for list := range sharedLists {
		for _, item := range items(rec.files[sharedPath[list]]) {
			t.addItem(list, item)
		}
	}
	t.count()
	return t, nil
}

func isShared(rec *recording, path string) bool {
	for _, shared := range sharedPath {
		if path == shared {
			return true
		}
	}
	for of := range roles {
		if path == rec.logPath(of) {
			return true
		}
	}
	return perPod.MatchString(path)
}

// cutIncidents cuts a recording with incidents: what belongs to its workloads and to the nodes that they run on.
func (p *plan) cutIncidents(name string) (*cutRecording, error) {
	rec, err := load(name)
	if err != nil {
		return nil, err
	}
	t := &cutRecording{cutter: newCutter(rec, "")}
	for of := range roles {
		t.lines[of] = t.cutLines(rec.files[rec.logPath(of)], p.process[of], t.about)
	}
	if len(t.lines[roleController]) == 0 {
		return nil, fmt.Errorf("%s has no log of the controller", name)
	}
	control := rec.controlNode + ".yaml"
	for _, path := range rec.below("") {
		switch {
		case strings.HasSuffix(path, control) || perPod.MatchString(path):
		case strings.HasPrefix(path, nodeFolder), strings.HasPrefix(path, volumeFolder), strings.HasPrefix(path, attachmentFolder),
			strings.HasPrefix(path, csiNodeFolder), strings.HasPrefix(path, "namespaces/shop/"), strings.HasPrefix(path, "namespaces/backoffice/"):
			t.addFile(path)
		}
	}
	for _, list := range []int{defaultEvents, nodeLeases} {
		for _, item := range items(rec.files[sharedPath[list]]) {
			t.addItem(list, item)
		}
	}
	for _, item := range rec.nodePodItems() {
		t.addItem(driverPods, item)
	}
	t.count()
	return t, t.addTruth()
}

func (t *cutRecording) addFile(path string) {
	t.files = append(t.files, cutFile{t.cut(path, nil), t.cut(t.rec.files[path], t.rec.freshIn(path, t.rec.files[path]))})
}

// addItem adds an item to a shared list, unless it is about the control plane of a recording that is not the base.
func (t *cutRecording) addItem(list int, item string) {
	if t.rec.name != controlPlane && strings.Contains(item, t.rec.controlNode) {
		return
	}
	t.shared[list] = append(t.shared[list], t.cut(item, t.rec.freshIn(sharedPath[list], item)))
}

// settled is since when a living node's reports count as of the collection: kubelets report every five minutes (nodeStatusReportFrequency).
const settled = 6 * time.Minute

var notOfNow = regexp.MustCompile(`creationTimestamp|lastTransitionTime|timeAdded|startTime|acquireTime`)

// freshIn says which times of a file are those of the collection: what living nodes and leaders renew.
func (r *recording) freshIn(path, body string) func(line string, at time.Time) bool {
	switch {
	case path == "timestamp":
		return func(string, time.Time) bool { return true }
	case strings.HasPrefix(path, nodeFolder):
		if r.lost[strings.TrimSuffix(strings.TrimPrefix(path, nodeFolder), ".yaml")] {
			return nil
		}
	case strings.HasSuffix(path, "/leases.yaml"):
		if node := field(body, "name"); r.lost[node] {
			return nil
		}
	default:
		return nil
	}
	return func(line string, at time.Time) bool {
		return !notOfNow.MatchString(line) && (strings.Contains(line, "renewTime") || r.truth.SnapshotAt.Sub(at) < settled)
	}
}

func (t *cutRecording) count() {
	for _, f := range t.files {
		path := string((&copied{names: t.recorded()}).append(nil, f.path))
		switch {
		case strings.HasPrefix(path, volumeFolder):
			t.volumes++
		case strings.HasSuffix(path, "/core/pods.yaml"):
			t.pods += len(items(t.rec.files[path]))
		}
	}
	t.pods += len(t.shared[driverPods])
}

// recorded are the names as they were.
func (c *cutter) recorded() []string {
	out := make([]string, len(c.entities))
	for i, e := range c.entities {
		out[i] = e.name
	}
	return out
}

// addTruth cuts what is known of the affected volumes.
func (t *cutRecording) addTruth() error {
	for i, raw := range t.rec.truth.Affected {
		t.open = t.open || !t.rec.affected[i].ResolvedAtSnapshot
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(raw, &fields); err != nil {
			return err
		}
		for name, value := range map[string]string{"causeClass": t.rec.truth.CauseClass, "scenario": t.rec.truth.Scenario, "sample": t.rec.name} {
			fields[name], _ = json.Marshal(value)
		}
		out, err := json.MarshalIndent(fields, "    ", "  ")
		if err != nil {
			return err
		}
		t.affected = append(t.affected, t.cut(string(out), nil))
	}
	return nil
}
