package jsonout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/volpost/volpost/model/words"
)

// spelled writes JSON with the characters spelled out that a terminal obeys or a reader is misled by, as \u…: control
// characters of the second kind, direction marks and what visible spells out elsewhere. It is the same JSON. Each Write has
// whole characters.
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

// Encoder encodes as all JSON here is written: characters with a meaning in HTML stay, because names are searched for.
func Encoder(w io.Writer, indent string) *json.Encoder {
	enc := json.NewEncoder(spelled{w})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc
}
