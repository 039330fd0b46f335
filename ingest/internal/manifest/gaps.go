package manifest

import (
	"bytes"
	"encoding/binary"
)

// The text of an object is kept for citations without the lines that are not needed. Before it stand the gaps: their number,
// and for each how many lines are kept before it, since the gap before, and how many it hides. All are varints, and there
// are none when the whole text is kept.

// appendWithGaps appends the kept lines of a text behind their gaps; nil keeps all.
func appendWithGaps(out, raw []byte, kept []keptLines) []byte {
	out = binary.AppendUvarint(out, uint64(len(kept)))
	if kept == nil {
		return append(out, raw...)
	}
	at, before := 1, 0
	for _, k := range kept {
		out = binary.AppendUvarint(out, uint64(before))
		out = binary.AppendUvarint(out, uint64(k.line-at))
		before = bytes.Count(raw[k.from:k.to], []byte("\n"))
		at = k.line + before
	}
	for _, k := range kept {
		out = append(out, raw[k.from:k.to]...)
	}
	return out
}

// cutGaps takes apart what appendWithGaps has put together.
func cutGaps(data []byte) (gaps, text []byte) {
	number, n := binary.Uvarint(data)
	gaps, text = data[n:], data[n:]
	for range 2 * number {
		_, n := binary.Uvarint(text)
		text = text[n:]
	}
	return gaps[:len(gaps)-len(text)], text
}

// hidden is how many lines the gaps hide before a line of the kept text, counted from 1.
func hidden(gaps []byte, line int) int {
	kept, sum := 0, 0
	for len(gaps) > 0 {
		before, n := binary.Uvarint(gaps)
		lines, m := binary.Uvarint(gaps[n:])
		gaps = gaps[n+m:]
		if kept += int(before); kept >= line {
			break
		}
		sum += int(lines)
	}
	return sum
}
