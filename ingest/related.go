package ingest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// eachUID names the objects of which collections of different things both speak.
func eachUID(s *model.Snapshot, note func(uid, input string)) {
	ofEach(s.Nodes, note)
	ofEach(s.PersistentVolumeClaims, note)
	ofEach(s.Namespaces, note)
	ofEach(s.Pods, note)
	ofEach(s.ReplicaSets, note)
	ofEach(s.Deployments, note)
	ofEach(s.StatefulSets, note)
	ofEach(s.DaemonSets, note)
	ofOwners(s.Leases, note)
	ofOwners(s.Pods, note)
	ofOwners(s.CSINodes, note)
	ofOwners(s.ReplicaSets, note)
	for _, o := range s.PersistentVolumes {
		if claim := o.Value().Spec.ClaimRef; claim != nil {
			note(string(claim.UID), o.Input)
		}
	}
	for _, o := range s.Observations {
		if o.Source.Kind == model.SourceEvent && len(o.Object.UID) == len("00000000-0000-0000-0000-000000000000") { // kubelets give their node's name
			note(o.Object.UID, o.Input)
		}
	}
}

func ofEach[T any](list []model.Object[T], note func(uid, input string)) {
	for _, o := range list {
		note(o.Ref.UID, o.Input)
	}
}

func ofOwners[T metav1.Object](list []model.Object[T], note func(uid, input string)) {
	for _, o := range list {
		for _, owner := range o.Value().GetOwnerReferences() {
			note(string(owner.UID), o.Input)
		}
	}
}
