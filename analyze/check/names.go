package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// Copies of objects.
type (
	claim  = model.Object[*corev1.PersistentVolumeClaim]
	volume = model.Object[*corev1.PersistentVolume]
	pod    = model.Object[*corev1.Pod]
	node   = model.Object[*corev1.Node]
)

// inRow reports that a row of a table or a description of the bundle says it, and fromObject that an object itself does.
func inRow(o *model.Observation) bool      { return o.Source.Kind == model.SourceText }
func fromObject(o *model.Observation) bool { return o.Source.Kind == model.SourceManifest }

// sampledLast reports a sample of the last moment that the metrics show.
func sampledLast(w *facts.World, o *model.Observation) bool {
	later := func(p *model.Observation) bool { return p.Last.At.After(o.Last.At) }
	return o.Source.Kind == model.SourceMetric && !slices.ContainsFunc(w.ByKind[o.Kind], later)
}

// namesAny reports that an error names the pod or the volume that it is about.
func namesAny(o *model.Observation) bool { return o.Pod.Name != "" || !o.Volume.IsZero() }

// isEvent reports an Event with one of some reasons.
func isEvent(o *model.Observation, reasons ...string) bool {
	return o.Kind == model.KubernetesEvent && slices.Contains(reasons, o.Detail)
}

// maxNamed is how many names a sentence lists; the objects of the finding are complete.
const maxNamed = 3

// maxShown is how many objects of one finding are quoted.
const maxShown = 5

// maxError is how many characters of an error a sentence repeats; the quote has more.
const maxError = 300

func shorten(s string) string { return upstream.Excerpt(s, maxError) }

// first keeps the first few of what is to be quoted.
func first[T any](list []T) []T { return list[:min(len(list), maxShown)] }

// containsAny reports that a text has one of some words.
func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// grouped gathers items of one key, in the order in which the keys appear.
func grouped[T any, K comparable](list []T, key func(T) K) [][]T {
	var out [][]T
	at := map[K]int{}
	for _, item := range list {
		k := key(item)
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k], out = i, append(out, nil)
		}
		out[i] = append(out[i], item)
	}
	return out
}

// quoted cites the first few items.
func quoted[T any](list []T, cite func(T) []*model.Observation) []*model.Observation {
	return slices.Concat(facts.Each(first(list), cite)...)
}

// cite cites fields of the first few objects.
func cite[T any](list []model.Object[T], fields ...string) []*model.Observation {
	return quoted(list, func(o model.Object[T]) []*model.Observation { return facts.CiteAll(o, fields...) })
}

func refOf[T any](o model.Object[T]) model.Ref   { return o.Ref }
func nameOf[T any](o model.Object[T]) string     { return o.Ref.Name }
func fullNameOf[T any](o model.Object[T]) string { return o.Ref.String() }

// deref is what a field points to, or its default where nothing is said.
func deref[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// several names one thing, or counts and lists more of them.
func several(one, many string, names []string) string {
	if len(names) == 1 {
		return one + " " + names[0]
	}
	return fmt.Sprintf("%d %s (%s)", len(names), many, words.List(names))
}

func volumesText(names []string) string { return several("Volume", "volumes", names) }

// placed is a volume on a node, as the storage has it: see wait.Storage.
type placed struct {
	volume *facts.Volume
	node   string
}

// scene is what all checks share: the incidents, what the open ones report already, and indexes that are made once. An incident that is over says
// nothing of the state at the collection.
type scene struct {
	w            *facts.World
	cases        []*wait.Case
	held, wanted map[placed]bool
	pods         map[string]bool // by namespace/name
	byUID        map[string]pod  // kubelets name the UID and no namespace
	nodes        *topology
}

func newScene(w *facts.World, cases []*wait.Case) *scene {
	s := &scene{w, cases, map[placed]bool{}, map[placed]bool{}, map[string]bool{}, make(map[string]pod, len(w.Pods)), newTopology(w.Nodes)}
	for _, c := range cases {
		if c.Resolved() {
			continue
		}
		s.held[placed{c.Volume.Storage(), c.From}], s.wanted[placed{c.Volume.Storage(), c.To}] = true, true
		for _, p := range slices.Concat(c.OldPods, c.NewPods) {
			s.pods[p.String()] = true
		}
	}
	for _, p := range w.Pods {
		s.byUID[p.Ref.UID] = p
	}
	delete(s.byUID, "")
	return s
}

// about reports that an open incident is about a volume on a node, as the one that holds it or the one that wants it.
func (s *scene) about(p placed) bool { return s.held[p] || s.wanted[p] }

// waits reports that an open incident is about a pod.
func (s *scene) waits(p model.Ref) bool { return s.pods[p.String()] }

func nodeRef(name string) model.Ref   { return model.Ref{Kind: "Node", Name: name} }
func volumeRef(name string) model.Ref { return model.Ref{Kind: "PersistentVolume", Name: name} }
func classRef(name string) model.Ref  { return model.Ref{Kind: "StorageClass", Name: name} }

// claimRef names a claim; one from a log line has no kind.
func claimRef(claim model.Ref) model.Ref {
	claim.Kind = "PersistentVolumeClaim"
	return claim
}

// storageVolume and machine are the kinds of what only the storage's or the controller's own name is known of: no object of Kubernetes bears it.
const (
	storageVolume = "Volume"
	machine       = "Machine"
)

// volumeNamed is a volume by the best of its names.
func volumeNamed(w *facts.World, o *model.Observation) model.Ref {
	ref := volumeRef(volumeName(w, o))
	if v := w.Volumes.Find(o.Volume); v != nil && v.PersistentVolume == "" || v == nil && o.Volume.PersistentVolume == "" {
		ref.Kind = storageVolume
	}
	return ref
}

// nodeNamed is a node by the name that an error has for it, which can be its machine's in the cloud.
func nodeNamed(w *facts.World, o *model.Observation) model.Ref {
	ref := nodeRef(o.Node)
	if _, known := w.Node(o.Node); !known && o.Kind == model.AttacherFailed && machineID.MatchString(o.Node) {
		ref.Kind = machine
	}
	return ref
}

// machineID is what clouds call machines: a number, an instance of EC2, or a UUID.
var machineID = regexp.MustCompile(`^(?:\d+|i-[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// volumeRefs are the PersistentVolumes of some volumes.
func volumeRefs(list []*facts.Volume) []model.Ref {
	return facts.Each(facts.Where(list, func(v *facts.Volume) bool { return v.PersistentVolume != "" }), func(v *facts.Volume) model.Ref {
		return volumeRef(v.PersistentVolume)
	})
}

// withoutRepeats drops repeated items and keeps the order.
func withoutRepeats[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(item T) bool {
		twice := seen[item]
		seen[item] = true
		return twice
	})
}

// allowed are the names that Kubernetes gives objects; any other, such as one with a leading dash, could be an option in a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$`)

// refused stands in a command in place of a name that Kubernetes would refuse.
const refused = "NAME-THAT-KUBERNETES-REFUSES"

// word is a name as one word of a shell's command. The names of Kubernetes need no quotes; a bundle can hold any.
func word(name string) string {
	if !allowed.MatchString(name) {
		return refused
	}
	return name
}

// shellWords are several names.
func shellWords(names []string) string { return strings.Join(facts.Each(names, word), " ") }

// Need is an input that a check cannot do without.
type Need struct {
	What    string // as a noun phrase
	Command string // that collects it
	Met     func(*facts.World) bool
	Holds   []string // the kinds of object, or the components whose logs they are, of which one meets it
}

// The components whose logs are looked for, as ingest names them.
const (
	attacherLog   = "external-attacher"
	kubeletLog    = "kubelet"
	controllerLog = "kube-controller-manager"
)

const (
	attachmentsCommand = "kubectl get volumeattachments -o yaml --show-managed-fields"
	nodesCommand       = "kubectl get nodes -o yaml --show-managed-fields"
	volumesCommand     = "kubectl get pv -o yaml"
)

// A need of some objects is met by any of them, or by a list without any; a need of a list only by one that shows what does not exist.
var (
	needAttachments = Need{"the VolumeAttachments", attachmentsCommand, func(w *facts.World) bool {
		return len(w.Attachments) > 0 || w.Listed("VolumeAttachment", "")
	}, []string{"VolumeAttachment"}}
	needNodes = Need{"the Nodes", nodesCommand, func(w *facts.World) bool { return len(w.Nodes) > 0 }, []string{"Node"}}
	needPods  = Need{"the pods", "kubectl get pods -A -o yaml --show-managed-fields", func(w *facts.World) bool {
		return len(w.Pods) > 0 || w.Listed("Pod", "")
	}, []string{"Pod"}}
	needVolumes = Need{"the PersistentVolumes", volumesCommand, func(w *facts.World) bool {
		return len(w.Snapshot.PersistentVolumes) > 0 || w.Listed("PersistentVolume", "")
	}, []string{"PersistentVolume"}}

	needAttachmentList = needList("the list of the VolumeAttachments", attachmentsCommand, "VolumeAttachment")
	needNodeList       = Need{"the list of the Nodes", nodesCommand, nodesListed, []string{"Node"}}
	needVolumeList     = needList("the list of the PersistentVolumes", volumesCommand, "PersistentVolume")
)

func needList(what, command, kind string) Need {
	return Need{what, command, func(w *facts.World) bool { return w.Listed(kind, "") }, []string{kind}}
}

// A list of a kind, of any namespace, meets these needs: a single saved object says nothing of the others.
var (
	needClaims       = needKind("the PersistentVolumeClaims", "kubectl get pvc -A -o yaml", "PersistentVolumeClaim")
	needClasses      = needKind("the StorageClasses", "kubectl get storageclasses -o yaml", "StorageClass")
	needCSINodes     = needKind("the CSINodes", "kubectl get csinodes -o yaml", "CSINode")
	needDeployments  = needKind("the Deployments", "kubectl get deployments -A -o yaml", "Deployment")
	needStatefulSets = needKind("the StatefulSets", "kubectl get statefulsets -A -o yaml", "StatefulSet")
	needWorkloads    = needKind("the Deployments, StatefulSets and DaemonSets",
		"kubectl get deployments,statefulsets,daemonsets,replicasets -A -o yaml", "Deployment", "StatefulSet", "DaemonSet")
)

func needKind(what, command string, kinds ...string) Need {
	return Need{what, command, func(w *facts.World) bool { return listedSomewhere(w, kinds...) }, kinds}
}

func listedSomewhere(w *facts.World, kinds ...string) bool {
	return slices.ContainsFunc(w.Snapshot.Lists, func(l model.Listed) bool { return slices.Contains(kinds, l.Kind) })
}

// Lines of a component meet these.
var (
	needControllerLog = needLog(controllerLog, "kubectl logs -n kube-system KUBE-CONTROLLER-MANAGER")
	needAttacherLog   = needLog(attacherLog, "kubectl logs -n NAMESPACE CSI-CONTROLLER -c csi-attacher")
	needKubeletLog    = needLog(kubeletLog, "on the node: journalctl -u kubelet")
)

func needLog(component, command string) Need {
	return Need{"the log of the " + component, command, func(w *facts.World) bool { return w.HasLog(component) }, []string{component}}
}

var (
	// needReports is met when a Multi-Attach report would be in the bundle.
	needReports = Need{"the Events of the namespaces with the pods, or the log of the kube-controller-manager", eventsCommand, func(w *facts.World) bool {
		return w.LogCovers() || w.EventsCover()
	}, []string{"Event", controllerLog}}
	needUsage = Need{"the volume statistics of kubelets",
		`promtool tsdb dump-openmetrics --match '{__name__=~"kubelet_volume_stats_.*"}' PROMETHEUS-DATA > metrics.openmetrics`,
		func(w *facts.World) bool { return len(w.ByKind[model.VolumeUsage]) > 0 }, []string{model.HoldsMetrics}}
	// needCollectionTime is met by any time of collection, or a time before which it was not: ages are counted to it.
	needCollectionTime = Need{"the time of the collection, or any object or record with a time", "volpost gather",
		func(w *facts.World) bool { _, ok := collected(w); return ok }, nil}
)

const eventsCommand = "kubectl get events -A -o yaml"

func nodesListed(w *facts.World) bool { return len(w.Nodes) > 0 && w.Listed("Node", "") }

// nodeGone and volumeGone report that an object surely does not exist.
func nodeGone(w *facts.World, name string) bool {
	_, ok := w.Node(name)
	return !ok && name != "" && nodesListed(w)
}

func volumeGone(w *facts.World, name string) bool {
	_, ok := w.PV(name)
	return !ok && name != "" && w.Listed("PersistentVolume", "")
}

// collected is the earliest time at which the objects may have been collected; false when only a stand-in is known.
func collected(w *facts.World) (time.Time, bool) {
	at := w.Axis.CapturedAt
	if at == nil || at.Missing() != "" {
		return time.Time{}, false
	}
	return at.Earliest, true
}

// atLeast is the smallest age of a whole second at the collection; negative in the future and without a time of collection.
func atLeast(w *facts.World, t metav1.Time) time.Duration {
	end, ok := collected(w)
	if !ok || t.IsZero() {
		return -1
	}
	return end.Sub(model.WholeSecond(t.Time).Latest)
}

// ago writes an age down, and what it is counted to where no time of collection is recorded.
func ago(w *facts.World, t metav1.Time) string {
	s := "at least " + words.Duration(atLeast(w, t).Truncate(time.Second)) + " before the "
	if w.Axis.CapturedHow == model.CollectedNewest {
		return s + "newest time in the bundle, which does not record when it was collected"
	}
	return s + "collection"
}
