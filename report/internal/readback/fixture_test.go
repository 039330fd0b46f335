package readback

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/jsonout"
	"github.com/volpost/volpost/report/internal/reporttest"
)

func rich() *model.Report { return reporttest.Fixture("rich") }

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
	if err := jsonout.Value(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type named struct {
	name   string
	report *model.Report
}

func fixtures() []named {
	return []named{{"rich", rich()}, {"none", reporttest.Fixture("none")}, {"bare", reporttest.Fixture("bare")},
		{"hostile", reporttest.Fixture("hostile")}, {"many", many(25)}}
}
