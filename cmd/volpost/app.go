package main

import (
	"fmt"
	"io"
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

// app is one run of the program: where it reads and writes, and what it calls itself.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	version        string   // in reports and in "volpost version"
	name           string   // that the program was called by; "" is programName
	commands       []string // the words that follow it
	temporary      *temporary
	began          time.Time // --max-time counts from here
	alone          bool      // in its process, of which an analysis limits the memory
}

// run runs the program with the given arguments, of which the first is its name, and returns its exit code.
func run(argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	name := programName
	if len(argv) > 0 {
		name, argv = invokedAs(argv[0]), argv[1:]
	}
	return app{stdin: stdin, stdout: stdout, stderr: stderr, version: buildVersion(), name: name, alone: true}.run(argv)
}

func (a app) run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			code = a.finish(failf("internal error: %v", r).
				hinted("this is a defect of volpost %s; please report it with this line and the command", a.version))
		}
	}()
	a.temporary, a.began = &temporary{paths: map[string]bool{}}, time.Now()
	ctx, done := a.untilSignal()
	defer done()

	root := a.rootCommand()
	a.commands = commandNames(root)
	if a.name == pluginName {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: a.name}
		a.renameHelp(root)
	}
	// cobra falls back to the process's own arguments when it is given none at all.
	root.SetArgs(append([]string{}, args...))
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return a.finish(root.ExecuteContext(ctx))
}

const rootLong = `volpost reads what was collected from a Kubernetes cluster and explains why a volume
could not move to another node: which VolumeAttachment held it, what each part of the
wait waited for, and which evidence says so. It needs no cluster and no network.`

const rootExample = `  volpost analyze ./must-gather              text here, volpost-report.html beside it
  volpost analyze mg.tar.gz kcm.log -o json  two inputs as one, one format on standard output
  volpost analyze sample:node-deleted        a recorded incident that volpost brings along
  volpost inspect ./must-gather              what was read, and what is missing`

// rootCommand builds the command tree anew for each run, so that no state outlives one.
func (a app) rootCommand() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:           "volpost",
		Short:         "Explain Kubernetes Multi-Attach incidents from what was collected",
		Long:          rootLong,
		Example:       rootExample,
		Args:          knownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version")
	root.RunE = working(func(c *cobra.Command, _ []string) error {
		if version {
			return a.printVersion()
		}
		return c.Help()
	})
	root.AddCommand(a.diffCommand(), a.fleetCommand())
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v", err).hinted("%s --help lists the flags", c.CommandPath())
	})
	root.AddCommand(
		a.analyzeCommand(), a.reportCommand(), a.verifyCommand(), a.unredactCommand(),
		a.whatIfCommand(), a.replayCommand(), a.inspectCommand(), a.graphCommand(), a.gatherCommand(), a.alertsCommand(), a.explainCommand(),
		a.samplesCommand(), a.versionCommand())
	root.AddCommand(a.listCommands()...)
	root.AddCommand(limitsTopic(), a.manCommand(root))
	root.SetHelpCommand(helpCommand(root))
	group(root)
	return root
}

// used are the commands that help shows first.
var used = []string{"analyze", "inspect", "gather", "explain", "whatif", "replay", "graph", "samples"}

// group puts the commands that people use before the others.
func group(root *cobra.Command) {
	const first, more = "used", "more"
	root.AddGroup(&cobra.Group{ID: first, Title: "Commands:"}, &cobra.Group{ID: more, Title: "More:"})
	for _, c := range root.Commands() {
		if c.GroupID = more; slices.Contains(used, c.Name()) {
			c.GroupID = first
		}
	}
	root.SetHelpCommandGroupID(more)
	root.SetCompletionCommandGroupID(more)
}

// knownCommand refuses a first word that is no command.
func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	names := make([]string, 0, len(c.Commands()))
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return usagef("there is no command %q", args[0]).
		meant(args[0], names, "did you mean %q?", "volpost --help lists the commands; to read a bundle: volpost analyze "+clean(args[0]))
}

// helpCommand replaces cobra's, which returns success for a topic that does not exist.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help for a command",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if above, _, err := root.Find(args); err == nil {
				for _, c := range above.Commands() {
					if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return knownCommand(root, args)
			}
			found.InitDefaultHelpFlag() // cobra does so only for the command that runs
			return found.Help()
		},
	}
}

// exactly wants one argument for each name.
func exactly(names ...string) cobra.PositionalArgs {
	want := []string{"no argument", "one argument, ", "2 arguments, "}[len(names)] + strings.Join(names, " ")
	return func(c *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		return usagef("%s takes %s, and got %d", c.CommandPath(), want, len(args)).hinted("%s --help shows how", c.CommandPath())
	}
}

func atLeastOne(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return usagef("%s takes one or more arguments, %s, and got none", c.CommandPath(), name).hinted("%s --help shows how", c.CommandPath())
	}
}

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
