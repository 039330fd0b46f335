package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
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

// TestVerdictSpeaksOfWhatIsThere: over the samples, the recordings, whole and thinner, and what people paste, nothing is called clean
// beside a pod that waits, a stuck attachment, a volume on a node that is not Ready or a finding that is so at the collection; no headline
// is about what an input could show; what is still open has a command; and less evidence has no cause that the whole does not have. One of
// the views has its turn for each bundle, see recordings.Turn, or all for each sample with the build tag long.
func TestVerdictSpeaksOfWhatIsThere(t *testing.T) {
	t.Parallel()
	for n, s := range samples.List() {
		verdictsOf(t, n, s.Name, sampleFiles(t, s.Name), recordings.Long)
	}
	for n, rec := range recorded(t) {
		verdictsOf(t, n, rec.name, files(t, rec.bundle), false)
	}
	for name, pasted := range pastedSituations(t) {
		verdictOf(t, name, pasted)
	}
}

func verdictsOf(t *testing.T, n int, name string, whole fstest.MapFS, allViews bool) {
	t.Helper()
	full := verdictOf(t, name, whole)
	if pasted := pastedView(t, whole); len(pasted) > 0 {
		noOtherCauses(t, name+", pasted", full, verdictOf(t, name+", pasted", pasted))
	}
	due := recordings.Turn(n, verdictViews)
	if allViews {
		due = verdictViews
	}
	for _, v := range due {
		if less := only(whole, v.keep); len(less) > 0 {
			noOtherCauses(t, name+", "+v.name, full, verdictOf(t, name+", "+v.name, less))
		}
	}
}

// pastedSituations are the bundles of analyze's test of what people paste.
func pastedSituations(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "analyze", "testdata", "situations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]fstest.MapFS{}
	for _, f := range archive.Files {
		if name, file, _ := strings.Cut(f.Name, "/"); file == "want" {
			out[name] = fstest.MapFS{}
		} else {
			out[name][file] = &fstest.MapFile{Data: f.Data}
		}
	}
	return out
}

// verdictOf reads a bundle and holds its verdict against its objects.
func verdictOf(t *testing.T, name string, bundle fstest.MapFS) *model.Report {
	t.Helper()
	opened := ingest.OpenFS(bundle, name)
	defer func() { _ = opened.Close() }() // it was only read
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(name, err)
	}
	r := analyze.Run(t.Context(), snapshot, analyze.Options{Version: testVersion})
	verdictHolds(t, name, r, snapshot)
	return r
}

// command is a line of the answer that can be pasted into a shell.
var command = regexp.MustCompile(`(?m)^    (?:kubectl|oc|aws|gcloud|az|openstack|govc|ipmitool|grep|journalctl|systemctl|fuser|lsof|findmnt|for) `)

// placeholder is a name that whoever runs a command has to find.
var placeholder = regexp.MustCompile(`<[A-Za-z -]+>`)

func verdictHolds(t *testing.T, name string, r *model.Report, snapshot *model.Snapshot) {
	t.Helper()
	v := r.Verdict
	if strings.Contains(v.Headline, "could show") || strings.Contains(v.Headline, "could have shown") {
		t.Errorf("%s: the headline is about the input: %s", name, v.Headline)
	}
	open := v.Open && (v.Status == model.StatusIncident || v.Status == model.StatusFault)
	if open {
		var text bytes.Buffer
		render(t, &text, "text", r)
		answer, _, _ := strings.Cut(text.String(), "\nbundle     ")
		if given := command.FindString(answer); given == "" || placeholder.MatchString(given) {
			t.Errorf("%s: open, and no command: %s %s", name, v.Headline, given)
		}
	}
	for _, i := range r.Incidents {
		if given := openCommands(i); i.MultiAttach.Ended == nil && (len(given) == 0 || placeholder.MatchString(strings.Join(given, "\n"))) {
			t.Errorf("%s: %s is open, and nobody can run %q", name, i.ID, given)
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
	for _, p := range model.Newest(snapshot.Pods) {
		if waitsForVolume(p.Value()) {
			t.Errorf("%s: %s beside pod %s, which waits", name, v.Status, p.Ref)
		}
	}
	for _, a := range model.Newest(snapshot.VolumeAttachments) {
		if s := a.Value().Status; a.Value().DeletionTimestamp != nil || !s.Attached || s.AttachError != nil || s.DetachError != nil ||
			slices.ContainsFunc(model.Newest(snapshot.Nodes), func(n model.Object[*corev1.Node]) bool {
				return n.Ref.Name == a.Value().Spec.NodeName && !isReady(n.Value())
			}) {
			t.Errorf("%s: %s beside %s", name, v.Status, a.Ref)
		}
	}
}

// openCommands are the commands that an incident comes with, for now.
func openCommands(i model.Incident) (out []string) {
	for _, n := range i.Next {
		out = append(out, n.Command)
	}
	if i.Advice != nil {
		for _, o := range i.Advice.Now {
			for _, s := range o.Steps {
				out = append(out, s.Command)
			}
		}
	}
	return slices.DeleteFunc(out, func(c string) bool { return c == "" })
}

func isReady(n *corev1.Node) bool {
	return slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
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
