package table

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	} `json:"identifiable"`
}

// TestPublicExcerpts reads the pasted text of public incidents. What an excerpt holds of the volume and the nodes is
// found in some statement, nothing that it does not hold is told, and no other error is called Multi-Attach.
func TestPublicExcerpts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t, "incidents", "public"), "*", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no excerpts (%v)", err)
	}
	read := 0
	for _, dir := range directories(files) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var c publicCase
			meta, err := os.ReadFile(filepath.Join(dir, "meta.json"))
			if err != nil || json.Unmarshal(meta, &c) != nil {
				t.Fatalf("meta.json: %v", err)
			}
			volumes, nodes, blocked, text := excerpt(t, dir)
			if len(volumes)+len(nodes) == 0 {
				t.Skip("holds no pasted text that is read")
			}
			read++
			if blocked && !c.Expected.MultiAttach {
				t.Error("called Multi-Attach")
			}
			// Another file of the excerpt may hold what the pasted text does not.
			for _, f := range []struct {
				what, name string
				there      bool
				found      []string
			}{
				{"volume", c.Expected.Volume, c.Identifiable.Volume, volumes},
				{"old node", c.Expected.OldNode, c.Identifiable.OldNode, nodes},
				{"new node", c.Expected.NewNode, c.Identifiable.NewNode, nodes},
			} {
				if f.there && strings.Contains(text, f.name) && !slices.Contains(f.found, f.name) {
					t.Errorf("%s %s is not among %v", f.what, f.name, f.found)
				}
			}
			for _, name := range slices.Concat(volumes, nodes) {
				if !strings.Contains(text, name) {
					t.Errorf("%s is invented", name)
				}
			}
		})
	}
	if read < 20 {
		t.Errorf("%d excerpts were read", read)
	}
}

func directories(files []string) []string {
	var out []string
	for _, f := range files {
		if d := filepath.Dir(f); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// excerpt reads the pasted texts of a directory: the names in them, and whether one says Multi-Attach.
func excerpt(t *testing.T, dir string) (volumes, nodes []string, blocked bool, whole string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*.txt"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		res := Read(bytes.NewReader(text), filepath.Base(file), Hint{})
		if len(res.Observations) == 0 {
			continue
		}
		whole += string(text)
		quotesStand(t, text, res)
		for _, o := range res.Observations {
			blocked = blocked || o.Kind == model.MultiAttach
			if v := o.Volume.PersistentVolume; v != "" {
				volumes = append(volumes, v)
			}
			for _, n := range append([]string{o.Node}, o.Holders...) {
				if n != "" {
					nodes = append(nodes, n)
				}
			}
		}
	}
	return volumes, nodes, blocked, whole
}
