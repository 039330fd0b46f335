package facts

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/model"
)

// Inventory holds the newest copy of each object of the kinds that storage is made of, and finds them by name. Of two
// incarnations of a name it finds the one with the higher resourceVersion.
type Inventory struct {
	Claims       []model.Object[*corev1.PersistentVolumeClaim]
	PVs          []model.Object[*corev1.PersistentVolume]
	Classes      []model.Object[*storagev1.StorageClass]
	CSINodes     []model.Object[*storagev1.CSINode]
	Deployments  []model.Object[*appsv1.Deployment]
	StatefulSets []model.Object[*appsv1.StatefulSet]
	DaemonSets   []model.Object[*appsv1.DaemonSet]
	ReplicaSets  []model.Object[*appsv1.ReplicaSet]

	ReplicasOf map[string][]int // by namespace/name of a Deployment: its ReplicaSets
	Jobs       []model.Object[*batchv1.Job]
	at         map[string][]int // of all kinds, by Ref.Key: the places in the list of the kind
	claimPods  map[string][]int // by namespace/claim: the pods that name it
}

func (w *World) takeInventory() {
	s, i := w.Snapshot, &w.Inventory
	i.Claims, i.PVs, i.Classes = model.Newest(s.PersistentVolumeClaims), model.Newest(s.PersistentVolumes), model.Newest(s.StorageClasses)
	i.CSINodes, i.Deployments, i.StatefulSets = model.Newest(s.CSINodes), model.Newest(s.Deployments), model.Newest(s.StatefulSets)
	i.DaemonSets, i.ReplicaSets, i.Jobs = model.Newest(s.DaemonSets), model.Newest(s.ReplicaSets), model.Newest(s.Jobs)
	i.at, i.ReplicasOf, i.claimPods = map[string][]int{}, map[string][]int{}, map[string][]int{}
	indexed(i.at, w.Nodes)
	indexed(i.at, w.Pods)
	indexed(i.at, w.Attachments)
	indexed(i.at, i.Claims)
	indexed(i.at, i.PVs)
	indexed(i.at, i.Classes)
	indexed(i.at, i.CSINodes)
	indexed(i.at, i.Deployments)
	indexed(i.at, i.StatefulSets)
	indexed(i.at, i.DaemonSets)
	indexed(i.at, i.ReplicaSets)
	indexed(i.at, i.Jobs)
	for n, rs := range i.ReplicaSets {
		if up, owned := ControllerOf(rs); owned && up.Kind == "Deployment" {
			i.ReplicasOf[up.String()] = append(i.ReplicasOf[up.String()], n)
		}
	}
}

func indexed[T any](at map[string][]int, list []model.Object[T]) {
	for n, o := range list {
		at[o.Ref.Key()] = append(at[o.Ref.Key()], n)
	}
}

// Found is the object of a list, which has those of a kind, that a reference names; of two incarnations the one with the higher resourceVersion.
func Found[T any](w *World, list []model.Object[T], ref model.Ref) (found model.Object[T], ok bool) {
	for _, n := range w.Inventory.at[ref.Key()] {
		// The place may be in the list of another kind.
		if n < len(list) && list[n].Ref.Is(ref) && (!ok || list[n].ResourceVersion > found.ResourceVersion) {
			found, ok = list[n], true
		}
	}
	return found, ok
}

// Has reports that the bundle has an object of a kind and name.
func Has(w *World, ref model.Ref) bool { return len(w.Inventory.at[ref.Key()]) > 0 }

// Claim finds a PersistentVolumeClaim.
func (w *World) Claim(namespace, name string) (model.Object[*corev1.PersistentVolumeClaim], bool) {
	return Found(w, w.Claims, model.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name})
}

// PV finds a PersistentVolume.
func (w *World) PV(name string) (model.Object[*corev1.PersistentVolume], bool) {
	return Found(w, w.PVs, model.Ref{Kind: "PersistentVolume", Name: name})
}

// Class finds a StorageClass.
func (w *World) Class(name string) (model.Object[*storagev1.StorageClass], bool) {
	return Found(w, w.Classes, model.Ref{Kind: "StorageClass", Name: name})
}

// Deployment finds a Deployment.
func (w *World) Deployment(namespace, name string) (model.Object[*appsv1.Deployment], bool) {
	return Found(w, w.Deployments, model.Ref{Kind: "Deployment", Namespace: namespace, Name: name})
}

// ClaimEvents are the Events and lines about a claim, in the order of time.
func (w *World) ClaimEvents(claim model.Ref) []*model.Observation {
	return w.claimEvent[claim.String()]
}

// ClaimsOf names the claims that a pod uses, those of its ephemeral volumes too: pod-volume (storage/ephemeral, 1.19–1.36).
func ClaimsOf(p *corev1.Pod) []string {
	var out []string
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			out = append(out, v.PersistentVolumeClaim.ClaimName)
		} else if v.Ephemeral != nil {
			out = append(out, p.Name+"-"+v.Name)
		}
	}
	return out
}

// ClaimPods are the pods that name a claim.
func (w *World) ClaimPods(namespace, claim string) []model.Object[*corev1.Pod] {
	return Picked(w.Pods, w.Inventory.claimPods[namespace+"/"+claim])
}

// Picked are some of a list of objects.
func Picked[T any](list []model.Object[T], places []int) []model.Object[T] {
	return Each(places, func(n int) model.Object[T] { return list[n] })
}

// TopOwner is the workload that a pod belongs to, followed from a ReplicaSet to its Deployment, by its name only when the pod has its
// hash; the pod itself when it has no controller.
func (w *World) TopOwner(p model.Object[*corev1.Pod]) model.Ref {
	owner, _ := ControllerOf(p)
	top, basis, owned := w.OwnerOfPod(p)
	if !owned {
		return p.Ref
	}
	if basis == model.Derived && !strings.HasSuffix(owner.Name, "-"+p.Value().Labels[TemplateHash]) {
		return owner
	}
	return *top
}

// OfPod are the observations about a pod, in the order of time.
func (w *World) OfPod(pod model.Ref) []*model.Observation {
	return Where(w.ByPod[pod.String()], OfPod(pod))
}

// Refs are references in the order in which they came, each object once, with its UID where one of them names it.
type Refs struct {
	List []model.Ref
	at   map[model.Ref]int // the first of a name, without its UID, and each with its UID, in list
}

// Add adds those that are not there yet.
func (s *Refs) Add(list ...model.Ref) {
	if s.at == nil {
		s.at = map[model.Ref]int{}
	}
	for _, r := range list {
		if r.Name == "" {
			continue
		}
		i := s.find(r)
		if i < 0 {
			i = len(s.List)
			s.List = append(s.List, r)
			if _, known := s.at[anonymous(r)]; !known {
				s.at[anonymous(r)] = i
			}
		}
		if s.List[i].UID == "" {
			s.List[i].UID = r.UID
		}
		if r.UID != "" {
			s.at[r] = i
		}
	}
}

func anonymous(r model.Ref) model.Ref {
	r.UID = ""
	return r
}

// find is the first that can be the same object, as Ref.Is has it; -1 for none.
func (s Refs) find(r model.Ref) int {
	i, known := s.at[anonymous(r)]
	if known && r.UID != "" && s.List[i].UID != "" {
		i, known = s.at[r]
	}
	if !known {
		return -1
	}
	return i
}

// Has reports that one is among them; HasAny, that any of some is.
func (s Refs) Has(r model.Ref) bool { return s.find(r) >= 0 }

func (s Refs) HasAny(list []model.Ref) bool { return slices.ContainsFunc(list, s.Has) }

// LogAt reports that one log of a component covers an instant, so that its silence counts and it is not missing.
func (w *World) LogAt(component string, i Instant) bool {
	return slices.ContainsFunc(w.Logs[component], func(in *model.Input) bool { return Covers(in, i.Earliest, i.Latest) })
}

// Covers reports that an input reaches from one time to another.
func Covers(in *model.Input, from, to time.Time) bool {
	if in.From == nil || in.To == nil {
		return false
	}
	return !in.From.After(from) && !in.To.Before(to)
}
