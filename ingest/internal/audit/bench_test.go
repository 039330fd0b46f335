package audit

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkIrrelevant reads what most of an audit log is: reads, watches, events, configuration, with bodies.
func BenchmarkIrrelevant(b *testing.B) {
	var log strings.Builder
	for i, resource := range []string{"configmaps", "leases", "events", "endpointslices", "secrets", "pods", "nodes"} {
		ref := fmt.Sprintf(`{"resource":%q,"namespace":"shop","name":"x-%d","apiVersion":"v1"}`, resource, i)
		verb := "update"
		if i > 4 {
			verb = "list"
		}
		log.WriteString(ev(verb, ref, "requestObject", `{"data":{"x":"`+strings.Repeat("value ", 300)+`"}}`))
	}
	data := []byte(strings.Repeat(log.String(), 1000))
	if res := Read(bytes.NewReader(data), "x"); res.Input.Used != 0 || res.Input.Records != 7000 {
		b.Fatalf("%+v", res.Input)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Read(bytes.NewReader(data), "x")
	}
}

// BenchmarkRelevant reads events that each make a statement.
func BenchmarkRelevant(b *testing.B) {
	var log strings.Builder
	for i := range 2000 {
		log.WriteString(ev("delete", strings.Replace(vaRef, "0c7e", fmt.Sprint(i), 1), "responseObject", vaGoing))
	}
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		Read(strings.NewReader(log.String()), "x")
	}
}

// BenchmarkRecorded reads the largest log of the recorded incidents.
func BenchmarkRecorded(b *testing.B) {
	var data []byte
	for _, d := range recordedLogs(b) {
		if len(d) > len(data) {
			data = d
		}
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Read(bytes.NewReader(data), "x")
	}
}
