package main

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// verdictViews are what people have who could collect less, beside the whole.
var verdictViews = []struct {
	name string
	keep func(path string) bool
}{
	{"no logs", func(path string) bool { return !isLogFile(path) }},
	{"objects", func(path string) bool { return !isLogFile(path) && !strings.Contains(path, "event") }},
	{"events", thinner["events"]},
	{"pods and attachments", func(path string) bool {
		return strings.Contains(path, "pods") && !isLogFile(path) || strings.Contains(path, "attachment")
	}},
	{"controller log", thinner["controller log"]},
	{"nodes", func(path string) bool { return strings.Contains(path, "/nodes/") && !isLogFile(path) }},
}

// TestVerdictSpeaksOfWhatIsThere: over the samples and the recordings, whole and thinner, nothing is called clean beside a pod that
// waits or a finding that is so at the collection; no headline is about what an input could show; and what is still open has a command.
func TestVerdictSpeaksOfWhatIsThere(t *testing.T) {
	t.Parallel()
	for n, s := range samples.List() {
		whole := sampleFiles(t, s.Name)
		verdictOf(t, s.Name, whole)
		verdictOf(t, s.Name+", pasted", pastedView(t, whole))
		for _, v := range recordings.Turn(n, verdictViews) {
			verdictOf(t, s.Name+", "+v.name, only(whole, v.keep))
		}
	}
	for n, rec := range recorded(t) {
		whole := files(t, rec.bundle)
		verdictOf(t, rec.name, whole)
		verdictOf(t, rec.name+", pasted", pastedView(t, whole))
		for _, v := range recordings.Turn(n, verdictViews) {
			verdictOf(t, rec.name+", "+v.name, only(whole, v.keep))
		}
	}
}

// verdictOf reads a bundle and holds its verdict against its pods.
func verdictOf(t *testing.T, name string, bundle fstest.MapFS) {
	t.Helper()
	if len(bundle) == 0 {
		return
	}
	opened := ingest.OpenFS(bundle, name)
	defer func() { _ = opened.Close() }() // it was only read
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	r := analyze.Run(t.Context(), snapshot, analyze.Options{Version: testVersion})
	verdictHolds(t, name, r, model.Newest(snapshot.Pods))
}

// command is a line of the answer that can be pasted into a shell.
var command = regexp.MustCompile(`(?m)^    (?:kubectl|oc|aws|gcloud|az|openstack|govc|ipmitool|grep|journalctl|fuser|lsof|findmnt|for) `)

func verdictHolds(t *testing.T, name string, r *model.Report, pods []model.Object[*corev1.Pod]) {
	t.Helper()
	v := r.Verdict
	if strings.Contains(v.Headline, "could show") || strings.Contains(v.Headline, "could have shown") {
		t.Errorf("%s: the headline is about the input: %s", name, v.Headline)
	}
	open := v.Open && (v.Status == model.StatusIncident || v.Status == model.StatusFault)
	if open {
		var text bytes.Buffer
		render(t, &text, "text", r)
		_, answer, _ := strings.Cut(text.String(), "\nTHE ANSWER\n")
		if !command.MatchString(answer) {
			t.Errorf("%s: open, and no command: %s", name, v.Headline)
		}
	}
	if v.Status != model.StatusClean && v.Status != model.StatusHandover {
		return
	}
	for _, f := range r.Findings {
		if f.Severity != string(model.Info) {
			t.Errorf("%s: %s beside finding %s: %s", name, v.Status, f.ID, f.Text)
		}
	}
	for _, p := range pods {
		if waitsForVolume(p.Value()) {
			t.Errorf("%s: %s beside pod %s, which waits", name, v.Status, p.Ref)
		}
	}
}

// waitsForVolume reports that a pod with a claim has a node, and the first of its containers is not there.
func waitsForVolume(p *corev1.Pod) bool {
	claims := slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool { return v.PersistentVolumeClaim != nil })
	if !claims || p.Spec.NodeName == "" || p.DeletionTimestamp != nil || p.Status.Phase != corev1.PodPending {
		return false
	}
	return !slices.ContainsFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
		return s.State.Waiting == nil || s.State.Waiting.Reason != "ContainerCreating"
	})
}
