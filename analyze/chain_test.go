package analyze_test

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
)

func snapshotOf(t *testing.T, name string) *model.Snapshot {
	t.Helper()
	files, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	bundle := ingest.OpenFS(files, name)
	t.Cleanup(func() { bundle.Close() })
	s, err := ingest.Read(t.Context(), bundle, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// objects are the identifiers of a graph, without UIDs and hashes.
func objects(g model.Graph) string {
	var out []string
	for _, n := range g.Nodes {
		id, _, _ := strings.Cut(n.ID, "@")
		out = append(out, shortHashes(id))
	}
	return strings.Join(out, " ")
}

// A claim has its pods, owner, volume, attachments and nodes around it, and nothing of another claim on the same node; a pod that
// shares it leads to the same objects. What is not there is an error, and not an empty drawing.
func TestChain(t *testing.T) {
	s := snapshotOf(t, "shared-claim")
	claim := model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "reports-data"}
	g, err := analyze.Chain(t.Context(), s, claim)
	if err != nil {
		t.Fatal(err)
	}
	want := "Deployment/shop/reports Node/worker-0 Node/worker-1 PersistentVolume/pvc-876c5110-8c24-435a-8a4f-9023a4fcd5c7 " +
		"PersistentVolumeClaim/shop/reports-data " +
		"Pod/shop/reports-56499cd88f-kbl7s Pod/shop/reports-56499cd88f-nhkj4 VolumeAttachment/csi-d9f1e5e7"
	if got := objects(g.Graph); got != want {
		t.Errorf("the objects around the claim are\n%s, want\n%s", got, want)
	}
	byPod, err := analyze.Chain(t.Context(), s, model.PodRef("shop", "reports-56499cd88f-nhkj4", ""))
	if err != nil || objects(byPod.Graph) != want {
		t.Errorf("the objects around a pod that shares the claim are\n%s (%v)", objects(byPod.Graph), err)
	}
	for _, missing := range []model.Ref{{Kind: "PersistentVolumeClaim", Namespace: "backoffice", Name: "reports"},
		model.PodRef("shop", "reports-data", "")} {
		if g, err := analyze.Chain(t.Context(), s, missing); err == nil {
			t.Errorf("%s has %s around it", missing.Key(), objects(g.Graph))
		}
	}
	quiet, err := analyze.Chain(t.Context(), s, model.Ref{Kind: "PersistentVolumeClaim", Namespace: "backoffice", Name: "reports-data"})
	if got := objects(quiet.Graph); err != nil || !strings.Contains(got, "Pod/backoffice/reports-") || !strings.Contains(got,
		"Node/master-0") || strings.Contains(got, "shop/") {
		t.Errorf("the objects around a claim without an incident are %s (%v)", got, err)
	}
	all, err := analyze.Chain(t.Context(), s, model.Ref{})
	if err != nil || !strings.Contains(objects(all.Graph), "backoffice/reports-data") || len(all.Nodes) <= len(g.Nodes) {
		t.Errorf("the whole bundle is %s (%v)", objects(all.Graph), err)
	}
}

// Two pods of one name, of which the first is gone, are two.
func TestChainOfAStatefulSet(t *testing.T) {
	g, err := analyze.Chain(t.Context(), snapshotOf(t, "statefulset"), model.PodRef("shop", "kafka-1", ""))
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, n := range g.Nodes {
		if n.Kind == "Pod" {
			states[n.State]++
		}
	}
	if len(states) != 2 || states["gone"] != 1 || states["Ready"] != 1 {
		t.Errorf("the pods are %v", states)
	}
}

// A report without an incident has the chains of the objects that its first findings name, and one with an incident those of the
// incident alone.
func TestGraphOfFindings(t *testing.T) {
	r := analyze.Run(t.Context(), snapshotOf(t, "clean"), analyze.Options{})
	if got := objects(r.Graph); !strings.Contains(got,
		"Deployment/shop/orders-db Node/worker-1 PersistentVolume/") || strings.Contains(got, "backoffice") {
		t.Errorf("the objects of the findings are %s", got)
	}
	for _, n := range r.Graph.Nodes {
		if n.Namespace == "gce-pd-csi-driver" {
			t.Errorf("%s is part of no chain", n.ID)
		}
	}
	with := analyze.Run(t.Context(), snapshotOf(t, "shared-claim"), analyze.Options{})
	if got := objects(with.Graph); len(with.Incidents) == 0 || strings.Contains(got, "backoffice") {
		t.Errorf("the objects of the incident are %s", got)
	}
}
