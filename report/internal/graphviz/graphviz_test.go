package graphviz

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func draw(t *testing.T, dot string) string {
	t.Helper()
	svg, err := SVG(context.Background(), dot)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

func TestDraw(t *testing.T) {
	svg := draw(t, `digraph { a [label="Größe"]; a -> b [label="attached"] }`)
	for _, want := range []string{"<svg ", "Größe", "attached", "</svg>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q:\n%s", want, svg)
		}
	}
}

// Graphviz names the line that it does not understand, and the next picture is not harmed.
func TestRefusedGraph(t *testing.T) {
	before := draw(t, "digraph { a -> b }")
	_, err := SVG(context.Background(), "digraph {\n a -> ]\n}")
	if err == nil || !strings.Contains(err.Error(), "syntax error in line 2") {
		t.Errorf("a graph with an error in line 2: %v", err)
	}
	if _, err := SVG(context.Background(), ""); err == nil {
		t.Error("no graph is drawn")
	}
	if after := draw(t, "digraph { a -> b }"); after != before {
		t.Errorf("the picture changed after a failure:\n%s\n%s", before, after)
	}
}

// Pictures drawn at the same time are those drawn one by one.
func TestDrawTogether(t *testing.T) {
	dots := []string{"digraph { a -> b }", "digraph { a -> b -> c -> a }", "digraph { d [shape=box] }"}
	var group sync.WaitGroup
	for _, dot := range dots {
		want := draw(t, dot)
		for range 4 {
			group.Go(func() {
				if got, err := SVG(context.Background(), dot); err != nil || got != want {
					t.Errorf("%s: %v\n%s", dot, err, got)
				}
			})
		}
	}
	group.Wait()
}

// A graph cannot reach the files of the host.
func TestSeesNoFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret.svg")
	if err := os.WriteFile(file, []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="321px" height="321px"/>`), 0o644); err != nil {
		t.Fatal(err)
	}
	svg, err := SVG(context.Background(), `digraph { a [label="", shape=none, image="`+file+`"] }`)
	if err == nil && (strings.Contains(svg, "<image") || strings.Contains(svg, "321")) {
		t.Errorf("the picture has a file of the host:\n%s", svg)
	}
}

func BenchmarkDraw(b *testing.B) {
	for b.Loop() {
		if _, err := SVG(context.Background(), "digraph { a -> b }"); err != nil {
			b.Fatal(err)
		}
	}
}
