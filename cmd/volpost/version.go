package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
)

func (a app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of volpost and of its report",
		Args:  exactly(),
		RunE: working(func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "volpost %s\n%s %s/%s\nreport schema %s\n", a.version, runtime.Version(), runtime.GOOS, runtime.GOARCH, model.SchemaVersion)
			return err
		}),
	}
}

// buildVersion is the module's version as the Go tool stamped it: a tag, a pseudo-version of the commit, or "devel" when
// it was built without either.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
