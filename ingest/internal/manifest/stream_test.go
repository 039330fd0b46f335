package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// told is all that reading a file tells, as a text.
func told(res Result, records []string) string {
	slices.Sort(records) // those without a kind come last
	return fmt.Sprintf("%s\n%+v\n", strings.Join(records, "\n"), res)
}

func describe(records *[]string) func(Record) {
	return func(r Record) {
		line, text, ok := r.Cite("metadata.name")
		*records = append(*records, fmt.Sprintf("%s %s %d %d %q %v %d", r.Kind, r.Ref, r.Line, line, text, ok, r.ResourceVersion))
	}
}

// Read by blocks, a list tells what it tells when it is in memory.
func TestStream(t *testing.T) {
	generated := string(podList(1<<18, 3))
	const node = "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n"
	const list = "apiVersion: v1\nitems:\n" + node
	lists := []string{
		generated, "---\n" + generated, list, list + "kind: List\n", list + "kind: List", list + "metadata: {}\n",
		"apiVersion: v1\nkind: NodeList\nitems:\n" + node,
		"apiVersion: v1\nitems:\n" + strings.ReplaceAll("  "+strings.TrimSuffix(node, "\n"), "\n", "\n  ") + "\nkind: NodeList\n",
		list + "\n# x\n\n" + node + "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
		strings.ReplaceAll(list+node+"kind: List\n", "\n", "\r\n"),
		list + "kind: List\n---\n" + podYAML + podYAML + "...\n", list + "kind: List\n---\n" + list + "kind: List\n", list + "---\n" + podYAML,
		list + "kind: List\n" + podYAML,
		list + "- metadata:\n    name: b\n  status:\n    nodeInfo: {}\n" + node + "kind: NodeList\n",
		list + "- apiVersion: v1\n  kind: Node\n  metadata: {name: b\n  x: y\n" + node + "kind: List\n",
		list + "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: >-\n      a\n\n      b\n    x: \"a\n      b\"\n" + node + "kind: List\n",
		list + "- - a\n-\n- b\n-c\n" + node + "kind: List\n", list + "kind: WidgetList\n", list + "- x: 1\nkind: WidgetList\n",
		list + " x\nkind: List\n", list + "\t\nkind: List\n", list + "  sta",
		citeJSON, citeJSON + citeJSON,
		"{\"items\":[" + `{"kind":"Node","metadata":{"name":"a"}},{"metadata":{"name":"b\"}\\"},"status":{"nodeInfo":{}}}` +
			"],\"kind\":\"NodeList\"}\n{}\n",
		`{"items":[{"kind":"Node","metadata":{"name":"a"}}]}`, `{"items":[{"kind":"Node","metadata":{"name":"a"}},{"kind"`,
		`{"items":[{"kind":"Node","metadata":{"name":"a"}}],"kind`,
	}
	for i, data := range lists {
		head, ok := Streamable([]byte(data))
		if !ok {
			t.Errorf("%d: not by blocks: %.100q", i, data)
			continue
		}
		var records []string
		want := told(Read([]byte(data), "nodes.yaml", describe(&records)), records)
		for _, block := range []int{1, 7, 64, 1 << 12, 1 << 20} {
			if block < 64 && len(data) > 1<<16 {
				continue
			}
			records = nil
			s := &stream{reader: Limits{}.reader("nodes.yaml", describe(&records)), src: strings.NewReader(data), head: head, block: block}
			res, err := s.read()
			if got := told(res, records); got != want || err != nil {
				t.Errorf("%d: blocks of %d: %v\n got %.3000s\nwant %.3000s\nof %.500q", i, block, err, got, want, data)
				break
			}
		}
	}
}

// Whatever a list holds, reading it by blocks gives no other objects than reading it whole.
func FuzzStream(f *testing.F) {
	f.Add([]byte("- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\nkind: List\n"), byte(3))
	f.Add([]byte("- kind: Node\n  metadata:\n    name: \"a\n- b\"\n  x: |\n   y\n---\nkind: Pod\n"), byte(9))
	f.Fuzz(func(t *testing.T, tail []byte, block byte) {
		data := append([]byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n"), tail...)
		head, ok := Streamable(data)
		if !ok || len(data) > 1<<14 || anchored(data) {
			return
		}
		var whole, got []string
		Read(data, "", describe(&whole))
		s := &stream{reader: Limits{}.reader("", describe(&got)), src: bytes.NewReader(data), head: head, block: int(block) + 1}
		if _, err := s.read(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(whole)
		if slices.Sort(got); !slices.Equal(whole, got) {
			t.Errorf("got  %q\nwant %q", got, whole)
		}
	})
}

func TestStreamLimits(t *testing.T) {
	const first = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n"
	long := strings.Repeat("x", 1<<20)
	for _, tt := range []struct{ name, item, want string }{
		{"lines", "- kind: Node\n" + strings.Repeat("  x: "+long+"\n", 20), "refused"},
		{"one line", "- kind: Node\n  x: " + strings.Repeat(long, 20) + "- \n", "refused"},
		{"an alias", "- kind: Node\n  metadata:\n    name: *x\n", "unknown anchor"},
	} {
		data := first + tt.item + "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: c\nkind: List\n"
		head, _ := Streamable([]byte(data[:min(len(data), 1<<10)]))
		var names []string
		res, err := Limits{}.Stream(head, strings.NewReader(data), "", func(r Record) { names = append(names, fmt.Sprint(r.Ref.Name, r.Line)) })
		lines := strings.Count(data, "\n")
		if want := fmt.Sprintf("[a3 c%d]", lines-4); fmt.Sprint(names) != want || err != nil {
			t.Errorf("%s: got %v %v, want %s", tt.name, names, err, want)
		}
		if len(res.Problems) != 1 || !strings.Contains(res.Problems[0].Message, tt.want) || res.Problems[0].Line < 7 {
			t.Errorf("%s: %+v", tt.name, res.Problems)
		}
	}
	head, _ := Streamable([]byte(first))
	broken := io.MultiReader(strings.NewReader(first+first[22:]), iotest.ErrReader(errors.New("broken")))
	n := 0
	if res, err := (Limits{}).Stream(head, broken, "", func(Record) { n++ }); err == nil || n != 1 || len(res.Lists) != 0 {
		t.Errorf("%d objects, %v, %+v", n, err, res)
	}
}
