package html

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
)

func rich() *model.Report { return reporttest.Fixture("rich") }

// start is the first instant of the fixtures.
var start = time.Date(2026, 11, 21, 6, 6, 51, 686_000_000, time.UTC)

// at is an exact instant so many seconds after start.
func at(seconds float64) model.Moment {
	return model.Exactly(start.Add(time.Duration(seconds * float64(time.Second))))
}

func render(t testing.TB, r *model.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// containsAll looks for markup in a page.
func containsAll(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// many is one lost node with n volumes, each with its objects and quotes.
func many(n int) *model.Report {
	one := rich()
	return reporttest.Many(func() *model.Report { clone := *one; return &clone }, n)
}
