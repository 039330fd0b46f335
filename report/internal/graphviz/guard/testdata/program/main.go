// Command program draws one picture and prints how long its SVG is, and which temporary directory it has.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/volpost/volpost/report/internal/graphviz"
)

func main() {
	svg, err := graphviz.SVG(context.Background(), "digraph { a -> b }")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(len(svg), os.TempDir())
}
