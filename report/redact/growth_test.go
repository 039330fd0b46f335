//go:build long && unix

package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/growth"
	"github.com/volpost/volpost/samples/recordings"
)

// longNames is a report of about so many bytes, with names of a length and a form.
func longNames(bytes, length int, unit string) *model.Report {
	r := plainReport()
	whole := strings.Repeat(unit, length/len(unit)+1)
	for n := 0; n*length < bytes; n++ {
		name := fmt.Sprintf("n%d%s", n, whole[:length])
		name = strings.TrimRight(name[:length], "-._:") + "x"
		in := r.Incidents[0]
		in.From.Node, in.To.Node, in.Volume.VolumeHandle, in.Volume.UniqueName = name, name+"1", name+"2", model.UniqueCSIName(in.Volume.Driver,
			name)
		in.Causes = []model.Cause{{Summary: "Node " + name + " was lost; shop/" + name + "… too."}}
		r.Incidents = append(r.Incidents, in)
		r.Evidence = append(r.Evidence,
			model.Evidence{Text: `node="` + name + `" pod="shop/` + name + `" csi-` + strings.Repeat("0", 64) + ` ` + name})
	}
	return r
}

// TestGrowth wants four times the text, in more names or in longer ones, to take no more than growth.Most times the CPU, there and back.
func TestGrowth(t *testing.T) {
	for _, unit := range recordings.Sweep([]string{"a", "a-", "ab.", "web-", "node-", ".gz", ".com", "1.", "10.0.0.1-", "0f-", "00:", "\u00e4",
		"00000000-0000-4000-8000-000000000000-", "kube-", "csi-attacher-", "log_"}) {
		for _, grown := range []struct{ bytes, length int }{{60_000, 1_000}, {60_000, 4_000}} {
			thereAndBack := func(bytes, length int) func() {
				return func() {
					out, key := Of(longNames(bytes, length, unit))
					if _, err := key.Report(out); err != nil {
						t.Fatal(err)
					}
					var text strings.Builder // as an output has it, with names cut off and broken over lines
					for _, e := range out.Evidence {
						text.WriteString(e.Text[:len(e.Text)/2] + "…\n" + e.Text[len(e.Text)/2:])
					}
					if _, err := key.Text(text.String()); err != nil {
						t.Fatal(err)
					}
				}
			}
			name := fmt.Sprintf("text of %q, names of %d letters", unit, grown.length)
			growth.Check(t, name, thereAndBack(15_000, 1_000), thereAndBack(grown.bytes, grown.length))
		}
	}
}
