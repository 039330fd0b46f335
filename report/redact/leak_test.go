package redact

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"html"
	"index/suffixarray"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// bundles are all samples, and recordings that are none; with -short one.
func bundles(t *testing.T) map[string]fs.FS {
	t.Helper()
	out := map[string]fs.FS{}
	for i, s := range samples.List() {
		if testing.Short() && i != 2 {
			continue
		}
		bundle, err := samples.Bundle(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = bundle
	}
	for _, name := range recordings.Sweep(recordings.Names(recordings.Played)) {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		if !testing.Short() {
			out["recording "+name] = bundle
		}
	}
	return out
}

// read answers what a bundle says, and the report on it.
func read(t *testing.T, bundle fs.FS, name string) (*model.Snapshot, *model.Report) {
	t.Helper()
	opened := ingest.OpenFS(bundle, name)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return snapshot, analyze.Run(snapshot, analyze.Options{})
}

// namesOf are the names of all objects in a bundle, with the addresses and users that it has.
func namesOf(s *model.Snapshot, r *model.Report) []string {
	all := map[string]bool{}
	add := func(names ...string) {
		for _, n := range names {
			all[n] = true
		}
	}
	ref := func(r model.Ref) { add(r.Namespace, r.Name, r.UID) }
	for _, n := range s.Nodes {
		ref(n.Ref)
		add(n.Value().Spec.ProviderID)
		for _, a := range n.Value().Status.Addresses {
			add(a.Address)
		}
	}
	for _, p := range s.Pods {
		ref(p.Ref)
		add(p.Value().Spec.NodeName, p.Value().Status.PodIP, p.Value().Status.HostIP)
	}
	for _, v := range s.PersistentVolumes {
		ref(v.Ref)
		if v.Value().Spec.CSI != nil {
			add(v.Value().Spec.CSI.VolumeHandle)
		}
	}
	for _, c := range s.PersistentVolumeClaims {
		ref(c.Ref)
	}
	for _, a := range s.VolumeAttachments {
		ref(a.Ref)
	}
	for _, n := range s.Namespaces {
		ref(n.Ref)
	}
	for _, d := range s.Deployments {
		ref(d.Ref)
	}
	for _, d := range s.StatefulSets {
		ref(d.Ref)
	}
	for _, d := range s.ReplicaSets {
		ref(d.Ref)
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		for _, one := range slices.Concat(o.Pods, []model.Ref{o.Pod, o.Claim, o.Owner, o.Object}) {
			ref(one)
		}
		add(o.Node, o.Attachment, o.Volume.Handle, o.Volume.PersistentVolume)
		add(o.Holders...)
	}
	for _, e := range r.Evidence {
		add(e.ID)
		for _, ip := range regexp.MustCompile(`\b(?:10|172|192)\.\d+\.\d+\.\d+\b`).FindAllString(e.Text, -1) {
			add(ip)
		}
	}
	for _, i := range r.Incidents {
		add(i.ID)
	}
	v := newVocabulary()
	var out []string
	for n := range all {
		lower := strings.ToLower(n)
		if len(n) < 2 || v.compounds[lower] || everybodys(lower) || strings.Contains(n, " ") || n == "0.0.0.0" {
			continue
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// forms are the ways in which a name can hide.
func forms(name string) []string {
	quoted, err := json.Marshal(name)
	if err != nil {
		panic(err)
	}
	out := []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:], url.QueryEscape(name), url.PathEscape(name), html.EscapeString(name), strings.Trim(string(quoted), `"`)}
	for lead := range 3 { // the three ways in which base64 can begin inside of a longer text
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", lead) + name + "xx"))
		if from, to := (lead*8+5)/6+1, (lead+len(name))*8/6-1; to-from >= 6 {
			out = append(out, encoded[from:to])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestNoNameSurvives looks for every name of every bundle in every output.
func TestNoNameSurvives(t *testing.T) {
	for name, bundle := range bundles(t) {
		t.Run(filepath.Base(filepath.Dir(name))+"-"+filepath.Base(name), func(t *testing.T) {
			s, r := read(t, bundle, name)
			names := namesOf(s, r)
			if len(names) < 20 {
				t.Fatalf("only %d names", len(names))
			}
			out, _ := Of(r)
			for _, f := range report.Formats() {
				var b bytes.Buffer
				if err := report.Write(&b, f.Name, out); err != nil {
					t.Fatal(err)
				}
				survivors(t, f.Name, withoutReferences(b.String(), r), names)
			}
		})
	}
}

// withoutReferences leaves out the sources of remedies, which are volpost's own and the same in every report.
func withoutReferences(text string, r *model.Report) string {
	references := map[string]bool{}
	for _, i := range r.Incidents {
		for _, remedy := range i.Remediations {
			for _, reference := range remedy.References {
				references[reference] = true
			}
		}
	}
	for _, reference := range slices.Sorted(maps.Keys(references)) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, reference, ""), html.EscapeString(reference), "")
	}
	return text
}

// survivors names what is left of names in a text. A name that is a word of the vocabulary, such as a Deployment called
// reports, may stand in a sentence as the word that it is; it must stand in no quote, path or reference, which
// TestWordsAsNames checks.
func survivors(t *testing.T, format, text string, names []string) {
	t.Helper()
	words := newVocabulary().words
	tokens := map[string]bool{}
	for _, p := range pieces(text) {
		tokens[p.text] = p.run
	}
	joined := strings.NewReplacer("\n", "", " ", "", "\u200b", "", "<wbr>", "", "-", "").Replace(text)
	// Thousands of names in megabytes of text: an index of the text finds each in no time.
	places, joinedPlaces := suffixarray.New([]byte(text)), suffixarray.New([]byte(joined))
	for _, n := range names {
		if words[strings.ToLower(n)] {
			continue
		}
		for _, form := range forms(n) {
			run := strings.IndexFunc(form, func(r rune) bool { return !alnum(r) && !joint(byte(r)) }) < 0
			if len(form) <= 4 && run && tokens[form] || len(form) > 4 && places.Lookup([]byte(form), 1) != nil {
				at := max(0, strings.Index(text, form))
				t.Errorf("%s has %q as %q: …%s", format, n, form, text[max(0, at-80):min(len(text), at+len(form)+40)])
			}
		}
		if split := strings.ReplaceAll(n, "-", ""); len(split) >= 9 && joinedPlaces.Lookup([]byte(split), 1) != nil {
			t.Errorf("%s has %q, split", format, n)
		}
	}
}

// TestWordsAsNames wants a name that is a word to be gone from everything that is not a sentence of volpost's own.
func TestWordsAsNames(t *testing.T) {
	for name, bundle := range bundles(t) {
		_, r := read(t, bundle, name)
		x := newRedactor()
		x.learn(reflect.ValueOf(r), "", false)
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
		_, r := read(t, bundle, name)
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
			relate(node.Kind, node.Namespace+"/"+node.Name+"@"+node.UID, out.Graph.Nodes[n].Namespace+"/"+out.Graph.Nodes[n].Name+"@"+out.Graph.Nodes[n].UID)
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
