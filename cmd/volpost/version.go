package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
)

// version is set by the linker (-X main.version=v1.2.3) where a release is built from sources without a repository.
var version string

func (a app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of volpost and of its report",
		Args:  exactly(),
		RunE:  working(func(*cobra.Command, []string) error { return a.printVersion() }),
	}
}

func (a app) printVersion() error {
	commit, when := builtFrom()
	if commit != "" {
		commit = "commit " + commit + when.UTC().Format(" of 2006-01-02") + "\n"
	}
	_, err := fmt.Fprintf(a.stdout, "volpost %s\n%s%s %s/%s\nreport schema %s\n", a.version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, model.SchemaVersion)
	return err
}

// buildVersion is the version of the program: what the linker was told, else the module's version as the Go tool stamped
// it (a tag, or a pseudo-version of the commit), else "devel".
func buildVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// builtFrom is the commit that the Go tool stamped, and its time. The commit is "" where it stamped none.
func builtFrom() (commit string, when time.Time) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", time.Time{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.time":
			when, _ = time.Parse(time.RFC3339, s.Value) // the Go tool writes no other form
		}
	}
	if when.IsZero() {
		return "", when
	}
	return commit, when
}
