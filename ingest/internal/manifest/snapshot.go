package manifest

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// snapshotGroup is of the external-snapshotter. In v1alpha1 spec.source has apiGroup, kind and name.
const snapshotGroup = "snapshot.storage.k8s.io"

// decodeSnapshot reads a VolumeSnapshot: the claim that it is a copy of, and whether it can be restored.
func decodeSnapshot(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct {
			Source struct {
				PersistentVolumeClaimName string
				Kind, Name                string // v1alpha1
			}
		}
		Status struct {
			ReadyToUse *bool
			Error      *struct{ Message string }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	v := &model.VolumeSnapshot{Claim: doc.Spec.Source.PersistentVolumeClaimName, Ready: doc.Status.ReadyToUse}
	if doc.Spec.Source.Kind == "PersistentVolumeClaim" {
		v.Claim = doc.Spec.Source.Name
	}
	if e := doc.Status.Error; e != nil {
		v.Error = e.Message
	}
	return &doc.ObjectMeta, v, nil
}
