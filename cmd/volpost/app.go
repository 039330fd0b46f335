package main

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
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
could not move to another node: which VolumeAttachment held it, what each phase of the
wait waited for, and which evidence says so. It needs no cluster and no network.`

const rootExample = `  volpost analyze ./must-gather              text here, volpost-report.html beside it
  volpost analyze mg.tar.gz kcm.log -o json  two inputs as one, one format on standard output
  volpost analyze sample:node-deleted        a recorded incident that comes with volpost
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
