package ingest

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/volpost/volpost/model"
)

// shelf keeps statements in a tenth of their memory until it is known which concern a wait. Safe for concurrent use; it keeps no order.
type shelf struct {
	mu     sync.Mutex
	open   codec
	packer *zstd.Encoder // nil until there is something to pack
	packed [][]byte
	bytes  int64
	n      int
}

const (
	shelfBlock = 256 << 10
	// shelfBytes bounds the shelf. The largest cluster that Kubernetes supports fills a half.
	shelfBytes = 384 << 20
)

// put takes a statement, or answers false when the shelf is full.
func (s *shelf) put(e *event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bytes > shelfBytes {
		return false
	}
	s.open.event(e)
	s.n++
	if len(s.open.out) >= shelfBlock {
		s.pack()
	}
	return true
}

func (s *shelf) pack() {
	if len(s.open.out) == 0 {
		return
	}
	if s.packer == nil {
		s.packer, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest)) // no option can be wrong
	}
	block := bytes.Clone(s.packer.EncodeAll(s.open.out, nil))
	s.packed = append(s.packed, block)
	s.bytes += int64(len(block))
	s.open.out = s.open.out[:0]
}

// each shows what is on the shelf; the strings of a statement are gone when it has been shown.
func (s *shelf) each(show func(*model.Observation)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pack()
	var u unpacker
	var e event
	for _, block := range s.packed {
		for text := u.text(block); text.in != ""; {
			text.event(&e)
			show(&e.observation)
		}
	}
}

// unpacker unpacks blocks by way of a buffer that is used again.
type unpacker struct {
	zstd   *zstd.Decoder
	buffer []byte
}

func (u *unpacker) text(block []byte) codec {
	if u.zstd == nil {
		u.zstd, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1)) // no option can be wrong
	}
	plain, err := u.zstd.DecodeAll(block, u.buffer[:0])
	if err != nil {
		panic(err) // it was packed here
	}
	u.buffer = plain
	return codec{in: string(plain), reading: true}
}

// take empties the shelf of what is wanted.
func (s *shelf) take(wanted func(*model.Observation) bool, keep func(event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pack()
	var u unpacker
	var e event
	for i, block := range s.packed {
		text := u.text(block)
		for text.in != "" {
			at := text
			if text.event(&e); !wanted(&e.observation) {
				continue
			}
			var own event
			at.own = true
			at.event(&own)
			keep(own)
		}
		s.packed[i] = nil
	}
	s.packed, s.bytes, s.n = nil, 0, 0
}
