package main

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

var (
	// notShown is what a browser does not show, what others wrote, and what is to be typed.
	notShown  = regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>|<pre.*?</pre>|<code.*?</code>| [\w-]+="[^"<>]*"`)
	written   = regexp.MustCompile(`"[^"\n]*"|\x60[^\x60\n]*\x60|\{\{(?:\\.|[^}\\\n])*\}\}|\S+T[\d:.]+Z\b|\S+ [\d:.]+ \+0000 UTC|zone UTC,`)
	shown     = regexp.MustCompile(`\d\d:\d\d:\d\d`)
	rowsShown = regexp.MustCompile(`\d+ rows, and \d+ rows of what lies`)
	isUTC     = regexp.MustCompile(`\bUTC\b(?:[^+\\]|$)`)
)

// Of every sample each clock of each format for people is that of the zone, which the beginning names. It is the one that stands there
// without the flag, five and a half hours later.
func TestOneZoneEverywhere(t *testing.T) {
	zone, _ := parseZone("Asia/Kolkata")
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			_, r := ofSample(t, s.Name)
			for _, format := range []string{"text", "screen", "md", "jira", "dot", "html"} {
				in := func(zone *time.Location) string {
					o := report.Options{Zone: zone}
					if format == "screen" {
						o.Screen = &report.Screen{Columns: 80}
					}
					var b bytes.Buffer
					if err := report.WriteWith(&b, strings.Replace(format, "screen", "text", 1), r, o); err != nil {
						t.Fatal(err)
					}
					if format == "html" {
						return written.ReplaceAllString(html.UnescapeString(notShown.ReplaceAllString(b.String(), "")), "")
					}
					return written.ReplaceAllString(b.String(), "")
				}
				inZone(t, format, in(nil), in(zone))
			}
		})
	}
}

func inZone(t *testing.T, format, plain, zoned string) {
	t.Helper()
	before, after := shown.FindAllString(plain, -1), shown.FindAllString(zoned, -1)
	if rowsShown.FindString(plain) != rowsShown.FindString(zoned) {
		return // with the zone's name the page is too long for as many rows
	}
	if len(before) != len(after) {
		t.Errorf("%s: %d clocks became %d", format, len(before), len(after))
		return
	}
	for i, text := range before {
		at, err := time.Parse(time.TimeOnly, text)
		if want := at.Add(5*time.Hour + 30*time.Minute).Format(time.TimeOnly); err == nil && after[i] != want {
			t.Errorf("%s: %s became %s, want %s", format, text, after[i], want)
		}
	}
	if at := isUTC.FindStringIndex(zoned); at != nil {
		t.Errorf("%s still says UTC: …%s…", format, zoned[max(0, at[0]-60):at[1]])
	}
	if !strings.Contains(strings.Join(strings.Fields(zoned), " "), "Asia/Kolkata (UTC+05:30)") && format != "dot" && format != "jira" ||
		len(before) > 0 && !strings.Contains(zoned, "Asia/Kolkata") {
		t.Errorf("%s does not name the zone", format)
	}
}
