package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// fill is what surrounds the incidents: nodes that live, workloads with a volume and workloads without one.
type fill struct {
	size             // how many nodes, pods and volumes it adds
	firstNode    int // number in the cluster
	firstAddress int
	stateful     *unit
	plain        *unit
	node         *nodeStencil
	namespace    *cutter
	namespaceDoc text
	empty        map[string]string // lists without items that a namespace has, by path below it
	tails        map[string]string // ends of its other lists
	hot          *cutter           // of the lines that are repeated ten times in a second
	repeat       []line
}

// unit is one innocent workload: a Deployment with its pods, and a volume or none.
type unit struct {
	*cutter
	lists              map[string][]text // items by path below a namespace
	volume, attachment text
	handle             string // as recorded
	created            time.Time
	lines, brief       [roles][]line // brief is the log at -v=2
	resync             []line        // what the controller says of it every fifteen seconds, at -v=4
	pods               int
}

// nodeStencil is a node that lives, with what it has in other files.
type nodeStencil struct {
	*cutter
	node, csi, lease, pod text
	created               time.Time
}

// unitsPerNamespace keeps a namespace's list of pods at about a megabyte.
const unitsPerNamespace = 150

func (p *plan) newFill(s size, firstNode int) (*fill, error) {
	rec, err := load(quiet)
	if err != nil {
		return nil, err
	}
	f := &fill{size: s, firstNode: firstNode, firstAddress: (len(p.cells) + 1) * addressesOfCell, empty: map[string]string{},
		tails: map[string]string{}}
	if f.stateful, err = p.newUnit(rec, "reports"); err != nil {
		return nil, err
	}
	if f.plain, err = p.newUnit(rec, "frontend"); err != nil {
		return nil, err
	}
	if f.node, err = newNodeStencil(rec, f.stateful); err != nil {
		return nil, err
	}
	f.namespace = newCutter(rec, "")
	f.namespaceDoc = f.namespace.cut(rec.files["namespaces/backoffice/backoffice.yaml"], nil)
	for path := range f.stateful.lists {
		f.tails[path] = tail(rec.files["namespaces/backoffice/"+path])
	}
	for _, path := range rec.below("namespaces/default/") {
		below := strings.TrimPrefix(path, "namespaces/default/")
		if body := rec.files[path]; f.tails[below] == "" && strings.Contains(body, "\nitems: []\n") {
			f.empty[below] = body
		}
	}
	return f, f.loadRepeated(p.process[roleController])
}

// ownLists are the lists of a namespace that a unit has items in.
var ownLists = []string{"core/pods.yaml", "core/persistentvolumeclaims.yaml", "core/events.yaml",
	"apps/deployments.yaml", "apps/replicasets.yaml"}

// newUnit cuts a workload of the namespace backoffice out of a recording.
func (p *plan) newUnit(rec *recording, workload string) (*unit, error) {
	u := &unit{cutter: newCutter(rec, workload), lists: map[string][]text{}}
	of := regexp.MustCompile(`\b` + workload + `\b`)
	for _, path := range ownLists {
		for _, item := range items(rec.files["namespaces/backoffice/"+path]) {
			if !of.MatchString(item) {
				continue
			}
			u.lists[path] = append(u.lists[path], u.cut(item, nil))
			switch path {
			case "core/pods.yaml":
				u.pods++
			case "apps/deployments.yaml":
				st, ok := readStamp(strings.Trim(field(item, "creationTimestamp"), `"`))
				if !ok {
					return nil, fmt.Errorf("the Deployment %s has no time", workload)
				}
				u.created = st.at
			}
		}
	}
	name := u.addVolume()
	if u.pods == 0 || u.created.IsZero() || (name != "") != (u.attachment != nil) {
		return nil, fmt.Errorf("%s has no workload %s as it is wanted", rec.name, workload)
	}
	about := func(l string, t text) bool {
		return (of.MatchString(l) || name != "" && strings.Contains(l, name)) && u.about(l, t)
	}
	for r := range roles {
		all := u.cutLines(rec.files[rec.logPath(r)], p.process[r], about)
		u.sortLines(r, all)
	}
	return u, nil
}

// addVolume cuts the volume of a claim of the unit and its attachment, and returns the name of the volume.
func (u *unit) addVolume() string {
	name := ""
	claim := u.workload + "-data\n"
	for _, path := range u.rec.below(volumeFolder) {
		if doc := u.rec.files[path]; strings.Contains(doc, "name: "+claim) {
			u.volume, name = u.cut(doc, nil), field(doc, "name")
			u.handle = handleLine.FindStringSubmatch(doc)[1]
		}
	}
	for _, path := range u.rec.below(attachmentFolder) {
		if doc := u.rec.files[path]; name != "" && strings.Contains(doc, "persistentVolumeName: "+name) {
			u.attachment = u.cut(doc, nil)
		}
	}
	return name
}

// early is how long a workload takes to start; period is that of the controller's round through all volumes, less its own length.
const (
	early  = 30 * time.Second
	period = 14 * time.Second
)

var (
	atTwo = regexp.MustCompile(`\] "(?:Too few replicas|attacherDetacher.AttachVolume started|` +
		`Claim entered phase|Volume entered phase|Volume bound to claim)"|AttachVolume.Attach succeeded`)
	resyncLine = regexp.MustCompile(` pv_controller(?:_base)?\.go:`)
)

// sortLines keeps the lines of the workload's start, those of them that are logged at -v=2, and one round of the volume controller.
func (u *unit) sortLines(of role, all []line) {
	round := u.created.Add(time.Minute)
	for _, l := range all {
		recorded := string((&copied{names: u.recorded()}).append(nil, l.text))
		if l.at.Sub(u.created) < early {
			u.lines[of] = append(u.lines[of], l)
			if of != roleController || atTwo.MatchString(recorded) {
				u.brief[of] = append(u.brief[of], l)
			}
		}
		if of == roleController && !l.at.Before(round) && l.at.Sub(round) < period && resyncLine.MatchString(recorded) {
			u.resync = append(u.resync, l)
		}
	}
}

// newNodeStencil cuts the node on which a unit runs. What is attached to it is left out: it follows from the plan.
func newNodeStencil(rec *recording, u *unit) (*nodeStencil, error) {
	s := &nodeStencil{cutter: newCutter(rec, "")}
	var name string
	for _, item := range items(rec.files["namespaces/backoffice/core/pods.yaml"]) {
		if field(item, "nodeName") != "" && strings.HasPrefix(field(item, "name"), u.workload) {
			name = field(item, "nodeName")
		}
	}
	path := nodeFolder + name + ".yaml"
	doc, _, cut := strings.Cut(rec.files[path], "  volumesAttached:\n")
	st, ok := readStamp(strings.Trim(field(doc, "creationTimestamp"), `"`))
	if !cut || !ok || rec.lost[name] || slices.Index(rec.nodes, name) < 0 {
		return nil, fmt.Errorf("%s has no living node with volumes for %s", rec.name, u.workload)
	}
	s.created = st.at
	s.node = s.cut(doc, rec.freshIn(path, doc))
	s.csi = s.cut(rec.files[csiNodeFolder+name+".yaml"], nil)
	for _, item := range items(rec.files[sharedPath[nodeLeases]]) {
		if field(item, "name") == name {
			s.lease = s.cut(item, rec.freshIn(sharedPath[nodeLeases], item))
		}
	}
	for _, item := range rec.nodePodItems() {
		if strings.Contains(item, "nodeName: "+name) {
			s.pod = s.cut(item, nil)
		}
	}
	if s.csi == nil || s.lease == nil || s.pod == nil {
		return nil, fmt.Errorf("%s does not show all of %s", rec.name, name)
	}
	return s, nil
}

// loadRepeated takes the three lines that a controller wrote ten times in a second while a Deployment made no progress.
func (f *fill) loadRepeated(process string) error {
	rec, err := load(repeating)
	if err != nil {
		return err
	}
	f.hot = newCutter(rec, "")
	started := regexp.MustCompile(`deployment_controller.go:599\] "Started syncing deployment".*deployment="shop/`)
	for _, path := range rec.below("namespaces/") {
		if !strings.Contains(path, "/kube-controller-manager-standby") || !strings.HasSuffix(path, "/current.log") {
			continue
		}
		rows := strings.SplitAfter(rec.files[path], "\n")
		for i := len(rows) / 3; i+3 < len(rows); i++ {
			if three := rows[i : i+3]; started.MatchString(three[0]) && strings.Contains(three[1], "for a progress check now") &&
				strings.Contains(three[2], "Finished syncing deployment") {
				f.repeat = f.hot.cutLines(strings.Join(three, ""), process, nil)
				return nil
			}
		}
	}
	return fmt.Errorf("%s repeats no lines", repeating)
}

// The units of both kinds are one row, evenly mixed.

// units is how many units there are, stateful ones first in the count.
func (f *fill) units() (all, stateful int) {
	plain := (f.pods - f.nodes - f.volumes) / f.plain.pods
	return f.volumes + plain, f.volumes
}

// at is the unit at a place of the row, and its number among those of its kind.
func (f *fill) at(x int) (u *unit, ordinal int) {
	all, stateful := f.units()
	if before := x * stateful / all; (x+1)*stateful/all > before {
		return f.stateful, before
	}
	return f.plain, x - x*stateful/all
}

// place is where in the row the stateful unit with a number is.
func (f *fill) place(ordinal int) int {
	all, stateful := f.units()
	return ((ordinal+1)*all+stateful-1)/stateful - 1
}

// Identities of copies: the control plane is 0, the cells count from 1, and the others are far from them.
const (
	unitIDs = 1 << 32
	nodeIDs = 2 << 32
)

// identity is what sets the unit at a place apart.
func (f *fill) identity(seed uint64, x int) identity {
	u, ordinal := f.at(x)
	node := func(n int) int { return f.firstNode + (ordinal+n)%f.nodes }
	return identity{
		seed: seed, id: uint64(unitIDs + x), nodes: []int{node(0), node(1)}[:u.pods],
		namespace: func(string) string { return teamName(x / unitsPerNamespace) },
		workload:  fmt.Sprintf("%s-%06d", u.workload, x),
		address:   f.firstAddress + x*2,
	}
}

func teamName(n int) string { return fmt.Sprintf("team-%04d", n+1) }

// starts is when the unit at a place was created: one after the other, from five minutes after the logs begin.
func (f *fill) starts(x int) time.Time {
	all, _ := f.units()
	window := span - 10*time.Minute
	return capture.Add(-span + 5*time.Minute + time.Duration(float64(window)*float64(x)/float64(all)).Truncate(time.Second))
}

// copyOf is the unit at a place under its names.
func (f *fill) copyOf(seed uint64, x int) copied {
	u, _ := f.at(x)
	return copied{names: u.names(f.identity(seed, x)), shift: f.starts(x).Sub(u.created), fresh: 0}
}
