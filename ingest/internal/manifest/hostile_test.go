package manifest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Each of these would cost minutes or gigabytes if it were believed.
func TestHostile(t *testing.T) {
	head := "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
	bomb := head + "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		a := fmt.Sprintf("*a%d,", i-1)
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, strings.Repeat(a, 9)+a[:len(a)-1])
	}
	tests := []struct{ name, data, want string }{
		{"alias bomb", bomb, "too many values"},
		{"string bomb", head + "a: &a " + strings.Repeat("x", 1<<20) + "\nb: [" + strings.Repeat("*a,", 100000) + "*a]\n", "too many values"},
		{"alias to itself", head + "a: &a [*a]\n", ""},
		{"deep flow", head + "a: " + strings.Repeat("[", 100000) + "\n", "nested too deep"},
		{"deep flow in a mapping", head + "a: " + strings.Repeat("{a: ", 500) + "\n", ""},
		{"deep block", head + "a:\n" + deepBlock(1000), "nested too deep"},
		{"deep JSON", `{"kind":"Node","metadata":{"name":"a"},"a":` + strings.Repeat("[", 100000), "JSON"},
		{"JSON deeper than objects", `{"kind":"Node","metadata":{"name":"a"},"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`,
			""},
		{"NUL bytes", head + "a: \x00\n", "control characters"},
		{"invalid UTF-8", head + "a: \xff\xfe\n", ""},
		{"one long line", head + "a: " + strings.Repeat("y ", 1<<20) + "\n", ""},
		{"many keys", head + strings.Repeat("k:\n", 100000), ""},
		{"many list items", "apiVersion: v1\nkind: NodeList\nitems:\n" + strings.Repeat("- a\n", MaxObjects+10), "objects; from here on"},
		{"huge document", head + strings.Repeat("# x\n", MaxObject/4), "refused"},
		{"anchored list too long to share", "apiVersion: v1\nkind: NodeList\nitems:\n- a: &x 1\n" + strings.Repeat("- b: *x\n", maxShared/8),
			"anchors"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && strings.Count(tt.data, "\n") > 300_000 {
				t.Skip("a million of values; TestObjectsOfAFile holds the limit")
			}
			start := time.Now()
			_, res := readAll(tt.data, "h.yaml")
			if d := time.Since(start); d > time.Minute { // 2 s of CPU at most, where other processes have the machine
				t.Errorf("took %v", d)
			}
			var all string
			for _, p := range res.Problems {
				all += p.Message + "\n"
			}
			if tt.want != "" && !strings.Contains(all, tt.want) {
				t.Errorf("problems %.300q do not say %q", all, tt.want)
			}
			if len(res.Problems) > maxProblems+2 {
				t.Errorf("%d problems", len(res.Problems))
			}
		})
	}
}

func deepBlock(n int) string {
	var b strings.Builder
	for i := 1; i < n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func FuzzManifest(f *testing.F) {
	for _, s := range []string{
		podYAML, podYAML + podYAML, citeYAML, citeJSON, "- metadata:\n    name: a\n", `[{"metadata":{"name":"a"},"spec":{"containers":[]}}]`,
		"apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: a}\n  spec: &s {providerID: x}\n- metadata: {name: b}\n  spec: *s\n",
		"--- {\"kind\":\"Pod\"}\n...\n", "items:\n  - a\n -b\n", "\xef\xbb\xbf{",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		Sniff(data)
		lines := strings.Count(string(data), "\n") + 1
		used := 0
		res := Read(data, "pods.yaml", func(r Record) {
			used++
			if r.Line < 1 || r.Line > lines {
				t.Errorf("line %d of %d", r.Line, lines)
			}
			for _, field := range []string{"metadata.name", "spec", "status.conditions[0]", "message"} {
				line, text, ok := r.Cite(field)
				if !ok {
					continue
				}
				if line < 1 || line > lines {
					t.Errorf("%s at line %d of %d", field, line, lines)
				}
				if !strings.Contains(string(data), text) {
					t.Errorf("%s cites %q, which is not in the file", field, text)
				}
			}
		})
		if used != res.Used || used > res.Total {
			t.Errorf("used %d of %d, told %d", res.Used, res.Total, used)
		}
	})
}
