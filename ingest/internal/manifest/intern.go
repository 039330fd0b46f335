package manifest

import (
	"hash/maphash"
	"strings"

	"go.yaml.in/yaml/v3"
)

// interner lets equal strings of the objects of a file share their memory: names of nodes and images, types and reasons of
// conditions. It remembers the last string of each hash, so that names that come once do not fill it. Not safe for concurrent
// use.
type interner struct {
	seed maphash.Seed
	last [1024]string
}

func newInterner() *interner { return &interner{seed: maphash.MakeSeed()} }

// scratch is what one goroutine uses again for each object.
type scratch struct {
	strings *interner
	shelf   *shelf // of the batch
	again   bool   // nobody has the nodes of the object before
	nodes   []yaml.Node
	used    int // of nodes
	kept    []keptLines
	packing []byte
}

func newScratch() *scratch {
	return &scratch{strings: newInterner(), shelf: &shelf{}}
}

// scratchNodes are enough for most objects.
const scratchNodes = 512

// close ends a batch, and answers how many bytes its texts take from now on.
func (s *scratch) close() int {
	texts, packing, bytes := s.shelf.close(s.packing)
	s.shelf, s.packing = &shelf{texts: texts[:0]}, packing
	return bytes
}

// begin makes room for the next object. again tells that what the last one had is free.
func (s *scratch) begin(again bool) {
	if s.again = again; again && s.nodes == nil {
		s.nodes = make([]yaml.Node, scratchNodes)
	}
	s.used = 0
}

// node is a new node, with the room for its content that it had before.
func (s *scratch) node() *yaml.Node {
	if !s.again || s.used == len(s.nodes) {
		return &yaml.Node{}
	}
	n := &s.nodes[s.used]
	s.used++
	*n = yaml.Node{Content: n.Content[:0]}
	return n
}

// lines is an empty list of kept lines.
func (s *scratch) lines() []keptLines {
	if !s.again {
		return nil
	}
	return s.kept[:0]
}

// text is a string that does not hold on to the text that s is a part of.
func (in *interner) text(s string) string {
	if s == "" {
		return ""
	}
	slot := &in.last[maphash.String(in.seed, s)%uint64(len(in.last))]
	if *slot != s {
		*slot = strings.Clone(s)
	}
	return *slot
}
