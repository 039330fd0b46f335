package logfile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// Excerpts that people posted: whatever is in them, nothing that is not the controller's report may become one.
func TestPublicIncidents(t *testing.T) {
	metas, _ := filepath.Glob("../../../../shared/incidents/public/*/meta.json")
	if len(metas) == 0 {
		t.Skip("the public incidents are not beside the repository")
	}
	for _, meta := range metas {
		dir := filepath.Dir(meta)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(meta)
			if err != nil {
				t.Fatal(err)
			}
			var m struct {
				MultiAttach bool `json:"multi_attach"`
			}
			if err := json.Unmarshal(data, &m); err != nil {
				t.Fatal(err)
			}
			negative := !m.MultiAttach || strings.Contains(filepath.Base(dir), "-neg-")
			files, _ := filepath.Glob(dir + "/*")
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				r := Read(bytes.NewReader(data), filepath.Base(file), Hint{})
				for _, o := range r.Observations {
					if o.Kind == model.MultiAttach && negative {
						t.Errorf("%s:%d: %s", file, o.Source.Line, o.Quote.Text)
					}
					if !bytes.Contains(data, []byte(o.Quote.Text)) {
						t.Errorf("%s:%d: the quote is not in the file", file, o.Source.Line)
					}
				}
			}
		})
	}
}
