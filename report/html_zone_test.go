package report

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// zoned renders a report in a zone, as a reader sees it.
func zoned(t *testing.T, format string, r *model.Report, zone *time.Location) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteWith(&b, format, r, Options{Zone: zone}); err != nil {
		t.Fatal(err)
	}
	return html.UnescapeString(b.String())
}

// A zone takes the place of UTC: in the head, in the timeline and at the ticks of the chart.
func TestZoneOfThePage(t *testing.T) {
	page := zoned(t, "html", rich(), time.FixedZone("UTC+05:30", 19800))
	containsAll(t, page, `<span id="zone">Times are UTC+05:30.</span>`, `<td class="time">11:36:51`, `Clock times in UTC+05:30.`,
		` data-zone="+05:30"`)
	words, _, _ := strings.Cut(page, "<script>")
	_, body, _ := strings.Cut(words, "<body")
	if strings.Contains(strings.NewReplacer("UTC+05:30", "", "zone UTC, from", "").Replace(body), "UTC") {
		t.Error("the page still has UTC")
	}
	if strings.Contains(render(t, "html", rich()), "data-zone=") {
		t.Error("a page of which no zone was asked opens in one")
	}
}

// What has no date has no other zone: the season is not known, or nothing is.
func TestZoneWithoutDates(t *testing.T) {
	r := rich()
	r.Bundle.StandIn = &model.StandIn{Missing: model.NoYear, Year: model.StandInYear, Means: "Nothing tells the year."}
	for _, f := range Formats() {
		if f.Name == "svg" {
			continue // which needs a program
		}
		if zoned(t, f.Name, r, time.FixedZone("UTC+05:30", 19800)) != zoned(t, f.Name, r, nil) {
			t.Errorf("%s: times without a year were moved to another zone", f.Name)
		}
	}
}
