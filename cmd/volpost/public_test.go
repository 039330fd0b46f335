package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

// publicCase says what is known of an excerpt of a public incident.
type publicCase struct {
	Expected struct {
		MultiAttach bool   `json:"multi_attach"`
		Volume      string `json:"volume"`
		OldNode     string `json:"old_node"`
		NewNode     string `json:"new_node"`
	} `json:"expected"`
	TextInEvidence []string `json:"text_in_evidence"`
	Identifiable   struct {
		Volume  bool `json:"volume"`
		OldNode bool `json:"old_node"`
		NewNode bool `json:"new_node"`
	} `json:"identifiable"`
	FormatGroups []string `json:"format_groups"`
}

// account is the excerpt in which a person retells what happened; prose is not read.
const account = "015-karpenter-datadog-handovers"

// said reports whether Multi-Attach is said in the excerpt.
func (c publicCase) said() bool {
	said := slices.ContainsFunc(c.TextInEvidence, func(text string) bool { return strings.HasPrefix(text, "multi-attach") })
	return c.Expected.MultiAttach && said
}

// TestPublicIncidents reads excerpts of public incidents. None may crash; what has no Multi-Attach in it must not be said
// to have one; and what stands in an excerpt of a format that volpost reads must be found.
func TestPublicIncidents(t *testing.T) {
	root := shared(t, "incidents", "public")
	directories, err := filepath.Glob(filepath.Join(root, "*", "meta.json"))
	if err != nil || len(directories) == 0 {
		t.Fatalf("no excerpts in %s (%v)", root, err)
	}
	found, wanted := 0, 0
	for _, description := range directories {
		name := filepath.Base(filepath.Dir(description))
		t.Run(name, func(t *testing.T) {
			known := readCase(t, description)
			// The description of an excerpt is no part of it.
			excerpt := only(files(t, os.DirFS(filepath.Dir(description))), func(path string) bool { return path != "meta.json" })
			_, r := explained(t, excerpt, name)
			// A detach that fails is told as what it is.
			told := slices.DeleteFunc(slices.Clone(r.Incidents), func(i model.Incident) bool { return i.Kind == model.KindFailingDetach })
			if !known.Expected.MultiAttach && len(told) > 0 {
				t.Errorf("called Multi-Attach: %s", r.Verdict.Headline)
			}
			if known.Expected.MultiAttach {
				wanted++
				found += min(1, len(r.Incidents))
			}
			for _, w := range identified(known, r.Incidents) {
				if name != account && known.said() && tied(excerpt, known.Expected.Volume, w.want) {
					t.Error(w.text)
				} else {
					t.Logf("not said of the volume (%s): %s", strings.Join(known.FormatGroups, ", "), w.text)
				}
			}
		})
	}
	t.Logf("Multi-Attach found in %d of the %d excerpts of incidents that have it", found, wanted)
}

func readCase(t *testing.T, description string) publicCase {
	t.Helper()
	text, err := os.ReadFile(description)
	if err != nil {
		t.Fatal(err)
	}
	var c publicCase
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// tied reports whether some line of the excerpt says the name together with the volume. A reader can also guess a node
// from its other pods; volpost does not.
func tied(excerpt fstest.MapFS, volume, name string) bool {
	for _, file := range excerpt {
		for line := range strings.Lines(string(file.Data)) {
			if strings.Contains(line, volume) && strings.Contains(line, name) {
				return true
			}
		}
	}
	return false
}

// lack is a name that the report should have, with what to say of it.
type lack struct{ want, text string }

// identified says which names that stand in the excerpt the report lacks.
func identified(c publicCase, incidents []model.Incident) []lack {
	if !c.Expected.MultiAttach {
		return nil
	}
	if len(incidents) == 0 {
		return []lack{{c.Expected.Volume, "no incident"}}
	}
	var wrong []lack
	for _, field := range []struct {
		name, want string
		there      bool
		of         func(model.Incident) []string
	}{
		{"volume", c.Expected.Volume, c.Identifiable.Volume, func(i model.Incident) []string {
			return []string{i.Volume.PersistentVolume, i.Volume.VolumeHandle, i.Volume.UniqueName}
		}},
		{"old node", c.Expected.OldNode, c.Identifiable.OldNode, func(i model.Incident) []string { return []string{i.From.Node} }},
		{"new node", c.Expected.NewNode, c.Identifiable.NewNode, func(i model.Incident) []string { return []string{i.To.Node} }},
	} {
		if field.want == "" || !field.there {
			continue
		}
		named := slices.ContainsFunc(incidents, func(i model.Incident) bool { return slices.Contains(field.of(i), field.want) })
		if !named {
			wrong = append(wrong, lack{field.want, fmt.Sprintf("%s is not %s", field.name, field.want)})
		}
	}
	return wrong
}
