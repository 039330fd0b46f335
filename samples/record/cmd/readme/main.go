// Readme writes the READMEs of recordings again, after a scenario's words have changed.
//
// usage: readme RECORDING...
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/volpost/volpost/samples/record/internal/readme"
	"github.com/volpost/volpost/samples/record/internal/scenario"
	"github.com/volpost/volpost/samples/record/internal/truth"
)

func main() {
	for _, dir := range os.Args[1:] {
		if err := write(dir); err != nil {
			fmt.Fprintln(os.Stderr, "readme:", err)
			os.Exit(1)
		}
	}
}

func write(dir string) error {
	t, err := truth.Read(filepath.Join(dir, "truth.json"))
	if err != nil {
		return err
	}
	s, err := scenario.Find(t.Scenario)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme.Write(s, t)), 0o644)
}
