package redact

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// Few are those of a list that a test tries; see recordings.Sweep. Of the short tests it is one, as the rows of the others hold the rules.
func Few[T any](all []T) []T {
	all = recordings.Sweep(all)
	if testing.Short() {
		return all[:1]
	}
	return all
}

// bundles are samples, and recordings that are none.
func bundles(t *testing.T) map[string]fs.FS {
	t.Helper()
	out := map[string]fs.FS{}
	for _, s := range Few(samples.List()) {
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = bundle
	}
	for _, name := range Few(recordings.Names(recordings.Played)) {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		out["recording "+name] = bundle
	}
	return out
}

// reports are those that were read: no test may change one.
var reports = map[string]*model.Report{}

// read returns the report on a bundle.
func read(t *testing.T, bundle fs.FS, name string) *model.Report {
	t.Helper()
	if r := reports[name]; r != nil {
		return r
	}
	opened := ingest.OpenFS(bundle, name)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reports[name] = analyze.Run(t.Context(), snapshot, analyze.Options{})
	return reports[name]
}

// SampleReport returns the report on a sample.
func SampleReport(t *testing.T, name string) *model.Report {
	t.Helper()
	bundle, err := samples.Bundle(name)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, bundle, name)
}

// TestWordsAsNames wants a name that is a word to be gone from everything that is not a sentence of volpost's own.
func TestWordsAsNames(t *testing.T) {
	for name, bundle := range bundles(t) {
		r := read(t, bundle, name)
		x := newRedactor()
		learn(x, r)
		out, _ := Of(r)
		var texts []string
		for _, e := range out.Evidence {
			texts = append(texts, e.Text, e.Source.Path, e.Source.Series)
		}
		for _, n := range out.Graph.Nodes {
			texts = append(texts, n.Name, n.Namespace, n.ID)
		}
		for _, in := range out.Bundle.Inputs {
			texts = append(texts, in.Path)
		}
		for _, text := range texts {
			for _, p := range pieces(text) {
				lower := strings.ToLower(p.text)
				if p.run && x.names[lower] && !everybodys(lower) {
					t.Errorf("%s: %q is a name, and stands in %q", name, p.text, text)
				}
			}
		}
	}
}

// TestSameConclusions wants a redacted report to say the same, with relations kept: equal names have equal pseudonyms,
// different ones different, and the hash of a VolumeAttachment fits.
func TestSameConclusions(t *testing.T) {
	for name, bundle := range bundles(t) {
		r := read(t, bundle, name)
		out, _ := Of(r)
		if out.Verdict.Status != r.Verdict.Status || len(out.Incidents) != len(r.Incidents) || len(out.Graph.Edges) != len(r.Graph.Edges) {
			t.Fatalf("%s: another verdict", name)
		}
		pairs := map[string]string{}
		relate := func(kind, before, after string) {
			before, after = kind+" "+before, kind+" "+after
			if was, ok := pairs[before]; ok && was != after {
				t.Errorf("%s: %s is %s and %s", name, before, was, after)
			}
			if was, ok := pairs["← "+after]; ok && was != before {
				t.Errorf("%s: %s stands for %s and %s", name, after, was, before)
			}
			pairs[before], pairs["← "+after] = after, before
		}
		for n, node := range r.Graph.Nodes {
			relate(node.Kind, node.Namespace+"/"+node.Name+"@"+node.UID,
				out.Graph.Nodes[n].Namespace+"/"+out.Graph.Nodes[n].Name+"@"+out.Graph.Nodes[n].UID)
			relate("id", node.ID, out.Graph.Nodes[n].ID)
		}
		for n, e := range r.Graph.Edges {
			relate("id", e.From, out.Graph.Edges[n].From)
			relate("id", e.To, out.Graph.Edges[n].To)
		}
		for n := range r.Incidents {
			sameIncident(t, name, &r.Incidents[n], &out.Incidents[n])
			relate("Node", "/"+r.Incidents[n].From.Node+"@", "/"+out.Incidents[n].From.Node+"@")
			relate("incident", r.Incidents[n].ID, out.Incidents[n].ID)
		}
	}
}

func sameIncident(t *testing.T, name string, before, after *model.Incident) {
	t.Helper()
	shape := func(i *model.Incident) string {
		var b strings.Builder
		for _, p := range i.Phases {
			b.WriteString(string(p.ID) + p.From.At.String() + p.To.At.String())
		}
		for _, c := range i.Causes {
			b.WriteString(c.ID + string(c.Verdict))
		}
		for _, r := range i.Remediations {
			b.WriteString(r.ID + r.Effect + r.Safety.State)
		}
		for _, o := range i.WhyNotDetached {
			b.WriteString(o.Operand + string(o.Value))
		}
		return b.String()
	}
	if shape(before) != shape(after) {
		t.Errorf("%s: another conclusion:\n%s\n%s", name, shape(before), shape(after))
	}
	derived := func(i *model.Incident) bool {
		b := i.BlockingAttachment
		return b.Name != nil && *b.Name == model.AttachmentName(i.Volume.VolumeHandle, i.Volume.Driver, b.Node)
	}
	if derived(before) != derived(after) {
		t.Errorf("%s: the hash of the VolumeAttachment fits %v before and %v after", name, derived(before), derived(after))
	}
}
