package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestArticleLog reads the controller log of a published article: a node is deleted, its pod is garbage-collected at
// 10:37:55, and the volume is force-detached six minutes later. The log names no VolumeAttachment.
func TestArticleLog(t *testing.T) {
	const (
		blocker  = "csi-9f7704015b456f146ce8c6c3bd80a5ec6cc55f4f5bfb90c61c250d0b050a283c"
		released = "10:37:55"
		detached = "10:43:55"
	)
	article, err := os.ReadFile(shared(t, "seeds", "003_bdb17af84ae4534b.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ .*$`).FindAllString(string(article), -1)
	if len(lines) < 20 {
		t.Fatalf("only %d log lines in the article", len(lines))
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kcm.log", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := volpost("analyze", "kcm.log", "-o", "json", "-o", "text=report.txt")
	if got.code != exitOK {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	r := decoded(t, []byte(got.stdout))
	if len(r.Incidents) != 1 {
		t.Fatalf("%d incidents, want one: %s", len(r.Incidents), r.Verdict.Headline)
	}
	i := r.Incidents[0]
	if i.BlockingAttachment.Name == nil || *i.BlockingAttachment.Name != blocker || i.BlockingAttachment.NameBasis != model.NameDerived {
		t.Errorf("the blocker is %+v", i.BlockingAttachment)
	}
	if i.MultiAttach.Ended == nil || i.From.Node != "csi-node2.mayalabs.io" || i.To.Node != "csi-node1.mayalabs.io" {
		t.Errorf("ended %v, from %s to %s", i.MultiAttach.Ended, i.From.Node, i.To.Node)
	}
	told := false
	for _, c := range i.Causes {
		told = told || (strings.Contains(c.Summary, released) && strings.Contains(c.Summary, detached))
	}
	for _, o := range i.WhyNotDetached {
		told = told || (strings.Contains(o.Text, released) && strings.Contains(o.Text, detached))
	}
	if !told {
		t.Errorf("no text says that the six minutes ran from %s to %s", released, detached)
	}
	text, err := os.ReadFile("report.txt")
	if err != nil || !strings.Contains(string(text), blocker[:20]) {
		t.Errorf("the text does not name the blocker (%v)", err)
	}
}

// TestLooseFile reads a file of the working directory like a bundle of one.
func TestLooseFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("kcm.log", bareControllerLog(t, "node-deleted"), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := volpost("inspect", "kcm.log", "-o", "json")
	if whole.code != exitOK {
		t.Fatalf("exit code %d: %s", whole.code, whole.stderr)
	}
	var bundle model.Bundle
	if err := json.Unmarshal([]byte(whole.stdout), &bundle); err != nil {
		t.Fatal(err)
	}
	if len(bundle.Inputs) != 1 || filepath.Base(bundle.Inputs[0].Path) != "kcm.log" || bundle.Inputs[0].Used == 0 || bundle.Inputs[0].Clock == nil {
		t.Errorf("inputs: %+v", bundle.Inputs)
	}
}
