package analyze_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
)

// TestNextOfANamelessVolume: where the author left the name out, the list of attachments is asked for behind what tells the name; with a name
// it is looked up by it.
func TestNextOfANamelessVolume(t *testing.T) {
	const all, report = "kubectl get volumeattachment", "kubectl get events -A --field-selector reason=FailedAttachVolume"
	for volume, want := range map[string]string{
		"pvc-xxx":  report + "\n" + all,
		"pvc-4d1e": all + " | grep -e NAME -e pvc-4d1e\n" + report,
	} {
		text := `Multi-Attach error for volume "` + volume + `" Volume is already exclusively attached to one node and can't be attached to another`
		s, err := ingest.Read(t.Context(), ingest.OpenFS(fstest.MapFS{"issue.md": {Data: []byte(text + "\n")}}, "paste"), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range analyze.Run(t.Context(), s, caseOptions).Incidents[0].Next {
			got = append(got, n.Command)
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q", volume, got)
		}
	}
}
