package main

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// programName is how the program is called in its own texts.
const programName = "volpost"

// pluginName is how it is called where kubectl runs it, by a file named kubectl-volpost.
const pluginName = "kubectl volpost"

// invokedAs tells from argv[0] by which of its two names the program was called.
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

// renamed puts the name that the program was called by into a text with commands to type. Where volpost stands as a
// word of a sentence it stays.
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

// renameHelp puts the name into the help of a command and of all below it. Their one-line descriptions are sentences about
// volpost, with no command to type.
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
