// Package scenario holds what can be recorded: one file per kind of incident.
package scenario

import (
	"fmt"
	"time"
)

// Scenario is one incident that can be brought about.
type Scenario struct {
	Name string
	// Title is the lesson in one line: the heading of the recording's README.
	Title string
	// Class is the cause as truth.json names it; score tools know the words.
	Class string
	// What says in one sentence what is done to the cluster.
	What string
	// Needs is what the cluster must be like.
	Needs Needs
	// Notice and Believed are the last two sections of the README. They hold what is true of each run, and no times.
	Notice   string
	Believed []string
	// Play does it. It returns when the bundle is to be collected.
	Play func(*Stage)
}

// Needs are the demands of a scenario on its cluster; zero is the usual.
type Needs struct {
	Workers, Masters int
	Zones            []string
	ControllerFlags  []string // more flags of kube-controller-manager
	Metrics          bool     // kube-state-metrics and Prometheus run beside the cluster
}

// All lists every scenario, in the order of the README.
func All() []*Scenario {
	return []*Scenario{smoke, handover, slowStop, preStopSlow, rolloutSurge,
		nodeDeleted, nobodyActs, outOfService, forceDelete, forceDetachDisabled, podAndAttachment, attachmentErased,
		kubeletFrozen, frozenForceDelete, kubeletRestarted, kubeletResumed, taintAlive, nodeDeletedAlive,
		unmountStuck, holderEnded, sharedClaim, drainedApart, scaledToOne, daemonSet,
		statefulSet, parallelTainted, beforeMultiAttach, attacherDown, attacherRestarted, finalizerRemoved, controllerFailover,
		detachFailing, attachFailing, slowDetach, manyVolumes,
		twoIncidents, nodeReturns, reboot, tolerationZero, zoneTrap, oncePod, virtualMachine}
}

// Find returns the scenario of a name.
func Find(name string) (*Scenario, error) {
	for _, s := range All() {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, fmt.Errorf("no scenario %q", name)
}

// How long the recorder watches something that does not end by itself, and how long after a report the operator acts.
const (
	watched = 3 * time.Minute
	reacts  = 40 * time.Second
)
