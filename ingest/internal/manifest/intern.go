package manifest

import (
	"hash/maphash"
	"strings"
)

// interner lets equal strings of objects share memory. It keeps the last string of each hash only. Not safe for concurrent use.
type interner struct {
	seed maphash.Seed
	last [1024]string
}

func newInterner() *interner { return &interner{seed: maphash.MakeSeed()} }

// text is a string that does not hold on to the text that s is a part of.
func (in *interner) text(s string) string {
	switch {
	case s == "":
		return ""
	case len(s) > maxInterned:
		return strings.Clone(s)
	}
	slot := &in.last[maphash.String(in.seed, s)%uint64(len(in.last))]
	if *slot != s {
		*slot = strings.Clone(s)
	}
	return *slot
}
