package archive

import (
	"bytes"
	"encoding/hex"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// wideXZ and wideZstd are "hello\n" with a declared window of 64 MiB.
const (
	wideXZ   = "fd377a585a0000016922de36020021011c00000010cf58cc01000568656c6c6f0a00000020303a3600011a06c5eac8799042990d010000000001595a"
	wideZstd = "28b52ffd008031000068656c6c6f0a"
)

// TestDeclaredWindows reads many members, each of which asks for a large window before its first byte.
func TestDeclaredWindows(t *testing.T) {
	const members = 200
	for ending, text := range map[string]string{"xz": wideXZ, "zst": wideZstd} {
		data, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for i := range members {
			list = append(list, strconv.Itoa(i)+".log."+ending+"="+string(data))
		}
		for form, bundle := range map[string][]byte{"tar": tarred(t, list...), "zip": zipped(t, list...)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := walk(t, OpenFS(fstest.MapFS{"b": {Data: bundle}}), Limits{})
			runtime.ReadMemStats(&after)
			if n := strings.Count(got.String(), "=hello\n"); n != members {
				t.Errorf("%s in %s: %d of %d read: %.200s", ending, form, n, members, got)
			}
			if all := after.TotalAlloc - before.TotalAlloc; all > 1<<30 {
				t.Errorf("%s in %s: %d MB were allocated for %d members", ending, form, all>>20, members)
			}
		}
	}
}

// TestWindowBudget holds the budget of decoders that cannot be used again.
func TestWindowBudget(t *testing.T) {
	w := newWalker(t.Context(), Limits{}, Visitor{})
	w.windows.left.max = 2 * bzip2Window
	for i, want := range []bool{true, true, false} {
		_, _, err := w.unpack(bzip2Packing, bytes.NewReader(decoded(t, helloBzip2)))
		if (err == nil) != want {
			t.Errorf("file %d: %v", i, err)
		}
	}
}

// TestWindowTooLarge: a file that needs more is sound, and whoever has it can unpack it.
func TestWindowTooLarge(t *testing.T) {
	for ending, text := range map[string]string{
		"xz":  "/Td6WFoAAAFpIt42AgAhAR4AAACbB1FmAQAFaGVsbG8KAAAAIDA6NgABGgbF6sh5kEKZDQEAAAAAAVla",
		"zst": "KLUv/QCIMQAAaGVsbG8K",
	} {
		got := walk(t, OpenFS(fstest.MapFS{"a.log." + ending: {Data: decoded(t, text)}}), Limits{}).String()
		if !strings.Contains(got, "the limit of 64 MiB for the window of a compressed file is reached (unpack it)") {
			t.Errorf("%s: %s", ending, got)
		}
	}
}
