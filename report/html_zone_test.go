package report

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// A second zone stands beside UTC and takes nothing's place.
func TestSecondZone(t *testing.T) {
	var b bytes.Buffer
	if err := WriteWith(&b, "html", rich(), Options{Zone: time.FixedZone("UTC+05:30", 19800)}); err != nil {
		t.Fatal(err)
	}
	containsAll(t, html.UnescapeString(b.String()), `<th scope="col" class="name">UTC+05:30</th>`, `<td class="time zoned">2026-11-21 11:36:51 UTC+05:30</td>`)
}

// What has no date has no other zone: the season is not known, or nothing is.
func TestSecondZoneWithoutDates(t *testing.T) {
	r := rich()
	r.Bundle.StandIn = &model.StandIn{Missing: model.NoYear, Year: model.StandInYear, Means: "Nothing tells the year."}
	var b bytes.Buffer
	if err := WriteWith(&b, "html", r, Options{Zone: time.FixedZone("UTC+05:30", 19800)}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html.UnescapeString(b.String()), "UTC+05:30") {
		t.Error("times without a year were moved to another zone")
	}
}
