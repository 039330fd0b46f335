package ingest

import (
	"cmp"
	"fmt"
	"sync/atomic"

	"github.com/volpost/volpost/ingest/internal/archive"
	"github.com/volpost/volpost/ingest/internal/manifest"
)

// Limits bound what reading costs. Zero means the default. Reaching one is a Problem, which names its flag if it has one; the rest is still read.
type Limits struct {
	Entries       int   // files and directories, those in archives included
	EntryBytes    int64 // of one file that is unpacked or comes through a pipe
	ManifestBytes int64 // of one file that holds objects, which is read into memory; by default a quarter of ObjectBytes, and 256 MiB at least
	TotalBytes    int64 // --max-total-bytes: of all such files
	ObjectBytes   int64 // --max-object-bytes: memory that all objects together may take; see freeObjects
	// StatementBytes is the memory of all statements before those that concern no wait are left out and counted.
	StatementBytes int64
	Nesting        int   // archives in one another
	Ratio          int64 // unpacked bytes for one packed byte, beyond 100 MiB of an archive and 256 MiB of all
	ZipBytes       int64 // of a zip that lies in another archive or comes through a pipe
	Depth          int   // nesting of YAML and JSON
	Nodes          int   // values that a YAML document may expand to through its aliases
	Objects        int   // of one file
}

// DefaultLimits keep the process below 512 MB for small or hostile bundles, and below 1.5 GB for the largest must-gather.
func DefaultLimits() Limits {
	return Limits{
		Entries: archive.DefaultEntries, EntryBytes: archive.DefaultEntryBytes, TotalBytes: archive.DefaultTotalBytes,
		Nesting: archive.DefaultNesting, Ratio: archive.DefaultRatio, ZipBytes: archive.DefaultZipBytes,
		ObjectBytes: 1 << 30, StatementBytes: 64 << 20, Depth: manifest.MaxDepth, Nodes: manifest.MaxNodes,
		Objects: manifest.MaxObjects,
	}
}

func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	l.ObjectBytes = cmp.Or(max(l.ObjectBytes, 0), d.ObjectBytes)
	l.ManifestBytes = cmp.Or(max(l.ManifestBytes, 0), max(l.ObjectBytes/4, 256<<20))
	l.StatementBytes = cmp.Or(max(l.StatementBytes, 0), d.StatementBytes)
	return l // package archive and package manifest know the defaults of the others
}

func (l Limits) archive() archive.Limits {
	return archive.Limits{Entries: l.Entries, EntryBytes: l.EntryBytes, TotalBytes: l.TotalBytes, Nesting: l.Nesting,
		Ratio: l.Ratio, ZipBytes: l.ZipBytes}
}

// mib writes a number of bytes in MiB, rounded up.
func mib(n int64) string { return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20) }

// budget is what may still be kept. What is kept beyond it depends on the order in which a hostile bundle is read.
type budget struct {
	objects    atomic.Int64 // what is left
	granted    atomic.Int64 // what the texts of objects have added to it
	statements atomic.Int64 // what all took that were reported
	complaints atomic.Int64 // what those took that are kept beyond StatementBytes
	lost       atomic.Bool  // something reported is neither kept nor counted
}

// full reports whether nothing more of a kind can be kept.
func (b *budget) full(kind string) bool {
	if kind == "Event" {
		return b.lost.Load()
	}
	return b.objects.Load() < 0
}

// freeObjects is what objects may take of ObjectBytes whatever they hold. Beyond it, half of their texts; real ones take less.
const freeObjects = 128 << 20

// grant adds what an object's text is worth, up to the limit of all objects.
func (b *budget) grant(text int, limit int64) {
	worth := int64(text) / 2
	if b.granted.Add(worth) <= limit-freeObjects {
		b.objects.Add(worth)
	}
}

// complaintBytes is what complaints may take beyond StatementBytes. A cluster's incident of a thousand volumes has a tenth.
const complaintBytes = 128 << 20

// Bounds that no flag moves.
const (
	maxClientError = 4 << 10 // how long such a file may be
	maxProblems    = 2_000   // bounds how many problems are listed one by one
	shownNames     = 5       // bounds how many names a sentence and a command have
	elision        = "…"     // the mark of a name of which a part, or all, was left out
	maxDated       = 1000    // bounds the names and files that hold a time of collection; more than a few are no collections
	maxUnreadable  = 200     // how many unreadable paths are named; each has a problem besides
	sampled        = 16      // how many characters without a byte order mark have to be plain
	smallFile      = 8 << 20 // how long a file may be of which several are in memory at a time
	statementSize  = 1000    // about what an observation takes beside its quote
)
