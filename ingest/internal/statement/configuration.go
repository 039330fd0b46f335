package statement

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// configuration reads the flags that OpenShift's operator sets for the kube-controller-manager. A process that has not been restarted since
// may run with others.
func configuration(o model.Object[*manifest.Configuration], text func(field string) (int, string, bool)) []model.Observation {
	const component = "kube-controller-manager"
	a, stated := of(o), map[string]bool{}
	for _, p := range o.Value().Parts {
		for _, name := range slices.Sorted(maps.Keys(p.Flags)) {
			values := p.Flags[name]
			if len(values) == 0 || stated[name] || !phrase.RelevantFlag(component, name) {
				continue
			}
			value := values[len(values)-1] // a flag that is given several times has its last value
			if name == "feature-gates" || name == "controllers" {
				value = strings.Join(values, ",") // these add up
			}
			field := p.Field + "." + name
			line, quote, ok := listed(field, text)
			if value == "" || !ok {
				continue
			}
			stated[name] = true
			a.say(model.ProcessFlag, model.Moment{}, "", func(o *model.Observation) {
				o.Component, o.Detail = component, "--"+name+"="+value
				o.Source.Line, o.Source.Field, o.Quote = line, field, mask.Quote(quote)
			})
		}
	}
	return a.out
}

// listed is the verbatim text of a list: its values may stand on the lines below its key.
func listed(field string, text func(field string) (int, string, bool)) (line int, quote string, ok bool) {
	if line, quote, ok = text(field); !ok {
		return 0, "", false
	}
	for i, end := 0, line; ; i++ {
		at, item, more := text(fmt.Sprintf("%s[%d]", field, i))
		if !more || at != end+1 {
			return line, quote, true
		}
		end, quote = at, quote+"\n"+item
	}
}
