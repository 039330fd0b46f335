package statement

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// configuration reads the flags that a configuration sets. A process that has not been restarted since may run with others.
func configuration(o model.Object[*manifest.Configuration], text func(field string) (int, string, bool)) []model.Observation {
	s := &settings{about: of(o), text: text, stated: map[string]bool{}}
	for _, p := range o.Value().Parts {
		s.part = p
		switch p.Format {
		case manifest.KubeadmCluster:
			s.kubeadm()
		case manifest.ExtendedArguments:
			s.extended()
		case manifest.KubeletSettings:
			s.kubelet()
		}
	}
	return s.out
}

// settings reads the parts of one object, of which the first that sets a flag counts.
type settings struct {
	*about[*manifest.Configuration]
	text   func(field string) (line int, text string, ok bool) // of the object
	part   manifest.ConfigurationPart
	stated map[string]bool
}

// kubeadm reads extraArgs of the components: a map, and since v1beta4 a list of name and value, of which the last counts.
func (s *settings) kubeadm() {
	var doc map[string]json.RawMessage
	_ = json.Unmarshal(s.part.Body, &doc) // what is no mapping has nothing to read
	for _, c := range [...]struct{ field, component string }{
		{"controllerManager", "kube-controller-manager"}, {"apiServer", "kube-apiserver"},
	} {
		var asMap struct{ ExtraArgs map[string]string }
		var asList struct {
			ExtraArgs []struct{ Name, Value string }
		}
		if json.Unmarshal(doc[c.field], &asMap) == nil {
			for _, name := range slices.Sorted(maps.Keys(asMap.ExtraArgs)) {
				s.flag(c.component, name, asMap.ExtraArgs[name], c.field+".extraArgs."+name)
			}
		} else if json.Unmarshal(doc[c.field], &asList) == nil {
			for i, arg := range slices.Backward(asList.ExtraArgs) {
				s.flag(c.component, arg.Name, arg.Value, fmt.Sprintf("%s.extraArgs[%d]", c.field, i))
			}
		}
	}
}

// extended reads the extendedArguments of OpenShift's kube-controller-manager: a list of values for each flag.
func (s *settings) extended() {
	var doc struct {
		ExtendedArguments map[string][]string
	}
	if len(s.part.Body) == 0 || json.Unmarshal(s.part.Body, &doc) != nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(doc.ExtendedArguments)) {
		values := doc.ExtendedArguments[name]
		if len(values) == 0 {
			continue
		}
		value := values[len(values)-1] // a flag that is given several times has its last value
		if name == "feature-gates" || name == "controllers" {
			value = strings.Join(values, ",") // these add up
		}
		s.flag("kube-controller-manager", name, value, "extendedArguments."+name)
	}
}

// kubelet reads what decides how soon a node is missed, and whether its pods are ended before a shutdown. There are no
// flags for the latter. A frequency of zero stands for the default; a shutdownGracePeriod of zero switches it off.
func (s *settings) kubelet() {
	var doc struct {
		NodeStatusUpdateFrequency       string
		ShutdownGracePeriod             string
		ShutdownGracePeriodCriticalPods string
	}
	if json.Unmarshal(s.part.Body, &doc) != nil {
		return
	}
	if v := doc.NodeStatusUpdateFrequency; v != "0s" {
		s.set("kubelet", "--node-status-update-frequency", v, "nodeStatusUpdateFrequency")
	}
	s.set("kubelet", "shutdownGracePeriod", doc.ShutdownGracePeriod, "shutdownGracePeriod")
	s.set("kubelet", "shutdownGracePeriodCriticalPods", doc.ShutdownGracePeriodCriticalPods, "shutdownGracePeriodCriticalPods")
}

// flag reports one of the flags that are relevant.
func (s *settings) flag(component, name, value, field string) {
	if phrase.RelevantFlag(component, name) {
		s.set(component, "--"+name, value, field)
	}
}

// set reports a setting that stands in a field of the part, unless an earlier part has reported it, or its text is not found.
func (s *settings) set(component, name, value, field string) {
	if value == "" || s.stated[component+name] {
		return
	}
	line, text, ok := s.cite(field)
	if !ok {
		return
	}
	s.stated[component+name] = true
	if s.part.Field != "" {
		field = s.part.Field + "." + field
	}
	s.say(model.ProcessFlag, model.Moment{}, "", func(o *model.Observation) {
		o.Component, o.Detail = component, name+"="+value
		o.Source.Line, o.Source.Field, o.Quote = line, field, mask.Quote(text)
	})
}

// cite finds the verbatim text of a field of the part, and nothing else of what the object holds.
func (s *settings) cite(field string) (line int, text string, ok bool) {
	if s.part.Text != nil {
		line, outer, ok := s.text(s.part.Field)
		if !ok {
			return 0, "", false
		}
		below, text, ok := s.part.Text.Quote(field, outer)
		return line + below, text, ok
	}
	if s.part.Field != "" {
		field = s.part.Field + "." + field
	}
	if line, text, ok = s.text(field); !ok {
		return 0, "", false
	}
	// The values of a list stand on the lines below its key.
	for i, end := 0, line; ; i++ {
		at, item, more := s.text(fmt.Sprintf("%s[%d]", field, i))
		if !more || at != end+1 {
			return line, text, true
		}
		end, text = at, text+"\n"+item
	}
}
