package truth

import (
	"testing"
	"time"
)

// history has a pod that waited from second 10 on and others that have its claim.
func history(waiter *pod, others ...*pod) *History {
	h := &History{pods: map[string]*pod{waiter.uid: waiter}, order: append([]*pod{waiter}, others...)}
	for _, p := range h.order {
		p.claims = []string{"reports-data"}
	}
	return h
}

func at(second int) Time { return Time{time.Date(2026, 11, 22, 9, 0, second, 0, time.UTC)} }

func TestWhatEndsAWait(t *testing.T) {
	ready := func(s int) []Time { return []Time{at(s)} }
	for _, c := range []struct {
		name     string
		waiter   *pod
		others   []*pod
		resolved bool
		by       string
	}{
		{"another replica is Ready while the pod waits", &pod{uid: "w"},
			[]*pod{{uid: "x", node: "worker-2", everReady: ready(20), isReady: true}}, false, ""},
		{"another replica is Ready before the pod is", &pod{uid: "w", ready: at(40), everReady: ready(40), isReady: true},
			[]*pod{{uid: "x", node: "worker-2", everReady: ready(20), isReady: true}}, true, "w"},
		{"another pod takes the place of the pod", &pod{uid: "w", deleted: at(15), gone: at(16)},
			[]*pod{{uid: "x", node: "worker-2", everReady: ready(20), isReady: true}}, true, "x"},
		{"the pod is deleted, and the other replica runs on", &pod{uid: "w", deleted: at(15), gone: at(16)},
			[]*pod{{uid: "x", node: "worker-0", everReady: ready(2), isReady: true}}, true, ""},
		{"the pod is deleted, and another waits", &pod{uid: "w", deleted: at(15), gone: at(16)},
			[]*pod{{uid: "x", node: "worker-2"}}, false, ""},
	} {
		a := &Affected{Claim: "reports-data", OldNode: "worker-0"}
		history(c.waiter, c.others...).recovered(a, &Report{UID: "w", seen: at(10)}, c.waiter, at(50))
		by := ""
		if a.RecoveredPodUID != nil {
			by = *a.RecoveredPodUID
		}
		if a.Resolved != c.resolved || by != c.by {
			t.Errorf("%s: resolved %t by %q, want %t by %q", c.name, a.Resolved, by, c.resolved, c.by)
		}
	}
}
