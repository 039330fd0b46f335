package components

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// proxy makes a module proxy of files and lets the go command know no other.
func proxy(t *testing.T, files map[string]string) {
	dir := t.TempDir()
	for name, text := range files {
		f := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOPROXY", "file://"+dir)
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
}

func TestUnservedVersionFailsWithTheReason(t *testing.T) {
	proxy(t, map[string]string{
		"k8s.io/kubernetes/@v/v1.99.1.info": `{"Version":"v1.99.1"}`,
		"k8s.io/kubernetes/@v/v1.99.1.mod": "module k8s.io/kubernetes\n\nreplace k8s.io/api => ./staging/src/k8s.io/api\n" +
			"\nreplace example.com/a => example.com/a v1.2.0\n",
	})
	for version, want := range map[string]string{"v1.99.1": "k8s.io/api@v0.99.1", "v1.99.2": "k8s.io/kubernetes@v1.99.2", "1.99": "1.99"} {
		err := Served(version)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want the reason, with %s", version, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "example.com/a") {
			t.Errorf("%s: a replacement that is no library of Kubernetes is missed: %v", version, err)
		}
	}
}
