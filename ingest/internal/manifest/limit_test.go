package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// TestObjectsOfAFile reads as many objects as the limit says, of lists in each form.
func TestObjectsOfAFile(t *testing.T) {
	block, flow := "apiVersion: v1\nkind: NodeList\nitems:\n", `{"apiVersion":"v1","kind":"NodeList","items":[`
	documents := ""
	for n := range 9 {
		block += fmt.Sprintf("- metadata:\n    name: n%d\n", n)
		flow += fmt.Sprintf(`{"metadata":{"name":"n%d"}},`, n)
		documents += fmt.Sprintf("---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n%d\n", n)
	}
	for _, text := range []string{block, strings.TrimSuffix(flow, ",") + "]}", documents} {
		for _, c := range []struct{ limit, want int }{{0, 9}, {9, 9}, {8, 8}, {3, 3}} {
			found := 0
			result := Limits{Objects: c.limit}.Read([]byte(text), "nodes.yaml", func(Record) { found++ })
			told := len(result.Problems) == 1 && strings.Contains(result.Problems[0].Message, "--max-objects")
			if found != c.want || told != (c.want < 9) {
				t.Errorf("limit %d: %d objects, %v in %.40q", c.limit, found, result.Problems, text)
			}
		}
	}
}
