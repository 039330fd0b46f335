package manifest

import (
	"encoding/json"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// Configuration is what an object sets for components of Kubernetes. The object itself is not kept.
type Configuration struct {
	Parts []ConfigurationPart
}

// ConfigurationPart is one configuration of an object, a KubeControllerManagerConfig of OpenShift (kubecontrolplane.config.openshift.io/v1).
type ConfigurationPart struct {
	Field string // of the object
	Body  []byte // as JSON
}

// decodeOperator reads what OpenShift's operator merges into the configuration of the kube-controller-manager, the last
// first: what an administrator overrides, and what the operator observed (openshift/api operator/v1 OperatorSpec).
func decodeOperator(data []byte) (metav1.Object, any, error) {
	var doc struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     struct {
			Overrides json.RawMessage `json:"unsupportedConfigOverrides"`
			Observed  json.RawMessage `json:"observedConfig"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	return &doc.Metadata, &Configuration{Parts: []ConfigurationPart{
		{Field: "spec.unsupportedConfigOverrides", Body: doc.Spec.Overrides},
		{Field: "spec.observedConfig", Body: doc.Spec.Observed},
	}}, nil
}

// AsJSON is a document of YAML or JSON as JSON.
func AsJSON(raw []byte) ([]byte, error) {
	if tooMany(raw) {
		return nil, errors.New("it has too many values")
	}
	root, err := parseYAML(raw, MaxDepth)
	if err != nil {
		return nil, err
	}
	return (chunk{raw: raw}).asJSON(root, Limits{Depth: MaxDepth, Nodes: MaxNodes})
}

// decodeClusterVersion reads OpenShift's identity: spec.clusterID.
func decodeClusterVersion(data []byte) (metav1.Object, any, error) {
	var doc struct {
		metav1.ObjectMeta `json:"metadata"`
		Spec              struct{ ClusterID string }
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	return &doc.ObjectMeta, &model.ClusterVersion{ClusterID: doc.Spec.ClusterID}, nil
}
