package reconstruct

import (
	"slices"

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

	nodeNames  []string
	nodeAt     map[string]int   // of the newest copy in Nodes
	podsAt     map[string][]int // by namespace/name, in Pods
	podsOn     map[string][]int // by node, in Pods
	unplaced   []int            // in Pods, those that no node was chosen for
	claims     [][]string       // of each pod, the names of its claims
	inOrder    []int            // places in Attachments
	targets    []target         // what each attachment attaches
	attachAt   map[string][]int // by PersistentVolume, in Attachments
	attachTo   map[target]int   // the first that attaches a volume to a node, in Attachments
	attachName map[string]int   // by the attachment's own name
	listed     map[model.Listed]bool
	byVolume   map[*Volume][]*model.Observation
	nodeLists  map[entry]*model.Observation // the first of each
	byNode     map[string][]*model.Observation
	byPod      map[string][]*model.Observation // by namespace/name
	byAttach   map[string][]*model.Observation // by VolumeAttachment name
	byKind     map[model.Kind][]*model.Observation
	byWorkload map[string][]*model.Observation // WorkloadScaled and WorkloadChanged, by the workload's Key
	inputs     map[string]int                  // by path, in Axis.Inputs
	logsOf     map[string][]int                // by container, in Axis.Inputs
	logs       map[string][]*model.Input       // by component
	scheduled  map[string][]*model.Observation // by family
	volumePods map[*Volume][]int               // in Pods
	podsAtNode map[seat][]int                  // in Pods
	users      map[*Volume]refs                // pods that a binding's statement names
	used       map[string][]*Volume            // by namespace/name of those
	agreed     map[*model.Observation][]*model.Observation
}

// NewWorld resolves a snapshot.
func NewWorld(s *model.Snapshot) *World {
	axis := Clocks(s)
	w := &World{
		Snapshot: s, Axis: axis, Volumes: NewVolumes(s, axis.Observations),
		Pods: model.Newest(s.Pods), Nodes: model.Newest(s.Nodes), Attachments: model.Newest(s.VolumeAttachments),
		byVolume: map[*Volume][]*model.Observation{}, byNode: map[string][]*model.Observation{}, byPod: map[string][]*model.Observation{},
		byAttach: map[string][]*model.Observation{}, byKind: map[model.Kind][]*model.Observation{}, byWorkload: map[string][]*model.Observation{}, scheduled: map[string][]*model.Observation{},
	}
	w.indexObjects()
	w.indexInputs()
	w.indexObservations()
	w.indexPods()
	w.indexUsers()
	w.takeInventory()
	w.findVersion()
	return w
}

func (w *World) indexObservations() {
	names := map[string]bool{}
	w.agreed, w.nodeLists = map[*model.Observation][]*model.Observation{}, map[entry]*model.Observation{}
	finer := newFiner(w.Axis.Observations)
	var drivers []*model.Observation
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		if same := finer.again(o); same != nil {
			if same.Source.Kind != model.SourceMetric { // of two sources of samples one may be a copy of the other
				w.agreed[same] = append(w.agreed[same], o)
			}
			continue
		}
		if o.Component == driverComponent && o.Attachment == "" {
			drivers = append(drivers, o)
		}
		w.byKind[o.Kind] = append(w.byKind[o.Kind], o)
		if o.Node != "" && o.Component != driverComponent { // which has names of its own for nodes
			w.byNode[o.Node] = append(w.byNode[o.Node], o)
			names[o.Node] = true
		}
		for _, h := range o.Holders {
			names[h] = true
		}
		if o.Pod.Name != "" {
			w.byPod[o.Pod.String()] = append(w.byPod[o.Pod.String()], o)
		}
		if o.Kind == model.WorkloadScaled || o.Kind == model.WorkloadChanged {
			w.byWorkload[o.Object.Key()] = append(w.byWorkload[o.Object.Key()], o)
		}
		if o.Kind == model.PodScheduled {
			w.scheduled[family(o.Pod)] = append(w.scheduled[family(o.Pod)], o)
		}
		if o.Attachment != "" {
			w.byAttach[o.Attachment] = append(w.byAttach[o.Attachment], o)
		}
		if v := w.Volumes.Find(o.Volume); v != nil {
			for _, s := range v.Same() { // the controller tells of the handle, whatever PersistentVolume it names
				w.tell(s, o)
			}
			if v.SharesHandle() {
				w.tell(w.Volumes.either[v.UniqueName], o)
			}
		}
	}
	w.hearDrivers(drivers)
	for _, n := range w.Nodes {
		names[n.Value().Name] = true
	}
	for _, n := range w.Snapshot.CSINodes {
		names[n.Value().Name] = true
	}
	for _, a := range w.targets {
		names[a.node] = true
	}
	for n := range names {
		w.nodeNames = append(w.nodeNames, n)
	}
	slices.Sort(w.nodeNames)
}

// tell notes that an observation is about a volume.
func (w *World) tell(v *Volume, o *model.Observation) {
	w.byVolume[v] = append(w.byVolume[v], o)
	if o.Kind != model.NodeVolumesInUse && o.Kind != model.NodeVolumesAttached {
		return
	}
	if e := (entry{o.Kind, v, o.Node}); w.nodeLists[e] == nil {
		w.nodeLists[e] = o
	}
}

// seat is where a volume is used.
type seat struct {
	volume *Volume
	node   string
}

func (w *World) indexPods() {
	w.volumePods, w.podsAtNode = map[*Volume][]int{}, map[seat][]int{}
	for i, p := range w.Pods {
		for _, claim := range w.claims[i] {
			if v := w.Volumes.OfClaim(p.Ref.Namespace, claim); v != nil {
				w.volumePods[v] = append(w.volumePods[v], i)
				at := seat{v, p.Value().Spec.NodeName}
				w.podsAtNode[at] = append(w.podsAtNode[at], i)
			}
		}
	}
}

// findVersion takes the newest version that a kube-controller-manager states, else the kubelets' lowest.
func (w *World) findVersion() {
	for _, o := range w.byKind[model.ProcessVersion] {
		if o.Component != "kube-controller-manager" {
			continue
		}
		if v, ok := upstream.ParseVersion(o.Detail); ok {
			w.Version, w.VersionO = v, o
		}
	}
	if w.Version.Known() {
		return
	}
	lowest := func(text string) bool {
		v, ok := upstream.ParseVersion(text)
		if ok = ok && (!w.Version.Known() || w.Version.AtLeast(v.Minor, v.Patch)); ok {
			w.Version = v
		}
		return ok
	}
	for _, n := range w.Nodes {
		lowest(n.Value().Status.NodeInfo.KubeletVersion)
	}
	if w.Version.Known() {
		return
	}
	for _, o := range w.byKind[model.ProcessVersion] {
		if o.Source.Kind == model.SourceMetric && lowest(o.Detail) {
			w.VersionO = o
		}
	}
}

// PodsOf are the pods in the bundle that use a volume.
func (w *World) PodsOf(v *Volume) []model.Object[*corev1.Pod] { return picked(w.Pods, w.volumePods[v]) }
