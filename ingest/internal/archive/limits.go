package archive

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/volpost/volpost/model/words"
)

// Limits bound what a hostile or broken bundle can cost. Zero values mean the defaults.
type Limits struct {
	Entries    int   // members of all archives and directories together
	EntryBytes int64 // read of one entry, of a plain file beyond what it takes on the disk
	TotalBytes int64 // the same of all entries together
	Nesting    int   // archives within archives; .tar.gz is one
	Ratio      int64 // unpacked bytes for one packed byte, once ratioGrace bytes are unpacked
	ZipBytes   int64 // held in memory of a zip that lies in a stream: its directory stands at its end
}

// The defaults let the largest must-gather through (about 100,000 files, logs of some gigabytes).
const (
	DefaultEntries    = 1_000_000
	DefaultEntryBytes = 4 << 30
	DefaultTotalBytes = 64 << 30
	DefaultNesting    = 3
	DefaultRatio      = 1000
	DefaultZipBytes   = 64 << 20
)

const (
	ratioGrace   = 100 << 20 // what any archive may unpack to, however small it is
	bundleGrace  = 256 << 20 // what all archives of a bundle together may
	zipDirectory = 32 << 20  // bounds the directory of a zip, each entry of which costs some hundred bytes once read
	window       = 64 << 20  // bounds the history that a compression keeps: xz -9 and zstd -19 need no more
	pathUnit     = 128       // an entry counts once for each so many bytes of its path, so that the names stay in bounds too
	maxPath      = 4096      // bounds a single path
	maxDepth     = 256       // bounds directories of the system in one another
)

func (l Limits) orDefaults() Limits {
	l.Entries, l.Nesting = orDefault(l.Entries, DefaultEntries), orDefault(l.Nesting, DefaultNesting)
	l.EntryBytes, l.TotalBytes = orDefault(l.EntryBytes, DefaultEntryBytes), orDefault(l.TotalBytes, DefaultTotalBytes)
	l.Ratio, l.ZipBytes = orDefault(l.Ratio, DefaultRatio), orDefault(l.ZipBytes, DefaultZipBytes)
	return l
}

func orDefault[T int | int64](v, usual T) T { return cmp.Or(max(v, 0), usual) }

// LimitError says which limit was reached, in words such as "40 archives in one another", and the flag of the command line that moves it.
type LimitError struct{ What, Flag string }

func (e *LimitError) Error() string {
	return "the limit of " + e.What + " is reached" + words.If(e.Flag != "", " ("+e.Flag+")")
}

// bytesText writes a number of bytes as it is set with flags.
func bytesText(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// gauge compares what came out of a compression with what went in: of one archive, and of the bundle, since archives in one another
// multiply what each of them may.
type gauge struct {
	w    *walker
	path string
	out  int64
	in   func() int64
	in0  int64
}

func (w *walker) newGauge(path string, in func() int64) *gauge {
	return &gauge{w: w, path: path, in: in, in0: in()}
}

func (g *gauge) add(n int) error {
	if g == nil {
		return nil
	}
	g.out += int64(n)
	all, limit := g.w.unpacked.Add(int64(n)), g.w.limits.Ratio
	bundle := all > bundleGrace && all/limit > g.w.packed.Load()
	if !bundle && (g.out <= ratioGrace || g.out/limit <= g.in()-g.in0) {
		return nil
	}
	full := &LimitError{What: fmt.Sprintf("%d unpacked bytes for one packed byte", limit)}
	if bundle {
		g.w.exhausted(g.path, full)
		return ErrTotal
	}
	return full
}

// ErrTotal ends a file that the limit of all bytes cuts. The visitor receives the limit once.
var ErrTotal = errors.New("the limit of all bytes together was reached")

// allowance is how many bytes all leaves together may give.
type allowance struct {
	max  int64
	used atomic.Int64
}

// spend counts n more bytes and returns ErrTotal once they are too many.
func (a *allowance) spend(n int) error {
	if a == nil || a.used.Add(int64(n)) <= a.max {
		return nil
	}
	return ErrTotal
}

// limited cuts a reader at the limits, with an error: a cut file is never taken for a whole one.
type limited struct {
	r      io.Reader
	gauge  *gauge
	total  *allowance // of all leaves together; nil for what is unpacked further
	plain  int64      // bytes that come first and count for no limit
	ending bool       // they were read: what follows, if anything, was written since
	left   int64      // of this entry; < 0 for no limit
	limit  int64
	err    error
}

func (l *limited) Read(p []byte) (int, error) {
	if l.plain > 0 && l.err == nil {
		n, err := l.r.Read(p[:min(int64(len(p)), l.plain)])
		l.plain, l.ending, l.err = l.plain-int64(n), true, err
		return n, err
	}
	if l.err == nil && !l.ending {
		l.err = l.total.spend(0)
	}
	if l.err != nil {
		return 0, l.err
	}
	if l.left == 0 {
		// One more byte distinguishes a file of exactly the limit from a longer one.
		var probe [1]byte
		n, err := l.r.Read(probe[:])
		if n > 0 {
			err = &LimitError{What: bytesText(l.limit) + " of one file"}
		}
		l.err = err
		return 0, err
	}
	if l.left > 0 && int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	if l.left > 0 {
		l.left -= int64(n)
	}
	if over := l.total.spend(n); over != nil && (n > 0 || !l.ending) {
		err = over
	}
	if over := l.gauge.add(n); over != nil {
		err = over
	}
	l.err = err
	return n, err
}

// More bounds.
const (
	peekSize     = 4096    // enough for the magic number of a tar
	maxReaders   = 4       // bounds how many entries are read at a time: some are read into memory whole
	progressStep = 1 << 20 // how many bytes are read between two reports
	maxTarget    = 4096    // bounds a link's target
)
