package statement

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
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
				s.flag(c.component, name, asMap.ExtraArgs[name], c.field+".extraArgs."+name, c.field, name, asMap.ExtraArgs[name])
			}
		} else if json.Unmarshal(doc[c.field], &asList) == nil {
			for i, arg := range slices.Backward(asList.ExtraArgs) {
				s.flag(c.component, arg.Name, arg.Value, fmt.Sprintf("%s.extraArgs[%d]", c.field, i), c.field, arg.Name, arg.Value)
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
		s.flag("kube-controller-manager", name, value, "extendedArguments."+name, name, values[len(values)-1])
	}
}

// flag reports a relevant flag that stands in a field of the part, unless an earlier part has reported it, or its text is not found.
// words are those that stand in it one after the other where the part is a text.
func (s *settings) flag(component, name, value, field string, words ...string) {
	if value == "" || s.stated[component+name] || !phrase.RelevantFlag(component, name) {
		return
	}
	line, text, ok := s.cite(field, words)
	if !ok {
		return
	}
	s.stated[component+name] = true
	s.say(model.ProcessFlag, model.Moment{}, "", func(o *model.Observation) {
		o.Component, o.Detail = component, "--"+name+"="+value
		o.Source.Line, o.Source.Field, o.Quote = line, s.part.Field+"."+field, mask.Quote(text)
	})
}

// cite finds the verbatim text of a field of the part, and nothing else of what the object holds.
func (s *settings) cite(field string, words []string) (line int, text string, ok bool) {
	if s.part.Text {
		line, outer, _ := s.text(s.part.Field)
		below, text := settingIn(outer, words)
		return line + below, text, text != ""
	}
	field = s.part.Field + "." + field
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

// settingIn finds words that follow one another in a text, of which the last two are a flag and its value: the lines of these, and how many
// lines below the beginning; in a text in one line the flag and its value alone.
func settingIn(outer string, words []string) (below int, text string) {
	lines, at := strings.Split(outer, "\n"), 0
	flag := regexp.QuoteMeta(words[len(words)-2])
	if len(lines) == 1 {
		return 0, regexp.MustCompile(`(?:\\*"|\b)` + flag + `\\*"?(?:\s*:\s*|\\n\s*value:\s*)(?:\[[^\]]*\]|\\*"?[^"\\,}]*\\*"?)`).FindString(outer)
	}
	for _, word := range words {
		n := slices.IndexFunc(lines[at:], wordIn(word))
		if n < 0 {
			return 0, ""
		}
		at += n
	}
	for below = at; !wordIn(words[len(words)-2])(lines[below]); below-- { // of a flag that is given twice the last
	}
	return below, strings.TrimRight(strings.Join(lines[below:at+1], "\n"), "\r")
}

func wordIn(word string) func(string) bool {
	return regexp.MustCompile(`(?:^|[\s"'])` + regexp.QuoteMeta(word) + `(?:$|[\s"':])`).MatchString
}
