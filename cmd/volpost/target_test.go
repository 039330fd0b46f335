package main

import (
	"slices"
	"testing"
)

func TestSplitOutputs(t *testing.T) {
	for in, want := range map[string][]string{
		"json":                    {"json"},
		"html=a,json=b":           {"html=a", "json=b"},
		"html=a,json":             {"html=a", "json"},
		"text,html=a.html":        {"text", "html=a.html"},
		"json=a,b.json":           {"json=a,b.json"},
		"json=a,b=c.json,html=x":  {"json=a", "b=c.json", "html=x"}, // b is refused as a format
		"json=out/a, b.json,md=m": {"json=out/a, b.json", "md=m"},
		"html,jsn":                {"html", "jsn"},
		"html=a,":                 {"html=a,"},
		"":                        {""},
	} {
		if got := splitOutputs(in); !slices.Equal(got, want) {
			t.Errorf("splitOutputs(%q) = %q, want %q", in, got, want)
		}
	}
}
