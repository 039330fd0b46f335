package analyze_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/analyze"
	small "github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/ingest"
)

const killing = `apiVersion: v1
kind: Event
metadata: {name: web-6c5d7f9b84-xk2lp.k1, namespace: prod}
involvedObject: {apiVersion: v1, kind: Pod, namespace: prod, name: web-6c5d7f9b84-xk2lp}
reason: Killing
message: Stopping container web
type: Normal
source: {component: kubelet, host: node-a}
count: 1
firstTimestamp: "2026-03-14T10:20:43Z"
lastTimestamp: "2026-03-14T10:20:43Z"
`

// TestWhyTellsHowItEnded: a kubelet that came back stopped what had run on, where its log says so; when a held mount was let go is told, where it is
// known; and an alert on kubelets prevents only what a kubelet that stood still has made.
func TestWhyTellsHowItEnded(t *testing.T) {
	const stopped, only, watch = "and stopped the old pod, which had run on", "unmounted the volume only at ", "Watch the kubelets"
	for _, c := range []struct {
		name       string
		has, lacks []string
	}{
		{"kubelet-down/yes-likely-came-back killed", []string{stopped, watch}, []string{only}},
		{"kubelet-down/yes-real-thaw", []string{watch}, []string{stopped}},
		{"kubelet-down/yes-likely-came-back", []string{watch}, []string{stopped}},
		{"unmount-stuck/yes-ends-in-time", []string{only}, []string{watch}},
		{"unmount-stuck/yes-real-heals", []string{only}, []string{watch}},
		{"unmount-stuck/yes-pasted-ready-node", nil, []string{only, watch}},
	} {
		name, more, _ := strings.Cut(c.name, " ")
		file, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		bundle := small.Bundle(file)
		if more != "" {
			bundle["killing.yaml"] = &fstest.MapFile{Data: []byte(killing)}
		}
		s, err := ingest.Read(t.Context(), ingest.OpenFS(bundle, c.name), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := analyze.Run(t.Context(), s, caseOptions)
		got := r.Verdict.Why
		for _, m := range r.Incidents[0].Remediations {
			got += "; " + m.Title
		}
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q: %s", c.name, want, got)
			}
		}
		for _, want := range c.lacks {
			if strings.Contains(got, want) {
				t.Errorf("%s has %q: %s", c.name, want, got)
			}
		}
	}
}
