package main

import (
	"fmt"
	"path"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/model"
)

// programName is how the program is called in its own texts.
const programName = "volpost"

// pluginName is how it is called where kubectl runs it, by a file named kubectl-volpost.
const pluginName = "kubectl volpost"

// invokedAs says from argv[0] by which of its two names the program was called.
func invokedAs(argv0 string) string {
	file := path.Base(strings.ReplaceAll(argv0, `\`, "/"))
	if len(file) > 4 && strings.EqualFold(file[len(file)-4:], ".exe") {
		file = file[:len(file)-4]
	}
	// kubectl looks for both spellings; a dash of a plug-in's name is an underscore in its file's.
	if strings.HasPrefix(file, "kubectl-volpost") || strings.HasPrefix(file, "kubectl_volpost") {
		return pluginName
	}
	return programName
}

// aCommand is the program with a word that could be its command.
var aCommand = regexp.MustCompile(`(kubectl )?\bvolpost (--?)?([a-z][a-z-]*)`)

// renamed puts the name that the program was called by into commands to type; volpost as a word of a sentence stays.
func (a app) renamed(text string) string {
	if a.name == "" || a.name == programName {
		return text
	}
	return aCommand.ReplaceAllStringFunc(text, func(found string) string {
		words := aCommand.FindStringSubmatch(found)
		if words[1] != "" || words[2] == "" && !slices.Contains(a.commands, words[3]) {
			return found
		}
		return a.name + strings.TrimPrefix(found, programName)
	})
}

// renameHelp puts the name into the help of a command and of all below it; one-line descriptions hold no command to type.
func (a app) renameHelp(c *cobra.Command) {
	c.Long, c.Example = a.renamed(c.Long), a.renamed(c.Example)
	for _, sub := range c.Commands() {
		a.renameHelp(sub)
	}
}

// commandNames are the words that follow the name of the program.
func commandNames(root *cobra.Command) []string {
	names := []string{"completion"} // cobra adds it when the program runs
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return names
}

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
	_, err := fmt.Fprintf(a.stdout, "volpost %s\n%s%s %s/%s\nreport schema %s\n",
		a.version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, model.SchemaVersion)
	return err
}

// buildVersion is the version: the linker's, else the module's as the Go tool stamped it (a tag, a commit's pseudo-version), or "devel".
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
