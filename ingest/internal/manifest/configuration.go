package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// Configuration is what an object sets for components of Kubernetes. The object itself is not kept.
type Configuration struct {
	Parts []ConfigurationPart
}

// The formats of configurations that are read.
const (
	KubeadmCluster     = "ClusterConfiguration"        // kubeadm.k8s.io, v1beta1 to v1beta4
	ExtendedArguments  = "KubeControllerManagerConfig" // kubecontrolplane.config.openshift.io/v1, and what its operator merges it from
	configNamespace    = "openshift-kube-controller-manager"
	kubeadmNamespace   = "kube-system"
	kubeadmConfigMap   = "kubeadm-config"
	openshiftConfigMap = "config"
)

// ConfigurationPart is one configuration of an object.
type ConfigurationPart struct {
	Format string
	Field  string // of the object; "" is the object itself
	Body   []byte // as JSON
	Text   bool   // the field holds the configuration as a text
}

// mayConfigure spares the parse of the many ConfigMaps that are none of those that are read.
func mayConfigure(kindName string, raw []byte) bool {
	names := []string{kubeadmConfigMap, configNamespace}
	return kindName != "ConfigMap" || slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(raw, []byte(name)) })
}

// decodeConfigMap reads one key of the ConfigMaps of kubeadm and of OpenShift's controller manager, and of no other: they may be secret.
func decodeConfigMap(data []byte) (metav1.Object, any, error) {
	var doc struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Data     struct {
			Cluster   string `json:"ClusterConfiguration"`
			OpenShift string `json:"config.yaml"`
		} `json:"data"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return &metav1.ObjectMeta{}, nil, nil // of a ConfigMap with other data nothing is wanted
	}
	var format, field, text string
	if m := doc.Metadata; m.Namespace == kubeadmNamespace && m.Name == kubeadmConfigMap {
		format, field, text = KubeadmCluster, "data.ClusterConfiguration", doc.Data.Cluster
	} else if m.Namespace == configNamespace && m.Name == openshiftConfigMap {
		format, field, text = ExtendedArguments, "data.config.yaml", doc.Data.OpenShift
	}
	if text == "" {
		return &doc.Metadata, nil, nil
	}
	body, err := textAsJSON([]byte(text), maxConfigNodes)
	if err != nil {
		return nil, nil, err
	}
	return &doc.Metadata, &Configuration{Parts: []ConfigurationPart{{Format: format, Field: field, Body: body, Text: true}}}, nil
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
		{Format: ExtendedArguments, Field: "spec.unsupportedConfigOverrides", Body: doc.Spec.Overrides},
		{Format: ExtendedArguments, Field: "spec.observedConfig", Body: doc.Spec.Observed},
	}}, nil
}

// AsJSON is a document of YAML or JSON as JSON.
func AsJSON(raw []byte) ([]byte, error) { return textAsJSON(raw, MaxNodes) }

func textAsJSON(raw []byte, nodes int) ([]byte, error) {
	if tooMany(raw) {
		return nil, errors.New("it has too many values")
	}
	root, err := parseYAML(raw, MaxDepth)
	if err != nil {
		return nil, err
	}
	return (chunk{raw: raw}).asJSON(root, Limits{Depth: MaxDepth, Nodes: nodes})
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
