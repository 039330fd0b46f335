package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// flips is how many damages TestDamagedMetrics does; METRIC_FLIPS is for a longer run.
const flips = 60

// TestDamagedMetrics flips bits in the files of a block and cuts them: the report is that of the whole one, or a problem names
// the block.
func TestDamagedMetrics(t *testing.T) {
	from := t.TempDir()
	if err := os.CopyFS(from, openRecording(t, "node-deleted").part(t, "tsdb")); err != nil {
		t.Fatal(err)
	}
	blocks, err := os.ReadDir(from)
	if err != nil || len(blocks) != 1 {
		t.Fatalf("%d blocks (%v)", len(blocks), err)
	}
	block := blocks[0].Name()
	want := damagedReport(t, from)
	n := flips
	if text := os.Getenv("METRIC_FLIPS"); text != "" {
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	members := []string{"index", "meta.json", "chunks/000001"}
	for i := range n {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(uint64(i), 17))
			name := filepath.Join(dir, block, members[i%len(members)])
			what := spoil(t, name, random)
			got := damagedReport(t, dir)
			if blamed(got, block) {
				return
			}
			if text := sameJSON(t, got, want); text != "" {
				t.Errorf("%s of %s: no problem names the block, and the report is another one: %s", what, members[i%len(members)], text)
			}
		})
	}
}

// spoil flips a bit of a file, or one time in eight cuts it.
func spoil(t *testing.T, name string, random *rand.Rand) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at, bit := random.IntN(len(data)), random.IntN(8)
	what := "bit " + strconv.Itoa(bit) + " of byte " + strconv.Itoa(at)
	if random.IntN(8) == 0 {
		data, what = data[:at], "cut at byte "+strconv.Itoa(at)
	} else {
		data[at] ^= 1 << bit
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return what
}

// damagedReport is the report of a directory with one block, or of a failure the problem.
func damagedReport(t *testing.T, dir string) []byte {
	t.Helper()
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "report.json")
	o := volpost("analyze", dir, "-o", "json="+file)
	text, err := os.ReadFile(file)
	if err != nil {
		out.WriteString(`{"bundle":{"problems":[{"message":` + strconv.Quote(o.stderr) + `}]}}`)
		return out.Bytes()
	}
	return text
}

func blamed(text []byte, block string) bool {
	var r struct {
		Bundle struct{ Problems []model.Problem }
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return false
	}
	return slices.ContainsFunc(r.Bundle.Problems, func(p model.Problem) bool {
		return strings.Contains(p.Path+p.Message, block) && p.Severity != model.Info
	})
}

// sameJSON is "" for two reports that say the same of all but the directory and the sizes of files; else where they differ.
func sameJSON(t *testing.T, a, b []byte) string {
	t.Helper()
	x, y := reportLines(t, a), reportLines(t, b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + " and not " + y[i]
		}
	}
	if len(x) != len(y) {
		return "it is longer, or shorter"
	}
	return ""
}

func reportLines(t *testing.T, text []byte) []string {
	t.Helper()
	r := decoded(t, text)
	r.Bundle.Root = ""
	for i := range r.Bundle.Inputs {
		r.Bundle.Inputs[i].Bytes = 0
	}
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(out), "\n")
}
