package manifest

import (
	"sync"

	"go.yaml.in/yaml/v3"
)

// Pool lends what a goroutine needs to decode objects, from file to file: a must-gather has ten thousands of them. Safe for concurrent use.
type Pool struct {
	mu     sync.Mutex
	free   []*scratch
	blocks *blocks // outlives the pool: texts are looked at afterwards
}

// NewPool makes a pool with nothing in store.
func NewPool() *Pool { return &Pool{blocks: &blocks{}} }

func (p *Pool) take() *scratch {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free) - 1
	if n < 0 {
		return newScratch(p.blocks)
	}
	s := p.free[n]
	p.free = p.free[:n]
	return s
}

func (p *Pool) give(s *scratch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, s)
}

// scratch is what one goroutine uses again for each object.
type scratch struct {
	store   *textStore // not full
	again   bool       // the nodes of the object before are free
	nodes   []yaml.Node
	used    int // of nodes
	kept    []keptLines
	packing []byte
}

func newScratch(b *blocks) *scratch {
	return &scratch{store: &textStore{blocks: b}}
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
	s.store, s.packing = &textStore{blocks: s.store.blocks, texts: texts[:0]}, packing
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

// lines is an empty list of kept lines.
func (s *scratch) lines() []keptLines {
	if !s.again {
		return nil
	}
	return s.kept[:0]
}
