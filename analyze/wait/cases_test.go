package wait_test

import (
	"context"
	"io/fs"
	"reflect"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: what is known of every case, a golden for each exported field and question.
func TestCases(t *testing.T) {
	ofCase := cases.Open(t, "case")
	for _, b := range cases.Thinner(bundles()) {
		for n, c := range cases.Waits(facts.NewWorld(b.Snapshot)) {
			v := reflect.ValueOf(c).Elem()
			for f := range v.NumField() {
				if field := v.Type().Field(f); field.IsExported() && field.Name != "World" && field.Name != "Volume" && field.Name != "Span" {
					ofCase.Add(field.Name, b, n+1, cases.Text(v.Field(f).Interface()))
				}
			}
			ofCase.Add("Volume", b, n+1, cases.Text(*c.Volume))
			ofCase.Add("Actions", b, n+1, cases.Text(wait.Actions(c)))
			ofCase.Ask(b, n+1, c, c)
		}
	}
	ofCase.Close()
}
