package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tiny has one recording of each kind, and a crowd.
var tiny = []string{"-nodes", "80", "-pods", "300", "-volumes", "110", "-incidents", "22", "-logs", "6M"}

func generated(t *testing.T, seed string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if err := run(append([]string{"-seed", seed, "-o", dir}, tiny...), io.Discard); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sums are the hashes of all files below a directory.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	each(t, dir, func(path string, body []byte) { out[path] = fmt.Sprintf("%x", sha256.Sum256(body)) })
	return out
}

func each(t *testing.T, dir string, do func(path string, body []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		do(strings.TrimPrefix(path, dir), body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBundle looks at one bundle in several ways.
func TestBundle(t *testing.T) {
	dir := generated(t, "1")
	for name, check := range map[string]func(*testing.T, string){
		"SameSeedSameBytes": checkSeeds, "Counts": checkCounts, "NamesAreUnique": checkNames, "LogsAreInOrder": checkOrder,
		"NothingRecordedRemains": checkRenamed, "Truth": checkTruth,
	} {
		t.Run(name, func(t *testing.T) { check(t, dir) })
	}
}

func checkSeeds(t *testing.T, dir string) {
	first := sums(t, dir)
	if !maps.Equal(first, sums(t, generated(t, "1"))) {
		t.Error("the same seed wrote other bytes")
	}
	if maps.Equal(first, sums(t, generated(t, "2"))) {
		t.Error("another seed wrote the same bytes")
	}
}

// checkCounts holds what was written against what was asked for.
func checkCounts(t *testing.T, dir string) {
	count := map[string]int{}
	var logs int
	each(t, dir, func(path string, body []byte) {
		_, below, _ := strings.Cut(strings.TrimPrefix(path, "/bundle/"), "/")
		switch {
		case strings.HasSuffix(path, ".log"):
			logs += len(body)
		case strings.HasSuffix(path, "/core/pods.yaml"):
			count["pods"] += len(items(string(body)))
		case strings.HasPrefix(below, "cluster-scoped-resources/"):
			count[filepath.Base(filepath.Dir(path))]++
		case below == sharedPath[nodeLeases]:
			count["leases"] = len(items(string(body)))
		}
	})
	want := map[string]int{"nodes": 80, "persistentvolumes": 110, "csinodes": 80, "leases": 80, "csidrivers": 1, "storageclasses": 1}
	for kind, n := range want {
		if count[kind] != n {
			t.Errorf("%d %s, want %d", count[kind], kind, n)
		}
	}
	if n := count["pods"]; n < 299 || n > 300 {
		t.Errorf("%d pods, want 300", n)
	}
	if logs < 6<<20*9/10 || logs > 6<<20*11/10 {
		t.Errorf("%d bytes of logs, want 6M", logs)
	}
}

// checkNames: no two objects have one UID, and no two pods one name.
func checkNames(t *testing.T, dir string) {
	seen := map[string]string{}
	each(t, dir, func(path string, body []byte) {
		if !strings.HasSuffix(path, ".yaml") || strings.Contains(path, "/pods/") || strings.HasSuffix(path, "/events.yaml") {
			return // a folder of a pod repeats the list
		}
		objects := items(string(body))
		if !strings.Contains(string(body), "\nitems:") {
			objects = []string{string(body)}
		}
		for _, o := range objects {
			names := []string{field(o, "uid")}
			if strings.HasSuffix(path, "/core/pods.yaml") {
				names = append(names, field(o, "namespace")+"/"+field(o, "name"))
			}
			for _, n := range names {
				if other := seen[n]; other != "" && n != "" {
					t.Errorf("%s is in %s and in %s", n, path, other)
				}
				seen[n] = path
			}
		}
	})
	if len(seen) < 1000 {
		t.Errorf("only %d names", len(seen))
	}
}

// checkOrder: what every line was stamped with is not earlier than the line before it by more than recordings have it.
func checkOrder(t *testing.T, dir string) {
	n := 0
	each(t, dir, func(path string, body []byte) {
		if !strings.Contains(path, "kube-controller-manager") || !strings.HasSuffix(path, "current.log") {
			return
		}
		var last time.Time
		for l := range strings.Lines(string(body)) {
			text, _, _ := strings.Cut(l, " ")
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				t.Fatalf("%q: %v", l, err)
			}
			if last.Sub(at) > time.Second {
				t.Fatalf("%s is %v earlier than the line before it", l, last.Sub(at))
			}
			last = at
			n++
		}
	})
	if n < 5000 {
		t.Errorf("only %d lines", n)
	}
}

// checkRenamed: no name, UID or time of a recording is left.
func checkRenamed(t *testing.T, dir string) {
	var old []string
	for _, name := range append([]string{crowd, controlPlane, quiet}, singles...) {
		rec, err := load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rec.nodes {
			if strings.HasPrefix(n, "ip-") {
				old = append(old, n)
			}
		}
		old = append(old, slices.Collect(maps.Keys(rec.attachments))...)
		for _, path := range rec.below(volumeFolder) {
			old = append(old, field(rec.files[path], "name"))
		}
	}
	old = append(old, "2026-11-21T", "2026-11-21 ")
	each(t, dir, func(path string, body []byte) {
		if strings.HasSuffix(path, "/previous.log") || strings.Contains(path, "kube-apiserver") {
			return
		}
		for _, n := range old {
			if at := bytes.Index(body, []byte(n)); at >= 0 {
				t.Errorf("%s names %s: %.200s", path, n, body[max(0, at-50):])
				return
			}
		}
	})
}

func TestScanner(t *testing.T) {
	sc := newScanner([]string{"worker-1", "shop"})
	for _, c := range []struct{ text, want string }{
		{"on worker-1.", "worker-1"},
		{"on worker-10", ""},
		{"workshop shop/db", "shop"},
		{"pvc-0b89dea4-51fa-4bf7-8014-1932d03c0162 x", "0b89dea4-51fa-4bf7-8014-1932d03c0162"},
		{"a vol-0123456789abcdef0,", "vol-0123456789abcdef0"},
		{"at 2026-11-21T06:05:53.123456Z", "2026-11-21T06:05:53.123456Z"},
		{"at 2026-11-21 06:05:53 +0000", "2026-11-21 06:05:53"},
		{"F I1121 06:05:53.938377   28965", "I1121 06:05:53.938377"},
		{"name: db-0.18e9fb4d03487a1a", ".18e9fb4d03487a1a"},
		{"10.128.0.7 10.0", "10.128.0.7"},
		{"csi-node-d2g5x", "csi-node-d2g5x"},
		{"v1.2.3.4 i-1 10.0.0 2026-1", ""},
	} {
		from, to := sc.next(c.text)
		if got := c.text[from:to]; got != c.want {
			t.Errorf("%q: found %q, want %q", c.text, got, c.want)
		}
	}
}

func TestStamp(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2026-11-21T06:05:53Z", "2026-11-21T06:05:54Z"},
		{"2026-11-21T06:05:53.123456Z", "2026-11-21T06:05:54.123456Z"},
		{"2026-11-21 06:05:53.1", "2026-11-21 06:05:54.1"},
		{"W1121 06:05:53.938377", "W1121 06:05:54.938377"},
		{".18e9fb4d03487a1a", ".18e9fb4d3ee3441a"},
	} {
		s, ok := readStamp(c.text)
		if got := string(s.append(nil, time.Second)); !ok || got != c.want {
			t.Errorf("%q a second later is %q, want %q", c.text, got, c.want)
		}
	}
}

// TestMerge: lines come by time, those of one player in its order, equal ones in the order of their players.
func TestMerge(t *testing.T) {
	at := func(s int) time.Time { return capture.Add(time.Duration(s) * time.Second) }
	play := func(name string, times ...int) *player {
		p := &player{}
		for i, s := range times {
			p.lines = append(p.lines, line{at: at(s), text: text{{literal: fmt.Sprintf("%s%d ", name, i), entity: -1}}})
		}
		return p
	}
	feed := func(ps ...*player) *feeder {
		return &feeder{count: len(ps), first: func(i int) time.Time { return ps[i].lines[0].at }, open: func(i int) *player { return ps[i] }}
	}
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if err := merge(w, []*feeder{feed(play("a", 1, 5, 3, 9), play("b", 6)), feed(play("c", 0), play("d", 5, 5))}); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	if got, want := out.String(), "c0 a0 a1 a2 d0 d1 b0 a3 "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFill: units and their places are two ways of one row.
func TestFill(t *testing.T) {
	p, err := newPlan(size{seed: 1, nodes: 80, pods: 400, volumes: 120, incidents: 24})
	if err != nil {
		t.Fatal(err)
	}
	all, stateful := p.fill.units()
	n := 0
	for x := range all {
		u, ordinal := p.fill.at(x)
		if u != p.fill.stateful {
			continue
		}
		if ordinal != n || p.fill.place(ordinal) != x {
			t.Fatalf("the unit at %d is number %d of its kind, want %d; its place is %d", x, ordinal, n, p.fill.place(ordinal))
		}
		n++
	}
	if n != stateful {
		t.Errorf("%d units with a volume, want %d", n, stateful)
	}
}

func TestArguments(t *testing.T) {
	there := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "-o DIR"},
		{[]string{"-o", there}, "exists; hint"},
		{[]string{"-o", there + "/x", "-scale", "huge"}, "small, medium or large"},
		{[]string{"-o", there + "/x", "-logs", "10X"}, "number of bytes"},
		{[]string{"-o", there + "/x", "-incidents", "1000"}, "hint: fewer incidents"},
		{[]string{"-o", there + "/x", "y"}, "no other arguments"},
	} {
		if err := run(c.args, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
}

// checkTruth wants each affected volume of the truth in the bundle.
func checkTruth(t *testing.T, dir string) {
	body, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		Affected []struct{ PV, OldNode, CauseClass, Sample string }
	}
	if err := json.Unmarshal(body, &truth); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, a := range truth.Affected {
		kinds[a.Sample] = true
		found, err := filepath.Glob(filepath.Join(dir, "bundle", "*", volumeFolder, a.PV+".yaml"))
		if err != nil || len(found) != 1 {
			t.Errorf("%s has %d files", a.PV, len(found))
		}
		if !strings.HasPrefix(a.OldNode, "ip-10-0-") || a.CauseClass == "" {
			t.Errorf("%+v", a)
		}
	}
	if len(truth.Affected) != 22 || len(kinds) != len(singles)+1 {
		t.Errorf("%d volumes of %d kinds", len(truth.Affected), len(kinds))
	}
}
