package main

import (
	"fmt"
	"time"
)

// capture is when the bundle is collected; span is how long before that its logs begin. Events live for an hour.
var capture = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)

const span = 55 * time.Minute

// singles are the recordings with one volume to use in turn; crowd has 15. All are of one version and log form, without cluster-wide
// faults.
var singles = []string{"node-lost-nobody-acts", "statefulset", "pod-and-attachment-deleted", "shared-claim", "detach-failing",
	"out-of-service", "handover"}

// addressesOfCell is more than the pods of a recording have.
const addressesOfCell = 128

const (
	crowd        = "many-volumes"
	crowdVolumes = 15
	// controlPlane hosts all else; quiet has the innocent workloads, at -v=4; repeating has the controller that repeats three lines.
	controlPlane = "clean"
	quiet        = "out-of-service"
	repeating    = "controller-failover"
)

// plan is what a bundle will hold.
type plan struct {
	size
	base    *cell
	cells   []*cell
	fill    *fill
	process [roles]string
}

// cell is a recording that is used as a whole: the control plane, or one with incidents.
type cell struct {
	*cutRecording
	id    identity
	as    copied
	early time.Duration // by which it ended before the collection
}

// cutRecording is a recording cut up, once for all of its copies.
type cutRecording struct {
	*cutter
	files    []cutFile
	shared   [sharedLists][]text // items for lists that all copies share
	lines    [roles][]line
	affected []text
	open     bool // something of it was not over when it was collected
	volumes  int
	pods     int
}

// newPlan decides which recordings are used how often, and where.
func newPlan(s size) (*plan, error) {
	p := &plan{size: s}
	byName := map[string]*cutRecording{}
	base, err := p.cutBase()
	if err != nil {
		return nil, err
	}
	p.base = &cell{cutRecording: base, early: span - base.rec.truth.SnapshotAt.Sub(base.rec.truth.RecordingBegin).Truncate(time.Second)}
	taken := size{nodes: 1}
	p.place(p.base, 0, &taken)
	for i, name := range p.choose() {
		t, ok := byName[name]
		if !ok {
			if t, err = p.cutIncidents(name); err != nil {
				return nil, err
			}
			byName[name] = t
		}
		c := &cell{cutRecording: t}
		if !t.open {
			_, low := hash(s.seed, uint64(i+1), "early")
			c.early = time.Duration(low%1800) * time.Second
		}
		p.place(c, i+1, &taken)
		p.cells = append(p.cells, c)
	}
	fill := size{nodes: s.nodes - taken.nodes, volumes: s.volumes - taken.volumes, pods: s.pods - taken.pods}
	if fill.nodes < 1 || fill.volumes < 0 || fill.pods < fill.nodes+fill.volumes {
		return nil, fmt.Errorf("%d incidents take %d nodes, %d pods and %d volumes of %d, %d and %d; hint: fewer incidents, "+
			"or a larger cluster: each node has a pod of the driver, each volume a pod",
			s.incidents, taken.nodes, taken.pods, taken.volumes, s.nodes, s.pods, s.volumes)
	}
	p.fill, err = p.newFill(fill, taken.nodes)
	return p, err
}

// place gives the cell of a number its names and times, and counts what it takes of the cluster.
func (p *plan) place(c *cell, i int, taken *size) {
	c.id = identity{seed: p.seed, id: uint64(i), address: i * addressesOfCell, namespace: func(n string) string {
		if i == 0 {
			return n
		}
		return fmt.Sprintf("%s-%04d", n, i)
	}}
	for range c.rec.nodes {
		c.id.nodes = append(c.id.nodes, taken.nodes)
		taken.nodes++
	}
	fresh := capture.Sub(c.rec.truth.SnapshotAt.Truncate(time.Second))
	c.as = copied{names: c.names(c.id), fresh: fresh, shift: fresh - c.early}
	taken.pods += c.pods
	taken.volumes += c.volumes
}

// choose names the recordings to use: three incidents of four come in crowds, as they do where a node is lost.
func (p *plan) choose() []string {
	var out []string
	crowds := p.incidents / (crowdVolumes + 5)
	for range crowds {
		out = append(out, crowd)
	}
	for i := range p.incidents - crowds*crowdVolumes {
		out = append(out, singles[i%len(singles)])
	}
	// The places depend on the seed.
	for i := len(out) - 1; i > 0; i-- {
		_, low := hash(p.seed, uint64(i), "place")
		j := int(low % uint64(i+1))
		out[i], out[j] = out[j], out[i]
	}
	return out
}
