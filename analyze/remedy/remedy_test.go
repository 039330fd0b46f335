package remedy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/remedy"
)

// schema is the part of the report's contract that names the remedies.
type schema struct {
	Defs struct {
		Remediation struct {
			Properties struct {
				ID struct{ Examples []string } `json:"id"`
			}
		}
	} `json:"$defs"`
}

// TestContract: the remedies are those of the report's schema, each of them once.
func TestContract(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "report", "schema", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, r := range remedy.All() {
		count[r.ID]++
	}
	ids := s.Defs.Remediation.Properties.ID.Examples
	if len(ids) == 0 {
		t.Fatal("the schema names no remedy")
	}
	for _, id := range ids {
		if count[id] != 1 {
			t.Errorf("%s is there %d times", id, count[id])
		}
		delete(count, id)
	}
	for id := range count {
		t.Errorf("the contract does not know %s", id)
	}
}

// TestRemedies: every remedy names its sources, says what else it does, and has what the runner needs of it.
func TestRemedies(t *testing.T) {
	for _, r := range remedy.All() {
		if r.Title == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: title %q", r.ID, r.Title)
		}
		if len(r.References) == 0 {
			t.Errorf("%s names no source", r.ID)
		}
		if r.SideEffects == nil {
			t.Errorf("%s does not say what else it does", r.ID)
		}
		if r.Fit == nil || !r.Preventive && r.From == nil {
			t.Errorf("%s: nothing tells when it fits", r.ID)
		}
	}
}
