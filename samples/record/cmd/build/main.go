// Build builds everything that a recording with one version of Kubernetes needs. What is there already is not built again.
//
// usage: build -dir DIR -src MODULE VERSION...
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/volpost/volpost/samples/record/internal/components"
)

func main() {
	dir := flag.String("dir", "", "directory of the lab's artefacts")
	src := flag.String("src", ".", "directory of the lab's module")
	check := flag.Bool("check", false, "only say whether the versions can be had")
	only := flag.Bool("kubernetes-only", false, "leave out everything that does not depend on the version")
	flag.Parse()
	f := build
	switch {
	case *check:
		f = served
	case *only:
		f = kubernetes
	}
	if err := f(*dir, *src, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func served(_, _ string, versions []string) error {
	for _, v := range versions {
		if err := components.Served(v); err != nil {
			return fmt.Errorf("Kubernetes %s cannot be built: %w", v, err)
		}
	}
	return nil
}

func kubernetes(dir, src string, versions []string) error {
	if err := served(dir, src, versions); err != nil {
		return err
	}
	for _, v := range versions {
		if err := components.Kubernetes(dir, v); err != nil {
			return err
		}
	}
	return nil
}
func build(dir, src string, versions []string) error {
	if err := kubernetes(dir, src, versions); err != nil {
		return err
	}
	if err := components.Addons(dir); err != nil {
		return err
	}
	if err := components.Tools(dir, src); err != nil {
		return err
	}
	for _, v := range versions {
		if err := components.Images(dir, v); err != nil {
			return err
		}
	}
	return nil
}
