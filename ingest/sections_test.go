package ingest

import (
	"strings"
	"testing"
)

// kubectl cluster-info dump joins the logs of a pod's containers, and on standard output everything.
func TestSections(t *testing.T) {
	const kcm = "I0314 09:26:53.841223       1 reconciler.go:433] \"Multi-Attach error\" pods=[\"n/a\"] attachedTo=[\"x\"]\n"
	const csi = "I0314 09:26:53.841223       1 csi_handler.go:231] Error processing \"csi-a\": failed to detach: x\n"
	const joined = "==== START logs for container a of pod k/p ====\n" + kcm + "==== END logs for container a of pod k/p ====\n" +
		"==== START logs for container csi-attacher of pod k/p ====\n" + csi + csi + "==== END logs for container csi-attacher of pod k/p ====\n"
	s := readFS(t, bundleOf("-- d/k/p/logs.txt --\n"+joined))
	if got, want := inputs(s), "d/k/p/logs.txt!a=log/kube-controller-manager d/k/p/logs.txt!csi-attacher=log/external-attacher"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if in := s.Inputs[0]; in.Namespace != "k" || in.Pod != "p" || in.Container != "a" {
		t.Errorf("got %+v", in)
	}
	lines := strings.Split(joined, "\n")
	for _, o := range s.Observations {
		if lines[o.Source.Line-1] != o.Quote.Text {
			t.Errorf("line %d of the file is %q, quoted %q", o.Source.Line, lines[o.Source.Line-1], o.Quote.Text)
		}
	}
	const list = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[\n{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\"}}]}\n"
	whole := list + joined + list + joined
	s = readFS(t, bundleOf("-- dump.json --\n"+whole))
	want := "dump.json!a#2=log/kube-controller-manager dump.json!a=log/kube-controller-manager " +
		"dump.json!csi-attacher#2=log/external-attacher dump.json!csi-attacher=log/external-attacher dump.json#2=manifests " +
		"dump.json=manifests"
	if got := inputs(s); sortedWords(got) != sortedWords(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var n int64
	for _, in := range s.Inputs {
		n += in.Bytes
	}
	if n != int64(len(whole)) || len(s.Pods) != 2 {
		t.Errorf("%d bytes of %d, %d pods", n, len(whole), len(s.Pods))
	}
	lines = strings.Split(whole, "\n")
	for _, p := range s.Pods {
		if src, quote := p.SourceOf("metadata.name"); src.Line < 1 || !strings.Contains(lines[src.Line-1], quote.Text) || quote.Text == "" {
			t.Errorf("%s:%d is %q, cited %q", p.Input, src.Line, lines[src.Line-1], quote.Text)
		}
	}
	for _, o := range s.Observations {
		if lines[o.Source.Line-1] != o.Quote.Text {
			t.Errorf("line %d of the file is %q, quoted %q", o.Source.Line, lines[o.Source.Line-1], o.Quote.Text)
		}
	}
	// A line in the middle of another text begins no section.
	s = readFS(t, bundleOf("-- x.log --\n"+kcm+"see ==== START logs for container a of pod k/p ====\n"+kcm))
	if got := inputs(s); got != "x.log=log/kube-controller-manager" {
		t.Errorf("got %s", got)
	}
}

func sortedWords(s string) string {
	words := strings.Fields(s)
	for i := range words {
		for j := i; j > 0 && words[j] < words[j-1]; j-- {
			words[j], words[j-1] = words[j-1], words[j]
		}
	}
	return strings.Join(words, " ")
}
