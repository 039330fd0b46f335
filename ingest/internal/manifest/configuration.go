package manifest

import (
	"encoding/json"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Configuration is what an object sets for the kube-controller-manager. The object itself is not kept.
type Configuration struct {
	Parts []ConfigurationPart // the first that sets a flag counts
}

// ConfigurationPart is one configuration of an object.
type ConfigurationPart struct {
	Field string
	Flags map[string][]string // values by name
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
	part := func(field string, raw json.RawMessage) ConfigurationPart {
		var of struct{ ExtendedArguments map[string][]string }
		if json.Unmarshal(raw, &of) != nil {
			of.ExtendedArguments = nil // of a form that is not known nothing is read
		}
		return ConfigurationPart{Field: field + ".extendedArguments", Flags: of.ExtendedArguments}
	}
	return &doc.Metadata, &Configuration{Parts: []ConfigurationPart{
		part("spec.unsupportedConfigOverrides", doc.Spec.Overrides), part("spec.observedConfig", doc.Spec.Observed),
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
