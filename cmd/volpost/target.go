package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/volpost/volpost/report"
)

// defaultFile is where the HTML report goes when no output is named.
const defaultFile = "volpost-report.html"

// target is one output: a format, and a file or standard output when file is empty.
type target struct {
	format string
	file   string
	screen bool // nobody asked for the whole of it
}

// parseTargets reads the values of -o.
func parseTargets(given []string) ([]target, error) {
	if len(given) == 0 {
		return []target{{format: "text", screen: true}, {format: "html", file: defaultFile}}, nil
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

// splitOutputs cuts a list of outputs, html=FILE,json=FILE, at its commas. A comma is a part of a file's name when no
// format follows it.
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

func knownFormat(name string) bool {
	return slices.ContainsFunc(report.Formats(), func(f report.Format) bool { return f.Name == name })
}

func parseTarget(value string) (target, error) {
	format, file, named := strings.Cut(value, "=")
	if named && file == "" {
		return target{}, usagef("-o %s names no file", value).hinted("-o %s=FILE, or -o %s for standard output", format, format)
	}
	if file == "-" {
		file = ""
	}
	if knownFormat(format) {
		return target{format: format, file: file}, nil
	}
	known := make([]string, 0, len(report.Formats()))
	for _, f := range report.Formats() {
		known = append(known, f.Name)
	}
	err := usagef("there is no format %q", format)
	if near := nearest(format, known); near != "" {
		return target{}, err.hinted("did you mean -o %s? Known: %s", near, strings.Join(known, ", "))
	}
	return target{}, err.hinted("known: %s; -o FORMAT=FILE writes a file", strings.Join(known, ", "))
}

// spare refuses a target that would be written over a file of the bundle. The default report may replace itself when
// volpost runs inside of a bundle.
func (t target) spare(bundle string) error {
	if t.file == "" || bundle == standardInput || strings.HasPrefix(bundle, samplePrefix) {
		return nil
	}
	there, err := os.Stat(t.file)
	if err != nil || !there.Mode().IsRegular() {
		return nil // nothing there that could be lost
	}
	if t.file == defaultFile && t.format == "html" {
		if same, err := os.Stat(bundle); err != nil || !os.SameFile(same, there) {
			return nil
		}
	}
	if within(bundle, t.file) {
		return usagef("%s is part of the bundle and is not written over", t.file).hinted("write it outside of %s", bundle)
	}
	return nil
}

// within reports whether file is the bundle or lies inside of it, whatever links lead there.
func within(bundle, file string) bool {
	root, err := realPath(bundle)
	if err != nil {
		return false
	}
	path, err := realPath(file)
	if err != nil {
		return false
	}
	relative, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(relative)
}

// realPath is the absolute path with all symbolic links followed.
func realPath(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(absolute)
}

// outputHelp is the help of -o.
func outputHelp() string {
	names := make([]string, 0, len(report.Formats()))
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return "write `FORMAT[=FILE]`, to standard output without FILE; several with commas or repeated; formats: " + strings.Join(names, ", ")
}

// completeFormat offers the formats until a file is being typed.
func completeFormat(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if strings.Contains(typed, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, f := range report.Formats() {
		out = append(out, cobra.CompletionWithDesc(f.Name, f.Doc))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
