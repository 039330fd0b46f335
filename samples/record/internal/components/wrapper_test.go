package components

import (
	"strings"
	"testing"
)

const upstream = `module k8s.io/kubernetes

go 1.24.0

godebug default=go1.24

require (
	example.com/a v1.0.0
	k8s.io/api v0.0.0
	golang.org/x/sys v0.5.0
)

replace (
	example.com/a => example.com/a v1.2.0
	golang.org/x/sys => golang.org/x/sys v0.5.0
	k8s.io/api => ./staging/src/k8s.io/api
)
`

func TestWrapper(t *testing.T) {
	b, err := wrapperMod([]byte(upstream), "v1.34.3")
	if err != nil {
		t.Fatal(err)
	}
	got := string(b)
	for _, want := range []string{"go 1.24.0", "godebug default=go1.24", "require k8s.io/kubernetes v1.34.3",
		"k8s.io/api => k8s.io/api v0.34.3", "example.com/a => example.com/a v1.2.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "golang.org/x") {
		t.Errorf("an old pin of golang.org/x was kept:\n%s", got)
	}
}

func TestMinor(t *testing.T) {
	for v, want := range map[string]int{"v1.9.0": 9, "v1.34.3": 34, "v1.38.0-rc.1": 38} {
		if got := minor(v); got != want {
			t.Errorf("minor(%q) = %d, want %d", v, got, want)
		}
	}
}
