package main

import (
	"bufio"
	"container/heap"
	"regexp"
	"strings"
	"time"
)

// role is one of the logs that all copies share.
type role int

const (
	roleController role = iota
	roleAttacher
	roleDriver
	roleScheduler
	roles
)

// rolePath recognises the log of each role by its path.
var rolePath = [roles]*regexp.Regexp{
	roleController: regexp.MustCompile(`/pods/kube-controller-manager-(?:ip|master)[^/]*` +
		`/kube-controller-manager/kube-controller-manager/logs/current\.log$`),
	roleAttacher:  regexp.MustCompile(`/pods/csi-controller-[^/]*/csi-attacher/csi-attacher/logs/current\.log$`),
	roleDriver:    regexp.MustCompile(`/pods/csi-controller-[^/]*/csi-driver/csi-driver/logs/current\.log$`),
	roleScheduler: regexp.MustCompile(`/pods/kube-scheduler-[^/]*/kube-scheduler/kube-scheduler/logs/current\.log$`),
}

// logPath is where a recording has the log of a role.
func (r *recording) logPath(of role) string {
	for _, path := range r.below("namespaces/") {
		if rolePath[of].MatchString(path) {
			return path
		}
	}
	return ""
}

// header is what containers and klog put before a message: two times and the process.
var header = regexp.MustCompile(`^(2026-\S+ std(?:out|err) F [IWEF]1121 [0-9:.]+)( +\d+) `)

// process is the number of the process that wrote a log, with its blanks.
func process(log string) string {
	for l := range strings.Lines(log) {
		if m := header.FindStringSubmatch(l); m != nil {
			return m[2]
		}
	}
	return ""
}

// cutLines cuts the lines of a log that want says yes to. One process writes the whole log of the generated cluster.
func (c *cutter) cutLines(log, process string, want func(string, text) bool) []line {
	var out []line
	for l := range strings.Lines(log) {
		if m := header.FindStringSubmatchIndex(l); m != nil {
			l = l[:m[4]] + process + l[m[5]:]
		}
		stampText, _, _ := strings.Cut(l, " ")
		st, ok := readStamp(stampText)
		if !ok {
			continue
		}
		t := c.cut(l, nil)
		if want == nil || want(l, t) {
			out = append(out, line{at: st.at, text: t, size: len(l)})
		}
	}
	return out
}

// about reports whether a line is about a recording's workloads and nodes, and not its control plane.
func (c *cutter) about(l string, t text) bool {
	if strings.Contains(l, "kube-system") || strings.Contains(l, "openshift-cluster") || strings.Contains(l, "openshift-kube") {
		return false
	}
	own := strings.Contains(l, "pvc-")
	for _, p := range t {
		if p.entity < 0 {
			continue
		}
		switch e := c.entities[p.entity]; e.kind {
		case kindNode, kindNodeIP, kindInstance:
			if e.node < 0 {
				return false
			}
			own = true
		case kindNamespace, kindAttachment, kindHandle:
			own = true
		}
	}
	return own
}

type player struct {
	lines []line
	as    copied
	next  time.Time
	order int // of players, so that equal times have an order
}

// feeder makes players, one for each copy, when their first line is due: only those that overlap are in memory.
type feeder struct {
	count int
	first func(i int) time.Time
	open  func(i int) *player
	done  int
}

type queue []*player

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	if !q[i].next.Equal(q[j].next) {
		return q[i].next.Before(q[j].next)
	}
	return q[i].order < q[j].order
}
func (q *queue) Push(x any) { *q = append(*q, x.(*player)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func merge(out *bufio.Writer, feeders []*feeder) error {
	var q queue
	var buffer []byte
	opened := 0
	for {
		for _, f := range feeders {
			for f.done < f.count && (len(q) == 0 || !f.first(f.done).After(q[0].next)) {
				p := f.open(f.done)
				f.done++
				opened++
				if p == nil || len(p.lines) == 0 {
					continue
				}
				p.next, p.order = p.lines[0].at.Add(p.as.shift), opened
				heap.Push(&q, p)
			}
		}
		if len(q) == 0 {
			return nil
		}
		p := q[0]
		buffer = p.as.append(buffer[:0], p.lines[0].text)
		if _, err := out.Write(buffer); err != nil {
			return err
		}
		p.lines = p.lines[1:]
		if len(p.lines) == 0 {
			heap.Pop(&q)
			continue
		}
		// Container runtimes stamp lines a little out of order; each recording keeps the order that it has.
		if next := p.lines[0].at.Add(p.as.shift); next.After(p.next) {
			p.next = next
		}
		heap.Fix(&q, 0)
	}
}
