package model

import "github.com/volpost/volpost/model/words"

// Ref names a Kubernetes object. The UID, empty when not given, separates those that come back under one name.
type Ref struct {
	Kind      string `json:"kind" text:"keep"`
	Namespace string `json:"namespace,omitempty" text:"name"`
	Name      string `json:"name" text:"name"`
	UID       string `json:"uid,omitempty" text:"name:"`
}

// Is reports whether both can be the same object: equal kind, namespace and name, and no two different UIDs.
func (r Ref) Is(o Ref) bool {
	return r.Kind == o.Kind && r.Namespace == o.Namespace && r.Name == o.Name && !words.Differ(r.UID, o.UID)
}

// Key is kind/namespace/name, without the UID.
func (r Ref) Key() string {
	if r.Namespace == "" {
		return r.Kind + "/" + r.Name
	}
	return r.Kind + "/" + r.Namespace + "/" + r.Name
}

// String is namespace/name, or the name alone.
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

// PodRef names a pod.
func PodRef(namespace, name, uid string) Ref {
	return Ref{Kind: "Pod", Namespace: namespace, Name: name, UID: uid}
}
