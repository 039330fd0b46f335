package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTargetsWithDriveLetters: what stands behind the first = is a file, whatever it holds.
func TestTargetsWithDriveLetters(t *testing.T) {
	for value, want := range map[string]target{
		`html=C:\reports\r.html`:     {format: "html", file: `C:\reports\r.html`},
		`json=\\server\share\a=b.js`: {format: "json", file: `\\server\share\a=b.js`},
		`text=d:r.txt`:               {format: "text", file: `d:r.txt`},
		`svg=..\g.svg`:               {format: "svg", file: `..\g.svg`},
	} {
		if got, err := parseTarget(value); err != nil || got != want {
			t.Errorf("-o %s: %+v, %v", value, got, err)
		}
	}
}

// TestZipFromWindows: an archive whose names have backslashes, as the older archivers of Windows write them, is the
// bundle that it was made from, and a name with a drive letter does not leave it.
func TestZipFromWindows(t *testing.T) {
	dir := t.TempDir()
	files := sampleFiles(t, "node-deleted")
	plain, windows := filepath.Join(dir, "plain.zip"), filepath.Join(dir, "windows.zip")
	pack := func(file string, rename func(string) string) {
		out, err := os.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(out)
		for name, content := range files {
			w, err := z.Create(rename(name))
			if err == nil {
				_, err = w.Write(content.Data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
	pack(plain, func(name string) string { return name })
	pack(windows, func(name string) string { return `C:\cases\` + strings.ReplaceAll(name, "/", `\`) })
	want := volpost("analyze", plain, "-o", "text")
	got := volpost("analyze", windows, "-o", "text")
	if want.code != exitOK || got.code != exitOK {
		t.Fatalf("%s%s", want.stderr, got.stderr)
	}
	// The paths differ by what stands before them, and the lines are wrapped accordingly; the conclusions do not.
	if conclusion(want.stdout) != conclusion(got.stdout) {
		t.Errorf("the conclusions differ:\n%s\n%s", conclusion(want.stdout), conclusion(got.stdout))
	}
	if strings.Contains(got.stdout, `cases\`) {
		t.Errorf("a path of the bundle has backslashes:\n%s", got.stdout)
	}
}

// conclusion is the first sentence of a report and its waterfall.
func conclusion(report string) string {
	var kept []string
	for paragraph := range strings.SplitSeq(report, "\n\n") {
		title := strings.TrimSpace(paragraph)
		if strings.HasPrefix(title, "INCIDENT: ") || strings.HasPrefix(title, "Where the time went") {
			kept = append(kept, title)
		}
	}
	return strings.Join(kept, "\n\n")
}
