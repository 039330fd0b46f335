package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// What a report may consist of. A few bytes of hostile JSON become hundreds in memory.
const (
	maxDepth  = 64       // a report has a dozen levels
	maxValues = 16 << 20 // two thousand incidents have six million
)

// outline is what a walk over JSON learns.
type outline struct{ schema string }

// walker goes once over JSON, before anything of it is kept.
type walker struct {
	data   []byte
	in     *json.Decoder
	values int
	outline
}

// walkJSON checks that data is one JSON object of bounded depth and size, in which no key comes twice. Go matches keys
// without regard to case, schemas match them exactly: of two spellings, one would be checked and the other one used.
func walkJSON(data []byte) (outline, error) {
	w := walker{data: data, in: json.NewDecoder(bytes.NewReader(data))}
	w.in.UseNumber()
	if err := w.value(0, ""); err != nil {
		return outline{}, err
	}
	if _, err := w.in.Token(); !errors.Is(err, io.EOF) {
		return outline{}, unread(w.line(), "give one report at a time", "goes on after the end of the report")
	}
	return w.outline, nil
}

func (w *walker) line() int { return lineAt(w.data, int(w.in.InputOffset())) }

// token is the next token.
func (w *walker) token() (json.Token, error) {
	t, err := w.in.Token()
	switch {
	case err == nil:
		return t, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, unread(lineAt(w.data, len(w.data)), hintAgain, "ends in the middle of the report: it was cut off")
	}
	line := offsetLine(w.data, err)
	if line == 0 {
		line = w.line()
	}
	return nil, unread(line, hintAgain, "is no JSON: %s", visible(err.Error()))
}

// value walks one value; key is its name where it stands in the outermost object.
func (w *walker) value(depth int, key string) error {
	t, err := w.token()
	if err != nil {
		return err
	}
	if w.values++; w.values > maxValues {
		return unread(w.line(), "render fewer incidents at a time", "has more than %s values", number(maxValues))
	}
	if depth > maxDepth {
		return unread(w.line(), hintReport, "is nested more than %d levels deep, and a report is not", maxDepth)
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return w.object(depth)
		}
		for w.in.More() {
			if err := w.value(depth+1, ""); err != nil {
				return err
			}
		}
		_, err = w.token()
		return err
	case string:
		if depth == 1 && key == "schema" {
			w.schema = t
		}
	}
	return nil
}

func (w *walker) object(depth int) error {
	var keys keySet
	for w.in.More() {
		t, err := w.token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if !keys.add(key) {
			return unread(w.line(), hintAgain, "has the key %q twice in one object", shorten(oneLine(visible(key)), 60))
		}
		if err := w.value(depth+1, key); err != nil {
			return err
		}
	}
	_, err := w.token()
	return err
}

// keySet holds the keys of one object without regard to case. Objects of a report are small.
type keySet struct {
	few  []string
	many map[string]bool
}

// add takes a key; it answers false for one that is there.
func (k *keySet) add(key string) bool {
	key = folded(key)
	if k.many == nil && len(k.few) < 32 {
		if slices.Contains(k.few, key) {
			return false
		}
		k.few = append(k.few, key)
		return true
	}
	if k.many == nil {
		k.many = map[string]bool{}
		for _, f := range k.few {
			k.many[f] = true
		}
	}
	if k.many[key] {
		return false
	}
	k.many[key] = true
	return true
}

// folded is a key as encoding/json compares it: by the least rune of each orbit of simple folding.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, key)
}

// lineAt is the line of an offset, from 1.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// offsetLine is the line that an error of encoding/json names; 0 when it names none.
func offsetLine(data []byte, err error) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return lineAt(data, int(syntax.Offset))
	case errors.As(err, &kind):
		return lineAt(data, int(kind.Offset))
	}
	return 0
}

// lineOf is the line of the value at a place in a document that walkJSON has passed.
func lineOf(data []byte, location []string) int {
	in := json.NewDecoder(bytes.NewReader(data))
	for _, step := range location {
		t, err := in.Token()
		if err != nil || !enter(in, t, step) {
			break
		}
	}
	end := int(in.InputOffset())
	for end < len(data) && bytes.IndexByte([]byte(" \t\r\n:,"), data[end]) >= 0 {
		end++
	}
	return lineAt(data, end)
}

// enter moves to the member of an object or the element of an array that step names.
func enter(in *json.Decoder, opening json.Token, step string) bool {
	for n := 0; in.More(); n++ {
		name := strconv.Itoa(n)
		if opening == json.Delim('{') {
			t, err := in.Token()
			if err != nil {
				return false
			}
			name, _ = t.(string)
		}
		if name == step {
			return true
		}
		var skipped json.RawMessage
		if in.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}
