package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// mutants is how many bundles TestMutatedBundles makes, one for each mutation or three in the long tests; MUTANTS is for a longer run.
func mutants() int {
	if recordings.Long {
		return 3 * len(mutations)
	}
	return len(mutations)
}

// TestMutatedBundles deletes, doubles, swaps and garbles files and lines of the samples. Every reader and format survives; the
// report is the same with one processor and with two, in any order of files; no incident has an object that no input names; and
// no cause is surer than with the whole where something was only taken away or doubled.
func TestMutatedBundles(t *testing.T) {
	t.Parallel()
	n := mutants()
	if text := os.Getenv("MUTANTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	list, worst := samples.List(), time.Duration(0)
	wholes := make([]*model.Report, len(list))
	for i := range n {
		random := rand.New(rand.NewPCG(uint64(i), 12))
		at, change := random.IntN(len(list)), mutations[i%len(mutations)]
		bundle := sampleFiles(t, list[at].Name)
		if wholes[at] == nil {
			_, wholes[at] = ofSample(t, list[at].Name)
		}
		var what []string
		for range 1 + random.IntN(3) {
			what = append(what, change.do(bundle, wholes[at], random))
		}
		t.Run(fmt.Sprintf("%d %s %s", i, list[at].Name, change.name), func(t *testing.T) {
			began := time.Now()
			survives(t, bundle, wholes[at], change.noNews, random)
			worst = max(worst, time.Since(began)/2)
			if t.Failed() {
				t.Logf("%s: %s", change.name, strings.Join(what, ", "))
			}
		})
	}
	t.Logf("%d tried, the slowest took %v", n, worst.Round(time.Millisecond))
}

func survives(t *testing.T, bundle fstest.MapFS, whole *model.Report, noNews bool, random *rand.Rand) {
	text, got := explained(t, bundle, "bundle")
	before := runtime.GOMAXPROCS(1)
	again, _ := explained(t, shuffled{bundle, random}, "bundle")
	runtime.GOMAXPROCS(before)
	if !bytes.Equal(text, again) {
		t.Error("on one processor, in another order of files: " + firstDifference(string(text), string(again)))
	}
	for _, p := range got.Bundle.Problems {
		if strings.Contains(p.Message, "volpost itself failed") {
			t.Errorf("%s: %s", p.Path, p.Message)
		}
	}
	unnamed(t, bundle, got)
	if noNews {
		notSurer(t, whole, got)
	}
	format := report.Formats()[random.IntN(len(report.Formats()))]
	var out bytes.Buffer
	render(t, &out, format.Name, got)
}

// shuffled lists directories in another order.
type shuffled struct {
	fs.FS
	random *rand.Rand
}

func (s shuffled) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	s.random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries, err
}

// unnamed finds objects of incidents whose name stands in no file, and in no path of one.
func unnamed(t *testing.T, bundle fstest.MapFS, r *model.Report) {
	t.Helper()
	known := map[string]bool{"": true}
	check := func(where, name string) {
		if _, ok := known[name]; !ok {
			known[name] = false
			for p, f := range bundle {
				known[name] = known[name] || strings.Contains(p, name) || bytes.Contains(f.Data, []byte(name))
			}
		}
		if !known[name] {
			t.Errorf("%s is called %q, which no input has", where, name)
		}
	}
	for _, i := range r.Incidents {
		b, v := i.BlockingAttachment, i.Volume
		if b.Name != nil && b.NameBasis != model.NameDerived {
			check("the attachment", *b.Name)
		} else if sum := sha256.Sum256([]byte(v.VolumeHandle + v.Driver + b.Node)); b.Name != nil &&
			*b.Name != "csi-"+hex.EncodeToString(sum[:]) {
			t.Errorf("the attachment is called %s, which nothing gives", *b.Name)
		}
		for where, name := range map[string]string{"a node": b.Node, "the attacher": b.Attacher, "the old node": i.From.Node,
			"the new node": i.To.Node,
			"the volume":   v.PersistentVolume, "its handle": v.VolumeHandle, "its driver": v.Driver} {
			check(where, name)
		}
		eachRef(reflect.ValueOf(i), func(ref model.Ref) {
			check("a "+ref.Kind, ref.Name)
			check("a namespace", ref.Namespace)
			check("the uid of a "+ref.Kind, ref.UID)
		})
	}
}

// eachRef visits the names of objects in a value.
func eachRef(v reflect.Value, visit func(model.Ref)) {
	if ref, ok := v.Interface().(model.Ref); ok {
		visit(ref)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachRef(v.Elem(), visit)
		}
	case reflect.Slice:
		for n := range v.Len() {
			eachRef(v.Index(n), visit)
		}
	case reflect.Struct:
		for n := range v.NumField() {
			if v.Type().Field(n).IsExported() {
				eachRef(v.Field(n), visit)
			}
		}
	}
}

// mutation changes one thing of a bundle and says which.
type mutation struct {
	name   string
	noNews bool // takes evidence away or says it twice, and changes none
	do     func(fstest.MapFS, *model.Report, *rand.Rand) string
}

var mutations = []mutation{
	{"deletes a file", true, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		name, _ := place(b, whole, r, nil)
		if len(b) > 1 {
			delete(b, name)
		}
		return name
	}},
	{"deletes lines of a log", true, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		return edit(b, whole, r, isLog, func(lines [][]byte, at int) [][]byte {
			return slices.Delete(lines, at, min(len(lines), at+1+r.IntN(40)))
		})
	}},
	{"deletes lines", false, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		return edit(b, whole, r, nil, func(lines [][]byte, at int) [][]byte {
			return slices.Delete(lines, at, min(len(lines), at+1+r.IntN(3)))
		})
	}},
	{"doubles a file", true, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		name, _ := place(b, whole, r, nil)
		b[path.Join(path.Dir(name), "copy-of-"+path.Base(name))] = b[name]
		return name
	}},
	{"doubles lines", true, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		return edit(b, whole, r, nil, func(lines [][]byte, at int) [][]byte {
			return slices.Insert(lines, at, slices.Clone(lines[at:min(len(lines), at+1+r.IntN(20))])...)
		})
	}},
	{"swaps files", false, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		one, _ := place(b, whole, r, nil)
		other, _ := place(b, whole, r, nil)
		b[one], b[other] = b[other], b[one]
		return one + " and " + other
	}},
	{"swaps lines", false, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		return edit(b, whole, r, nil, func(lines [][]byte, at int) [][]byte {
			other := r.IntN(len(lines))
			lines[at], lines[other] = lines[other], lines[at]
			return lines
		})
	}},
	{"garbles", false, func(b fstest.MapFS, whole *model.Report, r *rand.Rand) string {
		return edit(b, whole, r, nil, func(lines [][]byte, at int) [][]byte {
			line := bytes.Clone(lines[at])
			for from := r.IntN(len(line) + 1); from < len(line) && r.IntN(12) != 0; from++ {
				line[from] = byte(r.IntN(256))
			}
			lines[at] = line
			return lines
		})
	}},
}

// place is a file and a line of it; two times in three one that the report of the whole quotes.
func place(b fstest.MapFS, whole *model.Report, r *rand.Rand, of func(string) bool) (name string, line int) {
	if of == nil {
		of = func(string) bool { return true }
	}
	if r.IntN(3) > 0 && len(whole.Evidence) > 0 {
		e := whole.Evidence[r.IntN(len(whole.Evidence))].Source
		if b[e.Path] != nil && of(e.Path) {
			return e.Path, max(0, e.Line-1-r.IntN(3))
		}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(b)), func(name string) bool { return !of(name) })
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(b))
	}
	return names[r.IntN(len(names))], -1
}

// edit changes the lines of a file.
func edit(b fstest.MapFS, whole *model.Report, r *rand.Rand, of func(string) bool, change func(lines [][]byte, at int) [][]byte) string {
	name, at := place(b, whole, r, of)
	lines := bytes.SplitAfter(b[name].Data, []byte("\n"))
	if at < 0 || at >= len(lines) {
		at = r.IntN(len(lines))
	}
	b[name] = &fstest.MapFile{Data: bytes.Join(change(lines, at), nil), Mode: 0o644}
	return fmt.Sprintf("%s:%d", name, at+1)
}
