package ingest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// full is an event in which every field has a value of its own.
func full(t *testing.T) event {
	t.Helper()
	e := event{UID: "u", Version: 7}
	n := 0
	fill(t, reflect.ValueOf(&e.Statement).Elem(), &n)
	return e
}

func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(int64(*n), int64(*n)).UTC()))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("s", *n))
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.Kind() == reflect.Int:
		v.SetInt(int64(-*n))
	case v.Kind() == reflect.Float64:
		v.SetFloat(float64(*n) / 3)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(t, v.Index(i), n)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("an observation has a %v: the store has to keep it, too", v.Type())
	}
}

// TestStored: what is packed comes back with every field, also one that is added to Observation some day.
func TestStored(t *testing.T) {
	hashed := event{Statement: model.Observation{Quote: mask.Quote("a line")}}
	for name, want := range map[string]event{"full": full(t), "zero": {}, "hashed": hashed} {
		var s store
		s.put(&want)
		s.take(func(*model.Observation) bool { return true }, func(got event) {
			if s.n--; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, want %+v", name, got, want)
			}
		})
	}
}

// TestStore: what is wanted comes back, the rest is counted.
func TestStore(t *testing.T) {
	var s store
	const n = 3000 // several blocks
	for i := range n {
		e := full(t)
		e.Statement.Count = i
		if !s.put(&e) {
			t.Fatal("the store is full")
		}
	}
	if len(s.packed) < 2 {
		t.Errorf("%d blocks", len(s.packed))
	}
	sum := 0
	s.take(func(o *model.Observation) bool { return o.Count%3 == 0 }, func(e event) {
		sum++
		want := full(t)
		want.Statement.Count = e.Statement.Count
		if !reflect.DeepEqual(e, want) {
			t.Fatalf("got %+v", e)
		}
	})
	if sum != n/3 {
		t.Errorf("%d came back, want %d", sum, n/3)
	}
}
