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
			told := len(result.Problems) == 1 && strings.Contains(result.Problems[0].Message, "objects; from here on")
			if found != c.want || told != (c.want < 9) {
				t.Errorf("limit %d: %d objects, %v in %.40q", c.limit, found, result.Problems, text)
			}
		}
	}
}

// TestCostlyNumbers: a number that would take seconds or for ever to read as a quantity is refused with its object, in every form. Names
// that look alike, and ordinary quantities, are not.
func TestCostlyNumbers(t *testing.T) {
	forms := []string{
		"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: p\nspec:\n  resources:\n    requests:\n      storage: %s\n",
		"apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: p}\nspec: {resources: {requests: {storage: \"%s\"}}}\n",
		`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"p"},"spec":{"resources":{"requests":{"storage":"%s"}}}}`,
		"apiVersion: v1\nkind: PersistentVolumeClaimList\nitems:\n- metadata:\n    name: p\n  status:\n    capacity:\n      storage: '%s'\n",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu": "%s"}}}]}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","generation":"x"},"spec":{"overhead":{"cpu": "%s"}}}`,
	}
	for n, form := range forms {
		for value, refused := range map[string]bool{
			"1e9999999": true, "1e-99999": n > 0, // which YAML reads as 0
			"2.5E+9999999": true, strings.Repeat("7", 2000): true,
			"100Gi": false, "1e9": false, "5368709120": false, "12e3": false,
		} {
			found := 0
			result := Limits{}.Read([]byte(fmt.Sprintf(form, value)), "x.yaml", func(Record) { found++ })
			told := len(result.Problems) > 0 && strings.Contains(result.Problems[0].Message, "1,000 digits")
			if n < 4 && (told != refused || (found == 0) != refused) || n >= 4 && told && !refused {
				t.Errorf("form %d, %.20s: %d objects, %v", n, value, found, result.Problems)
			}
		}
	}
	uid := "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: 12e45678-1\n  labels:\n    app.kubernetes.io/version: " +
		"\"12e4567\"\n  uid: 11e99999-8f8a-4f6c-9d6e-1e9999990000\n"
	found := 0
	if result := (Limits{}).Read([]byte(uid), "x.yaml", func(Record) { found++ }); found != 1 {
		t.Errorf("a name is taken for a number: %v", result.Problems)
	}
}
