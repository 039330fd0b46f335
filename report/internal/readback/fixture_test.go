package readback

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/jsonout"
)

// Fixture is a report of the tests of the formats, as go test ./report -update writes it.
func Fixture(name string) *model.Report {
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", name+".json"))
	r := &model.Report{}
	if err == nil {
		err = json.Unmarshal(text, r)
	}
	if err != nil {
		panic(err)
	}
	return r
}

func rich() *model.Report { return Fixture("rich") }

// many is the rich report with so many incidents.
func many(n int) *model.Report {
	r := rich()
	one := *r
	r.Incidents, r.Timeline = nil, nil
	for i := range n {
		in := one.Incidents[0]
		in.ID = fmt.Sprintf("i%d", i)
		r.Incidents = append(r.Incidents, in)
		for _, item := range one.Timeline {
			item.ID, item.Incidents = fmt.Sprintf("%s-%d", item.ID, i), []string{in.ID}
			r.Timeline = append(r.Timeline, item)
		}
	}
	return r
}

func render(t testing.TB, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := jsonout.Report(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type named struct {
	name   string
	report *model.Report
}

func fixtures() []named {
	return []named{{"rich", rich()}, {"none", Fixture("none")}, {"bare", Fixture("bare")}, {"hostile", Fixture("hostile")}, {"many", many(25)}}
}
