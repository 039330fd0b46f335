// Package facts has the statements of a bundle by what they are about: on one time axis, with names resolved to volumes and nodes.
// It knows no wait: that is the business of package wait.
package facts

import (
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// World is the snapshot put onto one time axis with its names resolved. It is read-only once made.
type World struct {
	Snapshot *model.Snapshot
	Axis     Axis
	Volumes  *Volumes
	Version  upstream.Version // of the kube-controller-manager, or of the kubelets when it is not known
	VersionO *model.Observation

	Pods        []model.Object[*corev1.Pod] // newest copies
	Nodes       []model.Object[*corev1.Node]
	Attachments []model.Object[*storagev1.VolumeAttachment]
	Inventory

	Collected model.Collected

	NodeNames  []string
	PodsOn     map[string][]int // by node, in Pods; by "" those that no node was chosen for
	PodClaims  [][]string       // of each pod, the names of its claims
	podNode    []string         // of each pod
	inOrder    []int            // places in Attachments
	targets    []target         // what each attachment attaches
	attachAt   map[string][]int // by PersistentVolume, in Attachments
	attachTo   map[target]int   // the first that attaches a volume to a node, in Attachments
	listed     map[model.Listed]bool
	ByVolume   statements[*Volume]
	ByNode     statements[string]
	ByPod      statements[string] // by namespace/name
	ByAttach   statements[string] // by VolumeAttachment name
	ByKind     statements[model.Kind]
	ByWorkload statements[string]             // what was done to workloads, by the workload's Key
	claimEvent statements[string]             // by namespace/name of the claim, but for its object
	Inputs     map[string]*model.Input        // by path
	logsOf     Index[string, *model.Input]    // by container
	Logs       Index[string, *model.Input]    // by component
	Scheduled  statements[string]             // by family
	Users      map[*Volume]Refs               // pods that a binding's statement names
	Used       map[string][]*Volume           // by namespace/name of those
	Agreed     statements[*model.Observation] // the samples of metrics that say what a log, an event or an object says with a finer time
	outdated   map[*model.Observation]bool    // rows that a newer one about the same thing ends
}

// NewWorld resolves a snapshot.
func NewWorld(s *model.Snapshot) *World {
	axis := Clocks(s)
	s = axis.snapshot
	w := &World{
		Snapshot: s, Axis: axis, Collected: s.Collected(), Volumes: NewVolumes(s, axis.Observations),
		Pods: model.Newest(s.Pods), Nodes: model.Newest(s.Nodes), Attachments: model.Newest(s.VolumeAttachments),
		ByVolume: statements[*Volume]{}, ByKind: statements[model.Kind]{}, ByNode: statements[string]{}, ByPod: statements[string]{},
		ByAttach: statements[string]{}, ByWorkload: statements[string]{}, Scheduled: statements[string]{}, claimEvent: statements[string]{},
		Agreed: statements[*model.Observation]{},
		Inputs: map[string]*model.Input{}, logsOf: Index[string, *model.Input]{}, Logs: Index[string, *model.Input]{},
	}
	w.indexObjects()
	w.indexInputs()
	w.indexObservations()
	w.indexUsers()
	w.findVersion()
	return w
}

// Index has things by what they are about, in their order; statements are observations so.
type (
	Index[K comparable, V any] map[K][]V
	statements[K comparable]   = Index[K, *model.Observation]
)

// Add notes a thing; one that is about nothing is left out.
func (x Index[K, V]) Add(key K, thing V) {
	var nothing K
	if key != nothing {
		x[key] = append(x[key], thing)
	}
}

func (w *World) indexObservations() {
	w.Axis.Observations = endInOrder(w.Axis.Observations)
	finer := newFiner(w.Axis.Observations)
	w.outdated = outdated(w.Snapshot, w.Axis.Observations)
	var drivers []*model.Observation
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if w.outdated[o] {
			continue
		}
		if o.Claim.Name != "" && o.Source.Kind != model.SourceManifest {
			w.claimEvent.Add(o.Claim.String(), o)
		}
		if same := finer.again(o); same != nil {
			if !FromMetric(same) { // of two sources of samples one may be a copy of the other
				w.Agreed.Add(same, o)
			}
			continue
		}
		if o.Component == driverComponent && o.Attachment == "" {
			drivers = append(drivers, o)
		}
		w.note(o)
	}
	w.hearDrivers(drivers)
	names := slices.Collect(maps.Keys(w.ByNode))
	for _, n := range w.Nodes {
		names = append(names, n.Ref.Name)
	}
	for _, n := range w.Snapshot.CSINodes {
		names = append(names, n.Value().Name)
	}
	for _, a := range w.targets {
		names = append(names, a.node)
	}
	w.NodeNames = append(w.NodeNames, names...)
	slices.Sort(w.NodeNames)
	w.NodeNames = slices.Compact(w.NodeNames)
}

// note has an observation by all that it is about.
func (w *World) note(o *model.Observation) {
	w.ByKind.Add(o.Kind, o)
	if ByCloud(o) {
		return // its names are the cloud's
	}
	w.ByAttach.Add(o.Attachment, o)
	w.NodeNames = append(w.NodeNames, o.Holders...)
	if o.Component != driverComponent && o.Kind != model.AuthorSaid { // which have names of their own for nodes
		w.ByNode.Add(o.Node, o)
	}
	if o.Pod.Name != "" {
		w.ByPod.Add(o.Pod.String(), o)
	}
	switch o.Kind {
	case model.WorkloadScaled, model.WorkloadChanged, model.StrategyChanged:
		w.ByWorkload.Add(o.Object.Key(), o)
	case model.PodScheduled:
		w.Scheduled.Add(Family(o.Pod), o)
	}
	if v := w.Volumes.Find(o.Volume); v != nil {
		for _, s := range v.Same() { // the controller means the handle, whatever PersistentVolume it names
			w.ByVolume.Add(s, o)
		}
		if v.SharesHandle() {
			w.ByVolume.Add(w.Volumes.either[v.UniqueName], o)
		}
	}
}

// findVersion takes the newest version that a kube-controller-manager states, else the kubelets' lowest.
func (w *World) findVersion() {
	for _, o := range w.ByKind[model.ProcessVersion] {
		if v, ok := upstream.ParseVersion(o.Detail); ok && o.Component == ControllerManager {
			w.Version, w.VersionO = v, o
		}
	}
	if w.Version.Known() {
		return
	}
	lowest := func(text string, o *model.Observation) {
		if v, ok := upstream.ParseVersion(text); ok && (!w.Version.Known() || w.Version.AtLeast(v.Minor, v.Patch)) {
			w.Version, w.VersionO = v, o
		}
	}
	for _, n := range w.Nodes {
		lowest(n.Value().Status.NodeInfo.KubeletVersion, nil)
	}
	if !w.Version.Known() {
		shows := func(o *model.Observation) bool { return FromMetric(o) || o.Source.Kind == model.SourceText }
		for _, o := range Where(w.ByKind[model.ProcessVersion], shows) {
			lowest(o.Detail, o)
		}
	}
}

// podsOf are the places of the pods that use a volume: those that name the claim which it is for.
func (w *World) podsOf(v *Volume) []int {
	if v == nil || w.Volumes.OfClaim(v.Claim.Namespace, v.Claim.Name) != v {
		return nil
	}
	return w.claimPods[v.Claim.Namespace+"/"+v.Claim.Name]
}

// PodsOf are the pods in the bundle that use a volume.
func (w *World) PodsOf(v *Volume) []model.Object[*corev1.Pod] { return Picked(w.Pods, w.podsOf(v)) }

// PodsAt are those of them that are on a node; of many pods with many volumes, few are, and each costs its reading.
func (w *World) PodsAt(v *Volume, node string) []model.Object[*corev1.Pod] {
	return Picked(w.Pods, Where(w.podsOf(v), func(n int) bool { return w.podNode[n] == node }))
}

// AtCollection is the world with the objects of the newest collection only: objects of different collections never met.
func (w *World) AtCollection() *World {
	newest, ok := w.newestCollection()
	if !ok {
		return w
	}
	inputs := map[string]bool{}
	for _, in := range w.Snapshot.Inputs {
		if c := w.Collected.Of(in.Path); c == nil || c.Root == newest {
			inputs[in.Path] = true
		}
	}
	s := w.Snapshot.OfInputs(inputs)
	s.Lists = slices.DeleteFunc(slices.Clone(s.Lists), func(l model.Listed) bool { return l.Collection != "" && l.Collection != newest })
	now := *w
	now.Snapshot = s
	now.Pods, now.Nodes, now.Attachments = model.Newest(s.Pods), model.Newest(s.Nodes), model.Newest(s.VolumeAttachments)
	now.indexObjects()
	return &now
}

// newestCollection is the newest of several collections that hold something of this cluster.
func (w *World) newestCollection() (string, bool) {
	present := map[string]bool{}
	for _, in := range w.Snapshot.Inputs {
		if in.Kind == model.InputManifests {
			if c := w.Collected.Of(in.Path); c != nil {
				present[c.Root] = true
			}
		}
	}
	if len(present) < 2 {
		return "", false
	}
	for _, c := range slices.Backward(w.Snapshot.Collections) {
		if present[c.Root] {
			return c.Root, true
		}
	}
	return "", false
}

// LogReaches reports whether the log of an observation, or another of its container, begins before a time: then its silence counts.
func (w *World) LogReaches(o *model.Observation, t time.Time) bool {
	in := w.Inputs[o.Input]
	return in != nil && slices.ContainsFunc(append([]*model.Input{in}, w.logsOf[containerOf(in)]...), func(in *model.Input) bool {
		return in.From != nil && !in.From.After(t)
	})
}

func (w *World) indexInputs() {
	for n := range w.Axis.Inputs {
		in := &w.Axis.Inputs[n]
		w.Inputs[in.Path] = in
		w.Logs.Add(in.Component, in)
		w.logsOf.Add(containerOf(in), in)
	}
}

// containerOf names the container that wrote a log, "" when that is not known.
func containerOf(in *model.Input) string {
	if in.Pod == "" {
		return ""
	}
	return in.Namespace + "/" + in.Pod + "/" + in.Container
}

// driverComponent is the controller part of a CSI driver.
const driverComponent = "csi-driver"

// hearDrivers ties the calls that CSI drivers log to the VolumeAttachments that they are for, where the external-attacher logs no
// call of its own: at its default verbosity it logs failures only.
func (w *World) hearDrivers(drivers []*model.Observation) {
	silent := map[string]bool{}
	calls := Kinds(model.AttacherAttaching, model.AttacherAttached, model.AttacherDetaching, model.AttacherDetached)
	for _, o := range drivers {
		v := w.Volumes.Find(o.Volume)
		if v == nil || v.Driver == "" || v.Handle == "" {
			continue
		}
		node := w.driverNode(v.Driver, o.Node)
		if node == "" {
			continue
		}
		name := model.AttachmentName(v.Handle, v.Driver, node)
		if _, asked := silent[name]; !asked {
			silent[name] = First(w.ByAttach[name], Window{}, calls) == nil
		}
		if silent[name] {
			w.ByAttach[name] = append(w.ByAttach[name], o)
		}
	}
	for name, alone := range silent {
		if alone {
			slices.SortStableFunc(w.ByAttach[name], (*model.Observation).Compare)
		}
	}
}

// driverNode is the Node that a driver calls by a name of its own: by its CSINode, by name, or by the last part of a path; "" for none.
func (w *World) driverNode(driver, id string) string {
	for _, n := range w.Snapshot.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			if d.Name == driver && d.NodeID == id {
				return n.Ref.Name
			}
		}
	}
	for _, name := range []string{id, id[strings.LastIndex(id, "/")+1:]} {
		if _, ok := w.Node(name); ok {
			return name
		}
	}
	return ""
}
