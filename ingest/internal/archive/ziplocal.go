package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
)

// A zip that lacks its end has lost its directory, but before each member stands a header (APPNOTE.TXT 4.3.7). The libraries read the
// directory only; this reads the headers. They do not say which members are links, nor always how long they are.

const (
	localMagic      = "PK\x03\x04"
	localSize       = 30
	descriptorMagic = "PK\x07\x08"
	zip64Extra      = 1
	inExtra         = 1<<32 - 1 // in place of a size: the extra field has it
	flagEncrypted   = 1 << 0
	flagDescriptor  = 1 << 3 // checksum and sizes stand behind the member
)

// localHeader is what stands before a member.
type localHeader struct {
	flags, method uint16
	crc           uint32
	packed, plain uint64 // sizes
	name          string
}

// open reports whether the header does not say where the member ends.
func (h localHeader) open() bool { return h.flags&flagDescriptor != 0 && h.packed == 0 }

// errNoLocal says that what follows is no member.
var errNoLocal = errors.New("no member follows")

func readLocal(r *bufio.Reader) (h localHeader, err error) {
	fixed, err := r.Peek(localSize)
	if len(fixed) < len(localMagic) || string(fixed[:4]) != localMagic {
		return h, errNoLocal
	}
	if err != nil {
		return h, err
	}
	h.flags, h.method = binary.LittleEndian.Uint16(fixed[6:]), binary.LittleEndian.Uint16(fixed[8:])
	h.crc = binary.LittleEndian.Uint32(fixed[14:])
	h.packed, h.plain = uint64(binary.LittleEndian.Uint32(fixed[18:])), uint64(binary.LittleEndian.Uint32(fixed[22:]))
	name := make([]byte, int(binary.LittleEndian.Uint16(fixed[26:])))
	extra := make([]byte, int(binary.LittleEndian.Uint16(fixed[28:])))
	_, _ = r.Discard(localSize) // it was peeked
	if _, err = io.ReadFull(r, name); err == nil {
		_, err = io.ReadFull(r, extra)
	}
	h.name = string(name)
	h.widen(extra)
	return h, err
}

// widen takes the sizes from the extra field, where the header has no room for them (APPNOTE.TXT 4.5.3).
func (h *localHeader) widen(extra []byte) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			return
		}
		if id == zip64Extra {
			field := extra[:n]
			for _, size := range []*uint64{&h.plain, &h.packed} {
				if *size == inExtra && len(field) >= 8 {
					*size, field = binary.LittleEndian.Uint64(field), field[8:]
				}
			}
			return
		}
		extra = extra[n:]
	}
}

// zipLocal reads the members of a zip without a directory. broken says what is wrong with it.
func (w *walker) zipLocal(s stream, from io.Reader, broken error) {
	r := bufio.NewReader(from)
	n := newNames(s.path)
	members := 0
	var err error
	for err == nil && w.ctx.Err() == nil && w.total.spend(0) == nil {
		var h localHeader
		if h, err = readLocal(r); err != nil {
			break
		}
		var read bool
		if read, err = w.localMember(s, h, r, n); read {
			members++
		}
	}
	var full *LimitError
	switch {
	case w.ctx.Err() != nil:
	case members == 0 && errors.As(err, &full):
		w.refuse(s, err)
	case members == 0:
		w.refuse(s, broken)
	default:
		w.problem(model.Failure, s.path, "%v: by the headers before them, %s could be read", broken, membersText(members))
	}
}

// localMember reads one member up to the header of the next. Its error says that there is no way to the next.
func (w *walker) localMember(s stream, h localHeader, r *bufio.Reader, n *names) (read bool, err error) {
	if !strings.Contains(h.name, "/") {
		h.name = strings.ReplaceAll(h.name, `\`, "/") // as some writers on Windows do
	}
	dir := strings.HasSuffix(h.name, "/")
	m := &localBody{header: h, r: r}
	p, again, more := w.named(n, h.name, dir)
	switch {
	case again:
		return false, m.skip()
	case !more:
		return false, w.entriesLimit()
	}
	e := Entry{Path: p, Size: int64(min(h.plain, 1<<62))}
	switch {
	case dir:
		e.Form, e.Size = Dir, 0
	case h.flags&flagEncrypted != 0:
		e.Err = errEncrypted
	case added(p) != "":
		e.Skipped = added(p)
	default:
		var plain io.Reader
		if plain, e.Err = m.open(w, p); e.Err != nil {
			break
		}
		if h.open() {
			e.Size = -1
		}
		in := s.inner(p, e.Size, plain)
		in.cost = m.cost
		w.stream(in)
		defer m.opened.close()
		if err = m.skip(); errors.Is(err, errChecksum) && h.open() {
			w.problem(model.Failure, p, "%v", err) // what was read of it did not know yet
		}
		return true, err
	}
	w.v.Entry(e, nil)
	return true, m.skip()
}
