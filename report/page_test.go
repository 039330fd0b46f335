package report

import (
	"bytes"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// The page says in which zone it is, and offers those that logs are written in.
func TestZonesOfThePage(t *testing.T) {
	r := rich()
	r.Bundle.Inputs = []model.Input{{Clock: &model.Clock{Zone: "Europe/Berlin, --log-zone"}},
		{Clock: &model.Clock{Zone: "UTC, the header against the line's prefix"}}, {Clock: &model.Clock{Zone: "as written"}}}
	var b bytes.Buffer
	if err := WriteWith(&b, "html", r, Options{Zone: time.FixedZone("UTC+05:30", 19800)}); err != nil {
		t.Fatal(err)
	}
	containsAll(t, b.String(), `data-zones="Europe/Berlin" data-zone="&#43;05:30"`)
}
