package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/volpost/volpost/model"
)

// store keeps statements in a tenth of their memory until it is known which concern a wait: without it half of the largest cluster takes 3.5 GB
// instead of 1.3 (docs/performance.md). Safe for concurrent use; it keeps no order.
type store struct {
	mu     sync.Mutex
	open   bytes.Buffer
	writer *gob.Encoder  // into open
	packer *zstd.Encoder // nil until there is something to pack
	packed [][]byte
	bytes  int64
	n      int
	ties   bool // among them are statements that tie a claim to a volume
}

const (
	storeBlock = 256 << 10
	// storeBytes bounds the store. The largest cluster that Kubernetes supports fills a half.
	storeBytes = 384 << 20
)

// put takes a statement, or returns false when the store is full.
func (s *store) put(e *event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes > storeBytes {
		return false
	}
	if s.open.Len() == 0 {
		s.writer = gob.NewEncoder(&s.open)
	}
	v := *e
	if q := &v.Statement.Quote; q.Text != "" && *q == whole(q.Text) {
		q.SHA256 = "" // it follows from the text
	}
	if err := s.writer.Encode(&v); err != nil {
		panic(err) // a statement has values only
	}
	s.n++
	s.ties = s.ties || e.Statement.Kind == model.VolumeBound
	if s.open.Len() >= storeBlock {
		s.pack()
	}
	return true
}

func (s *store) pack() {
	if s.packer == nil {
		s.packer, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest)) // no option can be wrong
	}
	block := bytes.Clone(s.packer.EncodeAll(s.open.Bytes(), nil))
	s.packed = append(s.packed, block)
	s.bytes += int64(len(block))
	s.open.Reset()
}

// each shows what is in the store, without the hashes of quotes that follow from their texts.
func (s *store) each(show func(*event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open.Len() > 0 {
		s.pack()
	}
	unpacker, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)) // no option can be wrong
	defer unpacker.Close()
	var plain []byte
	for _, block := range s.packed {
		plain, _ = unpacker.DecodeAll(block, plain[:0]) // it was packed here
		for in := gob.NewDecoder(bytes.NewReader(plain)); ; {
			var v event
			if in.Decode(&v) != nil {
				break
			}
			show(&v)
		}
	}
}

// take empties the store of what is wanted.
func (s *store) take(wanted func(*model.Observation) bool, keep func(event)) {
	s.each(func(e *event) {
		if !wanted(&e.Statement) {
			return
		}
		if q := &e.Statement.Quote; q.SHA256 == "" && q.Text != "" {
			*q = whole(q.Text)
		}
		keep(*e)
	})
	s.packed, s.bytes, s.n = nil, 0, 0
}

// whole is the quote of a record that is not cut.
func whole(text string) model.Quote {
	sum := sha256.Sum256([]byte(text))
	return model.Quote{Text: text, SHA256: hex.EncodeToString(sum[:])}
}
