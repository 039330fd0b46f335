//go:build long && unix

package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/volpost/volpost/samples/growth"
)

// TestGrowth: to cite each of four times as many entries of one object takes no square of the work.
func TestGrowth(t *testing.T) {
	for _, entry := range []string{"  - kubernetes.io/csi/ebs.csi.aws.com^vol-%06d\n", "   \"kubernetes.io/csi/ebs.csi.aws.com^vol-%06d\",\n", "\"vol-%06d\","} {
		cited := func(n int) func() {
			head, end := "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\nstatus:\n  volumesInUse:\n", ""
			if strings.Contains(entry, `"`) {
				head, end = "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\n\"status\":{\"volumesInUse\":[", "\"x\"]}}"
			}
			for i := range n {
				head += fmt.Sprintf(entry, i)
			}
			return func() {
				found := 0
				Limits{}.Read([]byte(head+end), "n", func(r Record) {
					for i := range n {
						if _, _, ok := r.Cite(fmt.Sprintf("status.volumesInUse[%d]", i)); ok {
							found++
						}
					}
				})
				if found != n {
					t.Fatalf("%d of %d entries are cited", found, n)
				}
			}
		}
		growth.Check(t, fmt.Sprintf("entries such as %q", entry), cited(3000), cited(12000))
	}
}
