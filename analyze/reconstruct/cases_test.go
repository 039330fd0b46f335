package reconstruct_test

import (
	"context"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: what is known of every case, a golden for each exported field and question.
func TestCases(t *testing.T) {
	ofCase, ofWorld := cases.Open(t, "case"), cases.Open(t, "world")
	for _, b := range cases.Thinner(bundles()) {
		w := reconstruct.NewWorld(b.Snapshot)
		axis := w.Axis
		axis.Inputs = slices.DeleteFunc(slices.Clone(axis.Inputs), func(i model.Input) bool { return i.Clock == nil })
		if b.Without == "" {
			ofWorld.Add("Axis", b, 0, cases.Text(axis))
			ofWorld.Add("Topology", b, 0, cases.Text(reconstruct.NewTopology(w)))
			ask(ofWorld, b, 0, w, nil)
		}
		for n, c := range reconstruct.Cases(w) {
			v := reflect.ValueOf(c).Elem()
			for f := range v.NumField() {
				if field := v.Type().Field(f); field.IsExported() && field.Name != "World" && field.Name != "Volume" && field.Name != "Span" {
					ofCase.Add(field.Name, b, n+1, cases.Text(v.Field(f).Interface()))
				}
			}
			ofCase.Add("Volume", b, n+1, cases.Text(*c.Volume))
			ofCase.Add("Actions", b, n+1, cases.Text(reconstruct.Actions(c)))
			ask(ofCase, b, n+1, c, c)
			if b.Without == "" {
				ask(ofWorld, b, n+1, w, c)
			}
		}
	}
	ofCase.Close()
	ofWorld.Close()
}

// repeated are questions whose answers another golden has.
var repeated = []string{"AtCollection", "Instants", "Held", "NewAttachmentName", "Ended", "AttachmentsInOrder", "PodsWithClaims", "Story",
	"ID", "PodEvidence", "OfNode", "OfAttachment"}

// ask asks every exported question of a value that takes no arguments, or, of a case, such as the case itself has.
func ask(a *cases.Goldens, b cases.Case, n int, of any, c *reconstruct.Case) {
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
				out = append(out, cases.Text(answer.Interface()))
			}
		}
		a.Add(method.Name, b, n, strings.Join(out, ", "))
	}
}

// arguments are those of a method, each the first of its type that a case has; false when it has none.
func arguments(method reflect.Type, c *reconstruct.Case) ([]reflect.Value, bool) {
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
