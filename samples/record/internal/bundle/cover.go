package bundle

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// cover writes what surrounds the objects: the page of events, the version, the time and the messages of the collection.
func (b *collector) cover(begin time.Time) error {
	page := b.eventPage()
	stamp := fmt.Sprintf("%s\n%s\n", begin.UTC(), time.Now().UTC())
	files := map[string]string{
		filepath.Join(b.root, "event-filter.html"): page,
		filepath.Join(b.root, "version"):           "openshift/must-gather\n4.99.0-lab-" + strings.TrimPrefix(b.Version, "v") + "\n",
		filepath.Join(b.root, "timestamp"):         stamp,
		filepath.Join(b.top, "event-filter.html"):  page,
		filepath.Join(b.top, "timestamp"):          stamp,
		filepath.Join(b.top, "must-gather.logs"):   "[must-gather      ] OUT Using must-gather plug-in image: lab\n" + b.messages.String(),
	}
	for f, text := range files {
		if err := os.WriteFile(f, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (b *collector) eventPage() string {
	field := func(e unstructured.Unstructured, path ...string) string {
		s, _, _ := unstructured.NestedString(e.Object, path...)
		return html.EscapeString(s)
	}
	slices.SortStableFunc(b.events, func(x, y unstructured.Unstructured) int {
		return strings.Compare(field(x, "lastTimestamp"), field(y, "lastTimestamp"))
	})
	var w strings.Builder
	w.WriteString("<!doctype html>\n<html><head><title>Events</title></head><body><table id=\"events\">" +
		"<thead><tr><th>Time</th><th>Namespace</th><th>Component</th><th>RelatedObject</th><th>Reason</th><th>Message</th></tr></thead><tbody>\n")
	for _, e := range b.events {
		fmt.Fprintf(&w, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", field(e, "lastTimestamp"),
			field(e, "metadata", "namespace"), field(e, "source", "component"), field(e, "involvedObject", "name"),
			field(e, "reason"), field(e, "message"))
	}
	w.WriteString("</tbody></table></body></html>\n")
	return w.String()
}
