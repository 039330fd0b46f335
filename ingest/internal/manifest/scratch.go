package manifest

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// scratches are used again from file to file: a must-gather has ten thousands of them.
var scratches = sync.Pool{New: func() any { return &scratch{store: &textStore{}} }}

// scratch is what one goroutine uses again for each object.
type scratch struct {
	store   *textStore // not full
	again   bool       // the nodes of the object before are free
	nodes   []yaml.Node
	used    int // of nodes
	kept    []keptLines
	packing []byte
	text    []byte // of an object as JSON
	decoder *jsontext.Decoder
}

// What is kept for the next object is enough for most objects; one that is larger has its own.
const scratchNodes, scratchItems, scratchBytes = 512, 256, 1 << 20

// stored closes the store if it is full, and returns how many bytes its texts take from now on.
func (s *scratch) stored() (bytes int) {
	texts, packing, bytes := s.store.close(s.packing)
	if bytes == 0 {
		return 0
	}
	if cap(texts) > scratchBytes {
		texts, packing = nil, nil
	}
	s.store, s.packing = &textStore{texts: texts[:0]}, packing
	return bytes
}

// begin makes room for the next object. again reports that what the last one had is free.
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
	content := n.Content[:0]
	if cap(content) > scratchItems {
		content = nil
	}
	*n = yaml.Node{Content: content}
	return n
}

// json is a decoder of a text, in UTF-8 unless it may have any bytes.
func (s *scratch) json(raw []byte, anyBytes bool) *jsontext.Decoder {
	if s.decoder == nil {
		s.decoder = &jsontext.Decoder{}
	}
	s.decoder.Reset(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(anyBytes))
	return s.decoder
}

// lines is an empty list of kept lines.
func (s *scratch) lines() []keptLines {
	if !s.again {
		return nil
	}
	return s.kept[:0]
}
