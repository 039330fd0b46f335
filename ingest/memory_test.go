//go:build long

package ingest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// maxResident is what the whole process may take, in bytes.
const maxResident = 512 << 20

// hostileFiles write what tries to exhaust memory; wanted is what a problem has to say, "" for none.
var hostileFiles = []struct {
	name, wanted string
	write        func(w io.Writer)
}{
	{"bomb.gz", "unpacked bytes for one packed byte", func(w io.Writer) {
		z, _ := gzip.NewWriterLevel(w, gzip.BestCompression)
		repeat(z, "", string(make([]byte, 1<<20)), 300, "")
	}},
	{"one-line.log.gz", "a record is kept up to 1 MiB", func(w io.Writer) {
		line := "I0314 09:26:53.841223       1 reconciler.go:433] "
		member := func(text string) []byte { // of which a gzip file may have many
			var b bytes.Buffer
			repeat(gz(&b), text, "", 0, "")
			return b.Bytes()
		}
		_, _ = w.Write(member(line + "x\n" + line))
		block := member(strings.Repeat(noise(1<<15), 32))
		for range 1 << 10 { // 1 GiB on one line
			_, _ = w.Write(block)
		}
		_, _ = w.Write(member("\n" + line + "x\n"))
	}},
	{"long-value.json.gz", "bytes", func(w io.Writer) {
		repeat(gz(w), `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","annotations":{"a":"`, noise(1<<19), 240, `"}}}`)
	}},
	{"finalizers.yaml.gz", "--max-object-bytes", func(w io.Writer) {
		z := gz(w)
		_, _ = io.WriteString(z, "apiVersion: v1\nitems:\n")
		r, b := rand.NewChaCha8([32]byte{2}), make([]byte, 1<<15)
		for range 6_000 {
			_, _ = r.Read(b) // it never fails
			_, _ = fmt.Fprintf(z, "- apiVersion: v1\n  kind: Pod\n  metadata:\n    finalizers:\n    - x%x\n    name: p\n", b)
		}
		repeat(z, "", "", 0, "kind: List\nmetadata: {}\n")
	}},
	{"volumes.json.gz", "", func(w io.Writer) {
		pod := `{"metadata":{"name":"p"},"spec":{"volumes":[` + strings.Repeat(`{"ephemeral":{}},`, 90_000) + `{}]}},`
		repeat(gz(w), `{"apiVersion":"v1","kind":"PodList","items":[`, pod, 60, `{}]}`)
	}},
	{"containers.json.gz", "", func(w io.Writer) { // all the same
		pod := `{"metadata":{"name":"p"},"spec":{"containers":[` + strings.Repeat("{},", 100_000) + `{}]}},`
		repeat(gz(w), `{"apiVersion":"v1","kind":"PodList","items":[`, pod, 60, `{}]}`)
	}},
	{"values.yaml.gz", "values", func(w io.Writer) {
		repeat(gz(w), "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\nspec:\n  x:\n", strings.Repeat("  - a\n", 100_000), 25, "")
	}},
	{"aliases.yaml", "expands to too many values", func(w io.Writer) {
		text := "kind: Pod\napiVersion: v1\nmetadata: {name: x}\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
		for i := range 9 {
			text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
		}
		_, _ = io.WriteString(w, text)
	}},
	{"entries.tar.gz", "entries is reached", func(w io.Writer) {
		z := gz(w)
		t := tar.NewWriter(z)
		for i := range 300_000 {
			_ = t.WriteHeader(&tar.Header{Name: fmt.Sprintf("some/directory/of/a/node/f%07d", i), Typeflag: tar.TypeReg, Mode: 0o600})
		}
		_ = t.Close()
		_ = z.Close()
	}},
}

func gz(w io.Writer) *gzip.Writer {
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is a constant of the package
	return z
}

func repeat(z *gzip.Writer, head, body string, times int, tail string) {
	_, _ = io.WriteString(z, head) // a failing write shows in what is read
	for range times {
		_, _ = io.WriteString(z, body)
	}
	_, _ = io.WriteString(z, tail)
	_ = z.Close()
}

// noise is text that does not compress to less than a half.
func noise(n int) string {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = r.Read(b) // it never fails
	return hex.EncodeToString(b)
}

// Whatever a file holds, the process that reads it stays below half a gigabyte, says what it left out, and ends. Each
// file is read by a process of its own.
func TestMemory(t *testing.T) {
	if path := os.Getenv("VOLPOST_HOSTILE"); path != "" {
		readHostile(path)
		return
	}
	if testing.Short() {
		t.Skip("writes and reads gigabytes")
	}
	for _, f := range hostileFiles {
		t.Run(f.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), f.name)
			file, err := os.Create(path)
			must(t, err)
			f.write(file)
			must(t, file.Close())
			child := exec.Command(os.Args[0], "-test.run", "^TestMemory$")
			child.Env = append(os.Environ(), "VOLPOST_HOSTILE="+path)
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !bytes.Contains(out, []byte(f.wanted)) {
				t.Errorf("no problem says %q:\n%s", f.wanted, out)
			}
			peak, ok := peakMemory(child.ProcessState)
			if !ok {
				t.Skip("this system does not tell the memory of a process")
			}
			t.Logf("%d MB, %s", peak>>20, child.ProcessState.UserTime())
			if peak > maxResident {
				t.Errorf("took %d MB", peak>>20)
			}
		})
	}
}

// readHostile is the child: it reads with the memory limit that the program sets.
func readHostile(path string) {
	debug.SetMemoryLimit(384 << 20)
	b, err := Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := Read(context.Background(), b, Options{Limits: Limits{Entries: 100_000}})
	var nothing *Error
	if errors.As(err, &nothing) {
		fmt.Println(nothing.Msg)
		return
	}
	for _, p := range s.Problems {
		fmt.Println(p.Path, p.Message)
	}
}
