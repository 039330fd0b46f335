package ingest

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Of tells by its byte order mark, or zeros beside plain characters, that a file is UTF-16, as of Windows PowerShell 5; else nil.
func utf16Of(head []byte) binary.ByteOrder {
	switch {
	case len(head) >= 2 && head[0] == 0xff && head[1] == 0xfe:
		return binary.LittleEndian
	case len(head) >= 2 && head[0] == 0xfe && head[1] == 0xff:
		return binary.BigEndian
	case zeros(head, 1):
		return binary.LittleEndian
	case zeros(head, 0):
		return binary.BigEndian
	}
	return nil
}

// sampled is how many characters without a byte order mark have to be plain.
const sampled = 16

// zeros reports whether the first characters are printable ones of two bytes, of which that at an offset is zero.
func zeros(head []byte, at int) bool {
	if len(head) < 2*sampled {
		return false
	}
	for i := 0; i < 2*sampled; i += 2 {
		if c := head[i+1-at]; head[i+at] != 0 || c != '\n' && c != '\r' && c != '\t' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// utf16Reader reads UTF-16 as UTF-8, without the byte order mark. Half surrogates and half characters become U+FFFD.
type utf16Reader struct {
	src   io.Reader
	order binary.ByteOrder
	out   []byte // decoded and not yet read
	high  rune   // a first surrogate that waits for its second; 0 when none
	err   error
	buf   [4096]byte
}

func (u *utf16Reader) Read(b []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		n, err := io.ReadFull(u.src, u.buf[:])
		u.decode(u.buf[:n])
		if err != nil {
			if u.high != 0 || n%2 == 1 {
				u.out = utf8.AppendRune(u.out, utf8.RuneError)
			}
			if u.err = err; err == io.ErrUnexpectedEOF {
				u.err = io.EOF
			}
		}
	}
	n := copy(b, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) decode(b []byte) {
	u.out = u.out[:0]
	for ; len(b) >= 2; b = b[2:] {
		r := rune(u.order.Uint16(b))
		if u.high != 0 {
			pair := utf16.DecodeRune(u.high, r)
			u.high = 0
			u.out = utf8.AppendRune(u.out, pair)
			if pair != utf8.RuneError {
				continue
			}
		}
		switch {
		case r == 0xfeff:
		case r >= 0xd800 && r < 0xdc00:
			u.high = r
		default:
			u.out = utf8.AppendRune(u.out, r) // a lone second surrogate becomes U+FFFD
		}
	}
}
