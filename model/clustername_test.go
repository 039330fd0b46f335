package model

import "testing"

func TestClusterName(t *testing.T) {
	of := func(list ...string) (out []Input) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, Input{Path: list[i], Cluster: list[i+1]})
		}
		return out
	}
	for name, c := range map[string]struct {
		inputs []Input
		want   string
	}{
		"a directory each":        {of("east/a/n.yaml", "u", "east/b/n.yaml", "u", "west/n.yaml", "v"), "east"},
		"below a common one":      {of("mg/all/east/a.yaml", "u", "mg/all/west/a.yaml", "v", "mg/x", ""), "east"},
		"archives":                {of("east.tar.gz!mg/a.yaml", "u", "west.tar.gz!mg/a.yaml", "v"), "east.tar.gz"},
		"one beside the other":    {of("a.yaml", "u", "b.yaml", "v"), "u"},
		"one inside of the other": {of("a.yaml", "u", "east/b.yaml", "u", "west/c.yaml", "v"), "u"},
		"in one directory":        {of("east/a.yaml", "u", "east/b.yaml", "v"), "u"},
		"a directory of two":      {of("mg/a/x/1.yaml", "u", "mg/a/y/1.yaml", "v", "mg/b/1.yaml", "w"), "u"},
		"at the top":              {of("a.yaml", "u", "b/c.yaml", "v"), "u"},
		"the only one":            {of("east/a.yaml", "u"), "u"},
		"without files":           {of("east/a.yaml", "v", "west/a.yaml", "w"), "u"},
	} {
		if got := ClusterName("context eu", c.inputs); got != "eu" {
			t.Errorf("%s: a context is called %q", name, got)
		}
		if got := ClusterName("u", c.inputs); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
