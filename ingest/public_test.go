package ingest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/model"
)

// publicCase is what is known of an excerpt of a public incident.
type publicCase struct {
	Expected struct {
		MultiAttach bool   `json:"multi_attach"`
		Volume      string `json:"volume"`
		OldNode     string `json:"old_node"`
		NewNode     string `json:"new_node"`
	} `json:"expected"`
	Identifiable struct {
		Volume  bool `json:"volume"`
		OldNode bool `json:"old_node"`
		NewNode bool `json:"new_node"`
		Time    bool `json:"absolute_time"`
	} `json:"identifiable"`
}

// notSaid says why a field that a person can make out in an excerpt is not in what volpost reads of it.
var notSaid = map[string]string{
	"015 volume":   "stands in a person's account in Portuguese; prose is not read",
	"015 old node": "stands in a person's account in Portuguese; prose is not read",
	"015 new node": "stands in a person's account in Portuguese; prose is not read",
	"015 time":     "stands in a person's account in Portuguese; prose is not read",
}

// TestPublicExcerpts reads the excerpts as a user would give them. What a person can make out of the volume, the nodes and
// the time is in some statement or object, unless notSaid has the reason; and no name is told that stands nowhere.
func TestPublicExcerpts(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "incidents", "public")
	descriptions, _ := filepath.Glob(filepath.Join(root, "*", "meta.json"))
	if len(descriptions) == 0 {
		t.Skip("the public incidents are not beside the repository")
	}
	found, wanted := 0, 0
	for _, description := range descriptions {
		dir := filepath.Dir(description)
		name := filepath.Base(dir)
		var c publicCase
		meta, err := os.ReadFile(description)
		must(t, err)
		must(t, json.Unmarshal(meta, &c))
		fsys, text := fstest.MapFS{}, ""
		walkFiles(t, dir, func(p string, data []byte) {
			if p != "meta.json" {
				fsys[p] = &fstest.MapFile{Data: data}
				text += string(data)
			}
		})
		said := tellingOf(readFS(t, fsys))
		for _, f := range []struct {
			what  string
			there bool
			told  bool
		}{
			{"volume", c.Identifiable.Volume, said.volume(c.Expected.Volume)},
			{"old node", c.Identifiable.OldNode, slices.Contains(said.nodes, c.Expected.OldNode)},
			{"new node", c.Identifiable.NewNode, slices.Contains(said.nodes, c.Expected.NewNode)},
			{"time", c.Identifiable.Time, said.timed},
		} {
			if !f.there {
				continue
			}
			wanted++
			key := name[:3] + " " + f.what
			why, excused := notSaid[key]
			switch {
			case f.told && excused:
				t.Errorf("%s: %s is found after all", name, f.what)
			case f.told:
				found++
				t.Logf("| %s | %s | found | |", name, f.what)
			case excused:
				t.Logf("| %s | %s | not found | %s |", name, f.what, why)
			default:
				t.Errorf("%s: %s is not found", name, f.what)
			}
		}
		for _, n := range slices.Concat(said.volumes, said.nodes) {
			if !strings.Contains(text, strings.TrimSuffix(n, elision)) {
				t.Errorf("%s: %q is invented", name, n)
			}
		}
		if said.blocked && !c.Expected.MultiAttach {
			t.Errorf("%s: called Multi-Attach", name)
		}
	}
	t.Logf("%d of %d fields are found", found, wanted)
}

// telling is what a snapshot names.
type telling struct {
	volumes, nodes []string
	timed, blocked bool
}

// volume reports whether a volume is named, or a handle that ends in its name as a path does: Azure's, Google's.
func (t telling) volume(name string) bool {
	return slices.ContainsFunc(t.volumes, func(v string) bool {
		left, shortened := strings.CutSuffix(v, elision) // as a person wrote it
		return v == name || strings.HasSuffix(v, "/"+name) || shortened && strings.HasPrefix(name, left)
	})
}

func tellingOf(s *model.Snapshot) telling {
	var out telling
	node := func(names ...string) {
		for _, n := range names {
			if n != "" {
				out.nodes = append(out.nodes, n)
			}
		}
	}
	volume := func(names ...string) {
		for _, n := range names {
			if n != "" {
				out.volumes = append(out.volumes, n)
			}
		}
	}
	for _, o := range s.Observations {
		node(append([]string{o.Node}, o.Holders...)...)
		volume(o.Volume.PersistentVolume, o.Volume.Handle)
		out.blocked = out.blocked || o.Kind == model.MultiAttach
		out.timed = out.timed || !o.At.At.IsZero()
	}
	for _, in := range s.Inputs {
		out.timed = out.timed || in.From != nil
	}
	for _, va := range s.VolumeAttachments {
		node(va.Value().Spec.NodeName)
		if pv := va.Value().Spec.Source.PersistentVolumeName; pv != nil {
			volume(*pv)
		}
		out.timed = out.timed || !va.Value().CreationTimestamp.IsZero()
	}
	for _, n := range s.Nodes {
		node(n.Ref.Name)
	}
	for _, pv := range s.PersistentVolumes {
		volume(pv.Ref.Name)
	}
	return out
}
