package cases

import (
	"reflect"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// repeated are questions whose answers another golden has.
var repeated = []string{"AtCollection", "Instants", "Held", "NewAttachmentName", "Ended", "AttachmentsInOrder", "PodsWithClaims", "Story",
	"ID", "PodEvidence", "ReadyOf", "OwnerOfPod", "SharedByDriver", "AttachmentStates"}

// Ask asks every exported question of a value that takes no arguments, or, of a case, such as the case itself has.
func (g *Goldens) Ask(b Case, n int, of any, c *wait.Case) {
	v := reflect.ValueOf(of)
	for m := range v.NumMethod() {
		method := v.Type().Method(m)
		in, ok := arguments(method.Type, c)
		if !ok || c != nil && of != any(c) && len(in) == 0 || slices.Contains(repeated, method.Name) {
			continue
		}
		var out []string
		for _, answer := range v.Method(m).Call(in) {
			if !answer.IsZero() {
				out = append(out, Text(answer.Interface()))
			}
		}
		g.Add(method.Name, b, n, strings.Join(out, ", "))
	}
}

// arguments are those of a method, each the first of its type that a case has; false when it has none.
func arguments(method reflect.Type, c *wait.Case) ([]reflect.Value, bool) {
	var in []reflect.Value
	for n := 1; n < method.NumIn(); n++ {
		if c == nil {
			return nil, false
		}
		var pod model.Ref
		if len(c.OldPods) > 0 {
			pod = c.OldPods[0]
		}
		found := false
		for _, a := range []any{c.Volume, c.From, c.Began.At, c.Began, pod, c.NewPods, c.Reports[0]} {
			if v := reflect.ValueOf(a); v.Type() == method.In(n) {
				in, found = append(in, v), true
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return in, true
}
