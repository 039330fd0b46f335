package manifest

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// decodeClusterVersion reads OpenShift's identity: spec.clusterID, and the version that the cluster runs or goes to.
func decodeClusterVersion(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct{ ClusterID string }
		Status            struct {
			Desired struct{ Version string }
			History []struct{ State, Version string }
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	v := &model.ClusterVersion{ClusterID: doc.Spec.ClusterID, Version: doc.Status.Desired.Version}
	// The newest completed update is what runs; desired is what is being installed.
	for _, h := range doc.Status.History {
		if h.State == "Completed" {
			v.Version = h.Version
			break
		}
	}
	return &doc.ObjectMeta, v, nil
}
