package ingest

import (
	"bytes"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// utf16Of says by its byte order mark, or zeros beside plain characters, that a file is UTF-16, as of Windows PowerShell 5; else nil.
func utf16Of(head []byte) encoding.Encoding {
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || zeros(head, 1) {
		return little
	}
	if bytes.HasPrefix(head, []byte{0xfe, 0xff}) || zeros(head, 0) {
		return big
	}
	return nil
}

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
