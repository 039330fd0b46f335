package report

import (
	"bytes"
	"html"
	"testing"
	"time"
)

// A second zone stands beside UTC and takes nothing's place.
func TestSecondZone(t *testing.T) {
	var b bytes.Buffer
	if err := WriteWith(&b, "html", rich(), Options{Zone: time.FixedZone("UTC+05:30", 19800)}); err != nil {
		t.Fatal(err)
	}
	containsAll(t, html.UnescapeString(b.String()), `<th scope="col" class="name">UTC+05:30</th>`, "2026-11-21 06:12:32.164 UTC (2026-11-21 11:42:32 UTC+05:30)", `<td class="time">2026-11-21 11:36:51 UTC+05:30</td>`)
}
