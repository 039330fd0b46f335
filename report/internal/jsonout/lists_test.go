package jsonout

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// atOnce is a value as encoding/json writes it.
func atOnce(t *testing.T, v any, indent string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Encoder(&b, indent).Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestListsAreWrittenAsAtOnce: parts and processors leave no trace in the bytes.
func TestListsAreWrittenAsAtOnce(t *testing.T) {
	type whole struct {
		A string `json:"a"`
		B []int  `json:"b"`
		C []any  `json:"c"`
		D int    `json:"d"`
	}
	v := whole{A: "\n  \"b\": []<&>\u2028", D: 1}
	for i := range 100 {
		v.B = append(v.B, i)
		v.C = append(v.C, map[string]any{"k": i, "b": []int{}}, nil, "\n \"c\": []", []any{})
	}
	rest := whole{A: v.A, B: []int{}, C: []any{}, D: v.D}
	for part := range 120 {
		var b strings.Builder
		if err := WriteLists(&b, rest, "  ", ListOf("b", part+1, v.B), ListOf("c", part+1, v.C)); err != nil || b.String() != atOnce(t, v, "  ") {
			t.Fatalf("parts of %d: %v\n%s", part+1, err, b.String())
		}
	}
}

// TestListsErrors: what cannot be written is said, and nobody waits for ever.
func TestListsErrors(t *testing.T) {
	type whole struct {
		B []any `json:"b"`
	}
	list := make([]any, 100)
	list[70] = func() {}
	if err := WriteLists(io.Discard, whole{B: []any{}}, " ", ListOf("b", 1, list)); err == nil {
		t.Error("a function is written as JSON")
	}
	if err := WriteLists(io.Discard, whole{}, " ", ListOf("b", 1, list)); err == nil {
		t.Error("a list is filled that is not there")
	}
	many := &model.Report{Incidents: make([]model.Incident, 9), Timeline: make([]model.TimelineItem, 3)}
	for after := range 4 {
		if err := Report(&filling{after}, many); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("full after %d writes: %v", after, err)
		}
	}
	if err := Report(io.Discard, &model.Report{}); err != nil {
		t.Error(err)
	}
}

// filling takes a number of writes.
type filling struct{ left int }

func (f *filling) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
