package readback

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/volpost/volpost/model/words"
)

// What a report may consist of: it has a dozen levels, and that of two thousand incidents eighteen million names and values.
const (
	maxDepth  = 64
	maxTokens = 32 << 20
	maxJoined = 8 << 20 // of these, outside of the elements of lists, and in each of these elements
)

// pieceBytes is how much of a list is judged at a time.
const pieceBytes = 1 << 20

// lists are judged in pieces: of them the schema says what their elements have to be, and nothing else.
var lists = []string{"groups", "incidents", "findings", "alerts", "timeline", "evidence"}

// form is what one pass over the tokens of a report finds: that it is JSON, of bounded depth and size, without a key that comes twice,
// and where its lists can be cut. A few bytes of hostile JSON become hundreds in memory.
type form struct {
	data   []byte
	in     *jsontext.Decoder
	tokens int
	piece  int // bytes of a piece
	pieces []piece
	rest   []byte // the report with its lists left empty
	copied int    // bytes of data that rest has or lacks
}

// piece is some elements of a list.
type piece struct {
	list  string
	index int    // of the first
	text  []byte // between brackets
}

func (p piece) array() []byte { return slices.Concat([]byte("["), p.text, []byte("]")) }

// formOf reads the form of data. The errors are for the reader of the file.
func formOf(data []byte, piece int) (*form, error) {
	f := &form{data: data, in: jsontext.NewDecoder(bytes.NewBuffer(data)), piece: piece}
	if err := f.object(); err != nil {
		return nil, f.fault(err)
	}
	if end := f.offset(); len(bytes.TrimLeft(data[end:], " \t\r\n")) > 0 {
		return nil, f.unread("give one report at a time", "goes on after the end of the report")
	}
	f.rest = append(f.rest, data[f.copied:]...)
	return f, nil
}

func (f *form) offset() int { return int(f.in.InputOffset()) }

func (f *form) unread(hint, format string, args ...any) *Error {
	return unread(lineAt(f.data, f.offset()), hint, format, args...)
}

// object reads the outermost object.
func (f *form) object() error {
	_, err := f.in.ReadToken()
	joined := 0
	for err == nil && f.in.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = f.in.ReadToken(); err != nil {
			return err
		}
		if key := name.String(); slices.Contains(lists, key) && f.in.PeekKind() == '[' {
			err = f.list(key)
		} else {
			err = f.value(&joined)
		}
	}
	if err == nil {
		_, err = f.in.ReadToken() // the brace
	}
	return err
}

// list reads a list, which rest has without its elements.
func (f *form) list(name string) error {
	_, err := f.in.ReadToken()
	from, first := f.offset(), 0
	f.rest, f.copied = append(f.rest, f.data[f.copied:from]...), from
	cut := func(next int) {
		if text := bytes.Trim(f.data[from:f.offset()], ", \t\r\n"); len(text) > 0 {
			f.pieces = append(f.pieces, piece{name, first, text})
		}
		from, first = f.offset(), next
	}
	for i := 0; err == nil && f.in.PeekKind() != ']'; i++ {
		joined := 0
		if err = f.value(&joined); f.offset()-from >= f.piece {
			cut(i + 1)
		}
	}
	cut(0)
	f.copied = from
	if err == nil {
		_, err = f.in.ReadToken() // the bracket
	}
	return err
}

// value reads one value, and adds what it consists of to joined.
func (f *form) value(joined *int) error {
	depth := f.in.StackDepth()
	for {
		token, err := f.in.ReadToken()
		if err != nil {
			return err
		}
		f.tokens++
		*joined++
		switch {
		case f.in.StackDepth() > maxDepth:
			return f.unread(hintReport, "is nested more than %d levels deep, and a report is not", maxDepth)
		case f.tokens > maxTokens:
			return f.unread("render fewer incidents at a time", "has more than %s names and values", words.Number(maxTokens))
		case *joined > maxJoined:
			return f.unread("render fewer incidents at a time",
				"has more than %s names and values outside of its lists, or in one element of them", words.Number(maxJoined))
		case token.Kind() == '0':
			if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
				return f.unread(hintAgain, "has a number with too large an exponent, and a report has none")
			}
		}
		if f.in.StackDepth() == depth {
			return nil
		}
	}
}

// fault says why a report cannot be used at all.
func (f *form) fault(err error) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err
	}
	line := lineAt(f.data, int(syntax.ByteOffset))
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return unread(line, hintAgain, "ends in the middle of the report: it was cut off")
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return unread(line, hintAgain, "has the key %q twice in one object",
			words.Shorten(words.OneLine(words.Visible(syntax.JSONPointer.LastToken())), 60))
	}
	return unread(line, hintAgain, "is no JSON: %s", words.Visible(syntax.Err.Error()))
}

// lineAt is the line of an offset, from 1.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}
