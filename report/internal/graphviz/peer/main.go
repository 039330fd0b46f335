// Command peer reads a graph in DOT from standard input and writes the SVG that github.com/goccy/go-graphviz draws of it.
// A test compares its pictures with those of package graphviz. It is a program of its own because go-graphviz compiles
// Graphviz while a program is being initialised: none that volpost ships shall pay for that.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/goccy/go-graphviz"
)

func main() {
	if err := draw(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func draw(in io.Reader, out io.Writer) error {
	dot, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	graph, err := graphviz.ParseBytes(dot)
	if err != nil {
		return err
	}
	defer graph.Close()
	ctx := context.Background()
	engine, err := graphviz.New(ctx)
	if err != nil {
		return err
	}
	defer engine.Close()
	return engine.Render(ctx, graph, graphviz.SVG, out)
}
