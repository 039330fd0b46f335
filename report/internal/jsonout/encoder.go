package jsonout

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/volpost/volpost/model/words"
)

// spelled writes JSON with characters spelled out as \u… that a terminal obeys or a reader is misled by. Each Write has whole characters.
type spelled struct{ w io.Writer }

// Write implements io.Writer.
func (s spelled) Write(p []byte) (int, error) {
	from := 0
	for at := 0; at < len(p); {
		if p[at] < 0x7f {
			at++
			continue
		}
		r, size := utf8.DecodeRune(p[at:])
		if !words.Hidden(r) {
			at += size
			continue
		}
		if _, err := s.w.Write(p[from:at]); err != nil {
			return from, err
		}
		if _, err := s.w.Write(spelledOut(r)); err != nil {
			return at, err
		}
		at += size
		from = at
	}
	n, err := s.w.Write(p[from:])
	return from + n, err
}

// spelledOut is a character as JSON spells it.
func spelledOut(r rune) []byte {
	var out bytes.Buffer
	for _, unit := range utf16.Encode([]rune{r}) {
		fmt.Fprintf(&out, `\u%04x`, unit)
	}
	return out.Bytes()
}
