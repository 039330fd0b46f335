package manifest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/volpost/volpost/model"
)

// TestPackedRecorded wants every recorded object to come back as it went in.
func TestPackedRecorded(t *testing.T) {
	packed := 0
	recorded(t, func(path string, data []byte) {
		limits := Limits{Prepare: func(r *Record) {
			if back, known := unchanged(r); known && !back {
				t.Errorf("%s: %s comes back as something else", path, r.Ref)
			} else if known {
				packed++
			}
		}}
		_ = limits.Read(data, path, func(Record) {})
	}, ".yaml", ".json")
	t.Logf("%d objects", packed)
	if packed < 100 || packed < 500 && !testing.Short() {
		t.Error("too few to mean anything")
	}
}

// unchanged packs and unpacks the value of a record. known is false for what is not packed.
func unchanged(r *Record) (back, known bool) {
	was, ok := r.Value.(runtime.Object)
	if !ok {
		return false, false
	}
	r.Hold() // which trims the value, too
	was.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	is := reflect.ValueOf(r.content).MethodByName("Value").Call(nil)[0].Interface()
	return equality.Semantic.DeepEqual(was, is), true
}

// TestPackedTime wants the whole second of a time, which is all that protobuf has room for and that the API server writes.
func TestPackedTime(t *testing.T) {
	text := "apiVersion: v1\nkind: Node\nmetadata:\n  name: worker-1\n  creationTimestamp: \"2026-03-14T09:26:53%sZ\"\n"
	for _, fraction := range []string{"", ".25"} {
		found := false
		limits := Limits{Prepare: func(r *Record) { r.Hold() }}
		limits.Read([]byte(strings.Replace(text, "%s", fraction, 1)), "nodes.yaml", func(r Record) {
			node := r.content.(model.Content[*corev1.Node]).Value()
			found = node.CreationTimestamp.Equal(&metav1.Time{Time: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)})
		})
		if !found {
			t.Errorf("%q: not read", fraction)
		}
	}
}
