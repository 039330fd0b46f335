package truth

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"sync"

	coordv1 "k8s.io/api/coordination/v1"
	v1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/informers"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// History collects what a watch sees of the objects that an incident is made of. Its instants are arrivals.
type History struct {
	mu          sync.Mutex
	volumes     corelisters.PersistentVolumeLister
	pods        map[string]*pod // by UID
	order       []*pod
	nodes       map[string]*node
	attachments []*Attachment
	reports     []*Report
	leaders     []Leader

	file *os.File
	raw  *gzip.Writer
}

// Report is one Event that says Multi-Attach.
type Report struct {
	Namespace, Pod, UID, Volume, Message string

	event             string
	seen, first, last Time
	count             int32
}

// Watch starts watching and returns when the present state has arrived. Every object that arrives is kept in file, too.
func Watch(f informers.SharedInformerFactory, file string) (*History, error) {
	out, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	h := &History{pods: map[string]*pod{}, nodes: map[string]*node{}, file: out, raw: gzip.NewWriter(out),
		volumes: f.Core().V1().PersistentVolumes().Lister()}
	h.on(f.Core().V1().Pods().Informer(), "Pod", func(o any, gone bool) { h.pod(o.(*v1.Pod), gone) })
	h.on(f.Core().V1().Nodes().Informer(), "Node", func(o any, gone bool) { h.node(o.(*v1.Node), gone) })
	h.on(f.Core().V1().Events().Informer(), "Event", func(o any, gone bool) { h.event(o.(*v1.Event), gone) })
	h.on(f.Storage().V1().VolumeAttachments().Informer(), "VolumeAttachment",
		func(o any, gone bool) { h.attachment(o.(*storagev1.VolumeAttachment), gone) })
	f.Coordination().V1().Leases().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: h.lease, UpdateFunc: func(_, o any) { h.lease(o) },
	})
	f.Core().V1().PersistentVolumes().Informer()
	f.Core().V1().PersistentVolumeClaims().Informer()
	never := make(chan struct{})
	f.Start(never)
	f.WaitForCacheSync(never)
	return h, nil
}

func (h *History) on(i cache.SharedIndexInformer, kind string, f func(o any, gone bool)) {
	handle := func(verb string, o any) {
		if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
			o = d.Obj
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		h.keep(verb, kind, o)
		f(o, verb == "DELETED")
	}
	i.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { handle("ADDED", o) },
		UpdateFunc: func(_, o any) { handle("MODIFIED", o) },
		DeleteFunc: func(o any) { handle("DELETED", o) },
	})
}

func (h *History) keep(verb, kind string, o any) {
	if h.raw == nil {
		return
	}
	if b, err := json.Marshal(map[string]any{"t": Now(), "verb": verb, "kind": kind, "obj": o}); err == nil {
		h.raw.Write(append(b, '\n'))
	}
}

// Close ends the file of what was seen.
func (h *History) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.raw.Close()
	h.raw = nil
	if e := h.file.Close(); err == nil {
		err = e
	}
	return err
}

// Reports returns the Multi-Attach reports so far.
func (h *History) Reports() []Report {
	h.mu.Lock()
	defer h.mu.Unlock()
	var l []Report
	for _, r := range h.reports {
		l = append(l, *r)
	}
	return l
}

// NotReady says whether a node was seen to become NotReady.
func (h *History) NotReady(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.nodes[name]
	return n != nil && !n.notReady.IsZero()
}

// Blocking is the VolumeAttachment of a volume on a node, if there is one.
func (h *History) Blocking(volume, node string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, a := range h.attachments {
		if a.Volume == volume && a.Node == node && a.Gone.IsZero() {
			return a.Name
		}
	}
	return ""
}

// Leader is the name of the node whose controller manager leads.
func (h *History) Leader() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.leaders) == 0 {
		return ""
	}
	return leaderNode.FindString(h.leaders[len(h.leaders)-1].Holder)
}

var leaderNode = regexp.MustCompile(`^[^_]+`)

func (h *History) lease(o any) {
	l, ok := o.(*coordv1.Lease)
	if !ok || l.Namespace != "kube-system" || l.Name != "kube-controller-manager" || l.Spec.HolderIdentity == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	holder := *l.Spec.HolderIdentity
	if n := len(h.leaders); holder != "" && (n == 0 || h.leaders[n-1].Holder != holder) {
		h.leaders = append(h.leaders, Leader{Holder: holder, From: Now()})
	}
}
