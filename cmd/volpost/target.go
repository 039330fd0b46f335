package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/volpost/volpost/report"
)

// defaultFile is where the HTML report goes when no output is named.
const defaultFile = "volpost-report.html"

// target is one output: a format, and a file or standard output when file is empty.
type target struct {
	format string
	file   string
	screen bool   // by default: may be cut to one screen
	mark   string // of what may be written over; "" where the user has named the file
}

func parseTargets(given []string) ([]target, error) {
	if len(given) == 0 {
		return []target{{format: "text", screen: true}, {format: "html", file: defaultFile, mark: report.HTMLMark}}, nil
	}
	var values []string
	for _, v := range given {
		values = append(values, splitOutputs(v)...)
	}
	taken := map[string]string{}
	out := make([]target, 0, len(values))
	for _, v := range values {
		t, err := parseTarget(v)
		if err != nil {
			return nil, err
		}
		place := t.file
		if place != "" {
			place = filepath.Clean(place)
		}
		if first, twice := taken[place]; twice {
			return nil, usagef("-o %s and -o %s go to the same place", first, v).hinted("give one of them a file of its own: -o %s=FILE", t.format)
		}
		taken[place] = v
		out = append(out, t)
	}
	return out, nil
}

// splitOutputs cuts a list of outputs, html=FILE,json=FILE, at its commas. A comma is a part of a file's name when no format follows it.
func splitOutputs(value string) []string {
	var out []string
	for piece := range strings.SplitSeq(value, ",") {
		format, _, named := strings.Cut(piece, "=")
		begins := named && format != "" && strings.Trim(format, "abcdefghijklmnopqrstuvwxyz") == "" || knownFormat(format)
		if last := len(out) - 1; last >= 0 && !begins && strings.Contains(out[last], "=") {
			out[last] += "," + piece
			continue
		}
		out = append(out, piece)
	}
	return out
}

func knownFormat(name string) bool { return slices.Contains(formatNames(), name) }

func formatNames() []string {
	return wordsOf(report.Formats(), func(f report.Format) string { return f.Name })
}

func parseTarget(value string) (target, error) {
	format, file, named := strings.Cut(value, "=")
	if named && file == "" {
		return target{}, usagef("-o %s names no file", value).hinted("-o %s=FILE, or -o %s for standard output", format, format)
	}
	if file == "-" || file == "/dev/stdout" { // the system has that one as a link
		file = ""
	}
	if knownFormat(format) {
		return target{format: format, file: file}, nil
	}
	known := strings.Join(formatNames(), ", ")
	return target{}, usagef("there is no format %q", format).
		meant(format, formatNames(), "did you mean -o %s? Known: "+known, "known: "+known+"; -o FORMAT=FILE writes a file")
}

// checkOutputs refuses, before anything is read, outputs that cannot be written to and those that are one of the inputs. What the user has
// not named is no reason to refuse anything: it returns what can be written, and why the rest cannot.
func (a app) checkOutputs(targets []target, inputs []string) (fit []target, without, err error) {
	for _, t := range targets {
		err := a.checkTarget(t, inputs)
		if err == nil {
			fit = append(fit, t)
		} else if t.mark == "" {
			return nil, nil, err
		} else {
			without = err
		}
	}
	return fit, without, nil
}

func (a app) checkTarget(t target, inputs []string) error {
	if _, own := descriptor(t.file); own || t.file == "" {
		return nil
	}
	if input := a.written(t, inputs); input != "" {
		return usagef("%s is part of what is read, %s, and is not written over", t.file, input).hinted("write another file, outside of it")
	}
	there, err := checkOutput(t.file, t.mark)
	if err == nil && there == nil && t.mark != "" {
		return checkDirectory(t.file)
	}
	return err
}

// checkDirectory reports that no file can be made beside a file: the answer, which is written before, must not point at a page that is none.
func checkDirectory(file string) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".volpost-*")
	var system *fs.PathError
	if errors.As(err, &system) {
		return failf("%s: %v", file, system.Err)
	}
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	return err
}

// withoutPage says that nothing was written where nobody asked for it by name.
func (a app) withoutPage(err error) {
	fmt.Fprintln(a.stderr, "volpost: no page was written:", clean(err.Error()))
	fmt.Fprintln(a.stderr, "hint:", a.renamed("-o html=FILE writes it elsewhere, -o text leaves it out"))
}

// written is the input that a target would be written over; "" for none. The default report may replace itself inside a bundle.
func (a app) written(t target, inputs []string) string {
	there, err := os.Stat(t.file)
	if err != nil || !there.Mode().IsRegular() {
		return "" // nothing there that could be lost
	}
	for _, input := range inputs {
		switch {
		case input == standardInput:
			if piped, ok := a.stdin.(*os.File); ok && isFile(piped.Stat, there) {
				return "standard input"
			}
		case strings.HasPrefix(input, samplePrefix):
		case isFile(func() (fs.FileInfo, error) { return os.Stat(input) }, there), t.mark == "" && within(input, t.file):
			return input
		}
	}
	return ""
}

func isFile(stat func() (fs.FileInfo, error), one fs.FileInfo) bool {
	info, err := stat()
	return err == nil && os.SameFile(info, one)
}

// within reports whether file lies inside of a directory, whatever links lead there and however the names are written.
func within(dir, file string) bool {
	root, err := os.Stat(dir)
	if err != nil {
		return false
	}
	path, err := realPath(file)
	if err != nil {
		return false
	}
	for above := filepath.Dir(path); ; above = filepath.Dir(above) {
		if info, err := os.Stat(above); err == nil && os.SameFile(info, root) {
			return true
		}
		if above == filepath.Dir(above) {
			return false
		}
	}
}

// realPath is the absolute path with all symbolic links followed.
func realPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

func outputHelp() string {
	const how = "write `FORMAT[=FILE]`, to standard output without FILE; several with commas or repeated; formats: "
	return how + strings.Join(formatNames(), ", ")
}

// completeFormat offers the formats, also after a comma, until a file is being typed.
func completeFormat(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	comma := strings.LastIndexByte(typed, ',') + 1
	before, last := typed[:comma], typed[comma:]
	if strings.Contains(last, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	out := wordsOf(report.Formats(), func(f report.Format) string { return cobra.CompletionWithDesc(before+f.Name, f.Doc) })
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// screenOf is the terminal on which a target is shown; nil where all of the text goes out, as into a file or a pipe.
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
