package audit

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// podBody is what is used of a pod, whole or as a patch of its status, and of a Binding.
type podBody struct {
	body
	Spec struct {
		NodeName string
		Volumes  []struct {
			PersistentVolumeClaim *struct{ ClaimName string }
		}
	}
	Status struct {
		Phase, Reason string
		Conditions    []condition
	}
	Target struct{ Kind, Name string }
}

// condition is one entry of status.conditions.
type condition struct{ Type, Status, Reason, LastTransitionTime string }

// turned finds the request that turned the Ready condition: its transition has the time of the request.
func (f *facts) turned(r *request, o model.Observation, list []condition, ready, not model.Kind, detail func(condition) string) {
	for _, c := range list {
		switch {
		case c.Type != "Ready" || !fresh(c.LastTransitionTime, r):
		case c.Status == "True":
			f.say(o, ready, "")
		case c.Status == "False" || c.Status == "Unknown":
			f.say(o, not, detail(c))
		}
	}
}

func (f *facts) pod(r *request) {
	if r.verb == "deletecollection" {
		f.podCollection(r)
		return
	}
	var asked, answered podBody
	if r.verb != "delete" {
		decodeBody(r.request, &asked)
	}
	known := decodeBody(r.response, &answered) && answered.Kind != "Status"
	o := f.of(r, "Pod", answered.Metadata, asked.Metadata)
	if o.Object.Name == "" {
		return // a generated name that only the answer has, which the policy left out
	}
	o.Pod = o.Object
	switch {
	case r.subresource == "binding" && r.verb == "create":
		if validName(asked.Target.Name) && (asked.Target.Kind == "Node" || asked.Target.Kind == "") {
			o.Node = asked.Target.Name
			f.say(o, model.PodScheduled, "")
		}
	case r.subresource == "eviction" && r.verb == "create":
		f.say(o, model.PodDeletionRequested, strings.TrimSuffix("eviction, "+r.grace(nil), ", "))
	case r.subresource == "status":
		fill(&o.Node, answered.Spec.NodeName)
		f.podStatus(r, o, &asked)
	case r.subresource != "":
	case r.verb == "create":
		f.podCreated(o, &asked, &answered)
	case r.verb == "delete":
		fill(&o.Node, answered.Spec.NodeName)
		f.podDeleted(r, o, &answered.Metadata, known)
	}
}

// podCreated keeps the workload that owns the pod, and its claim when it has one only.
func (f *facts) podCreated(o model.Observation, asked, answered *podBody) {
	for _, b := range []*podBody{answered, asked} {
		if o.Owner.Name == "" {
			o.Owner = b.Metadata.controller(o.Pod.Namespace)
		}
		var claims []string
		for _, v := range b.Spec.Volumes {
			if c := v.PersistentVolumeClaim; c != nil && validName(c.ClaimName) {
				claims = append(claims, c.ClaimName)
			}
		}
		if len(claims) == 1 && o.Claim.Name == "" {
			o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: o.Pod.Namespace, Name: claims[0]}
		}
	}
	f.say(o, model.PodCreated, "")
}

// podDeleted distinguishes who deletes. Pod GC forces. The kubelet's own, with grace 0, is the end of a termination: the containers have
// stopped (status_manager.go canBeDeleted, 1.13–1.36). A finalizer can keep the object, so that only the answer says that it is gone.
func (f *facts) podDeleted(r *request, o model.Observation, answered *metadata, known bool) {
	grace := r.grace(answered)
	gone := known && grace == "grace 0s" && answered.finalized()
	if strings.HasPrefix(r.actor, "system:node:") && grace == "grace 0s" {
		stopped := o
		stopped.At = o.At.As(model.Derived)
		f.say(stopped, model.PodContainersStopped, "")
	} else if r.by(podGC) && grace == "grace 0s" {
		f.say(o, model.PodForceDeleted, grace)
	} else {
		f.say(o, model.PodDeletionRequested, grace)
	}
	if gone {
		f.say(o, model.PodGone, "")
	}
}

// podCollection reads a DELETE of all pods of a selection, whose answer lists them.
func (f *facts) podCollection(r *request) {
	var list struct{ Items []podBody }
	if r.subresource != "" || !decodeBody(r.response, &list) {
		return
	}
	for i := range list.Items {
		b := &list.Items[i]
		o := f.of(r, "Pod", b.Metadata, metadata{})
		if o.Object.Name == "" {
			continue
		}
		o.Pod = o.Object
		fill(&o.Node, b.Spec.NodeName)
		f.podDeleted(r, o, &b.Metadata, true)
	}
}

// podStatus reads a kubelet's patch or a controller's update of the status.
func (f *facts) podStatus(r *request, o model.Observation, asked *podBody) {
	s := &asked.Status
	f.turned(r, o, s.Conditions, model.PodReady, model.PodNotReady, func(c condition) string { return clip(c.Reason, maxName) })
	if s.Phase == "Failed" || s.Phase == "Succeeded" {
		text := s.Phase + words.If(s.Reason != "", "/"+clip(s.Reason, maxName))
		f.sayOnce(o, model.PodFinished, text)
	}
}

// by reports whether a controller of kube-controller-manager sent the request: by its service account, or by the common user's agent.
func (r *request) by(controller string) bool {
	return r.actor == "system:serviceaccount:kube-system:"+controller ||
		r.actor == "system:kube-controller-manager" && strings.HasSuffix(r.rawAgent, "/"+controller)
}

// grace is the grace period of a deletion as its body, its query or its answer has it, in words.
func (r *request) grace(answered *metadata) string {
	s := r.deleteOptions().GracePeriodSeconds
	if v := r.query.Get("gracePeriodSeconds"); !s.set && v != "" {
		_ = s.UnmarshalJSON([]byte(v)) // it takes anything
	}
	if !s.set && answered != nil {
		s = answered.DeletionGrace
	}
	if !s.set {
		return ""
	}
	return fmt.Sprintf("grace %ds", s.n)
}
