package main

import (
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/volpost/volpost/report"
)

// screenOf is the terminal on which a target is shown; nil where all of the text goes out: nobody asked for less, or it goes
// into a file or a pipe.
func (a app) screenOf(t target, targets []target, full bool) *report.Screen {
	if !t.screen || full || !isTerminal(a.stdout) {
		return nil
	}
	s := &report.Screen{Columns: 80, Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(a.stdout.(*os.File).Fd())); err == nil && width > 0 {
		s.Columns = width
	}
	if n := slices.IndexFunc(targets, func(t target) bool { return t.format == "html" && t.file != "" }); n >= 0 {
		s.Page = targets[n].file
	}
	return s
}
