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

// configuration reads the flags that OpenShift's operator sets for the kube-controller-manager: extendedArguments, a list of values for each.
// A process that has not been restarted since may run with others.
func configuration(o model.Object[*manifest.Configuration], text func(field string) (int, string, bool)) []model.Observation {
	s := &settings{about: of(o), text: text, stated: map[string]bool{}}
	for _, p := range o.Value().Parts {
		s.extended(p)
	}
	return s.out
}

// settings reads the parts of one object, of which the first that sets a flag counts.
type settings struct {
	*about[*manifest.Configuration]
	text   func(field string) (line int, text string, ok bool) // of the object
	stated map[string]bool
}

func (s *settings) extended(p manifest.ConfigurationPart) {
	var doc struct {
		ExtendedArguments map[string][]string
	}
	if len(p.Body) == 0 || json.Unmarshal(p.Body, &doc) != nil {
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
		s.flag(name, value, p.Field+".extendedArguments."+name)
	}
}

// flag reports a relevant flag that stands in a field, unless an earlier part has reported it, or its text is not found.
func (s *settings) flag(name, value, field string) {
	const component = "kube-controller-manager"
	if value == "" || s.stated[name] || !phrase.RelevantFlag(component, name) {
		return
	}
	line, text, ok := s.cite(field)
	if !ok {
		return
	}
	s.stated[name] = true
	s.say(model.ProcessFlag, model.Moment{}, "", func(o *model.Observation) {
		o.Component, o.Detail = component, "--"+name+"="+value
		o.Source.Line, o.Source.Field, o.Quote = line, field, mask.Quote(text)
	})
}

// cite finds the verbatim text of a field, and nothing else of what the object holds.
func (s *settings) cite(field string) (line int, text string, ok bool) {
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
