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
	const public = "../../../../shared/incidents/public/"
	data, err := os.ReadFile(public + "index.json")
	if err != nil {
		t.Skip("the public incidents are not beside the repository")
	}
	var index []struct {
		Dir         string `json:"dir"`
		MultiAttach bool   `json:"multi_attach"`
	}
	if err := json.Unmarshal(data, &index); err != nil {
		t.Fatal(err)
	}
	for _, in := range index {
		t.Run(in.Dir, func(t *testing.T) {
			negative := !in.MultiAttach || strings.Contains(in.Dir, "-neg-")
			dir := public + in.Dir
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
