// Package readback reads JSON reports: it distinguishes them from other files, holds them against the schema and decodes them.
package readback

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/strictjson"
)

// MaxBytes is the largest JSON report that Read takes. Two thousand incidents take 400 MB.
const MaxBytes = 512 << 20

// Error says why something is no report. Line is where, from 1; 0 when it concerns the whole.
type Error struct {
	Line      int
	Msg, Hint string
}

func (e *Error) Error() string { return e.Msg }

func unread(line int, hint, format string, args ...any) *Error {
	return &Error{Line: line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// The hints of Read.
const (
	hintReport = "a report is written by: volpost analyze BUNDLE -o json=FILE"
	hintBundle = "volpost analyze reads bundles; " + hintReport
	hintAgain  = "copy the file again, or write it again with: volpost analyze BUNDLE -o json=FILE"
)

// Read reads a report that was written as json: it keeps the schema, or an *Error says where not, and no string in it is trusted.
func Read(r io.Reader) (*model.Report, error) {
	expected := size(r)
	r, err := begun(r)
	if err != nil {
		return nil, err
	}
	data, err := readAll(io.LimitReader(r, MaxBytes+1), expected)
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, unread(0, "render fewer incidents at a time", "is larger than %s", words.Bytes(MaxBytes))
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	members, err := checkForm(data)
	if err != nil {
		return nil, err
	}
	return decode(data, members)
}

// begun looks at the beginning first, because a device without end is no report. What comes from its reader is the whole.
func begun(r io.Reader) (io.Reader, error) {
	head := make([]byte, 4096)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head = head[:n]
	if text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"); len(text) > 0 && text[0] != '{' {
		_, err := checkForm(head)
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(head), r), nil
}

// size is how many bytes are left to read, as far as the reader knows; it may be wrong.
func size(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	case interface{ Len() int }:
		return int64(r.Len())
	}
	return 0
}

// readAll is io.ReadAll into room for as many bytes as are expected: growing step by step would take twice the memory.
func readAll(r io.Reader, expected int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(expected, MaxBytes)) + bytes.MinRead)
	_, err := b.ReadFrom(r)
	return b.Bytes(), err
}

// checkForm distinguishes a report of this schema from all other files before it is decoded, and says where its lists stand.
func checkForm(data []byte) ([]strictjson.Member, error) {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, unread(0, hintReport, "is empty")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return nil, unread(1, "PowerShell writes UTF-16 with >; let volpost write the file: -o json=FILE", "is UTF-16, not UTF-8")
	case bytes.TrimLeft(data, " \t\r\n")[0] != '{':
		return nil, unread(1, hintBundle, "is no JSON report: it does not begin with {")
	}
	members, fault := strictjson.Check(data, limits, append([]string{"schema"}, lists...)...)
	if fault != nil {
		return nil, faultOf(data, fault)
	}
	switch version := schemaOf(data, members); {
	case version == "":
		return nil, unread(1, hintBundle, "is JSON, but no volpost report: it names no schema")
	case version == model.WhatIfVersion:
		return nil, unread(1, hintReport, "is the answer of volpost whatif, not a report")
	case version != model.SchemaVersion && strings.HasPrefix(version, "volpost/report/"):
		return nil, unread(1, "use the version of volpost that wrote it, or a later one",
			"is a report of the schema %q, and this version knows %q",
			words.Shorten(words.OneLine(words.Visible(version)), 40), model.SchemaVersion)
	case version != model.SchemaVersion:
		return nil, unread(1, hintReport, "is of the schema %q, not %q",
			words.Shorten(words.OneLine(words.Visible(version)), 40), model.SchemaVersion)
	}
	return members, nil
}

// limits are what a report may consist of: it has a dozen levels, and that of two thousand incidents nine million values.
var limits = strictjson.Limits{Depth: 64, Values: 16 << 20, Together: 4 << 20, Number: 400, Piece: 1 << 20}

// schemaOf is the schema that a report names; empty when it names none.
func schemaOf(data []byte, members []strictjson.Member) string {
	var name string
	for _, m := range members {
		if m.Name == "schema" && json.Unmarshal(data[m.Start:m.End], &name) != nil {
			return "" // no text
		}
	}
	return name
}

// faultOf says what is wrong with JSON that cannot be used at all.
func faultOf(data []byte, f *strictjson.Fault) error {
	line := lineAt(data, f.Offset)
	switch f.Reason {
	case strictjson.CutOff:
		return unread(line, hintAgain, "ends in the middle of the report: it was cut off")
	case strictjson.Trailing:
		return unread(line, "give one report at a time", "goes on after the end of the report")
	case strictjson.TooDeep:
		return unread(line, hintReport, "is nested more than %d levels deep, and a report is not", limits.Depth)
	case strictjson.TooMany:
		return unread(line, "render fewer incidents at a time", "has more than %s values", words.Number(limits.Values))
	case strictjson.TooManyTogether:
		return unread(line, "render fewer incidents at a time",
			"has more than %s values outside of its lists, or in one element of them", words.Number(limits.Together))
	case strictjson.HugeNumber:
		return unread(line, hintAgain,
			"has a number of more than %d digits, or with an exponent of more than three, and a report has none", limits.Number)
	case strictjson.KeyTwice:
		return unread(line, hintAgain, "has the key %q twice in one object", words.Shorten(words.OneLine(words.Visible(f.Key)), 60))
	}
	reason := "what begins here is no value"
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		reason = words.Visible(err.Error())
	}
	return unread(line, hintAgain, "is no JSON: %s", reason)
}

// lineAt is the line of an offset, from 1.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}

// Beginning is how much of a file IsReport wants to see, unless the file is shorter.
const Beginning = 4096

// IsReport distinguishes a JSON report from a bundle by its beginning: its schema, or, with sorted keys, its alerts and bundle.
func IsReport(beginning []byte) bool {
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(beginning, []byte("\ufeff"))))
	if opening, err := in.Token(); err != nil || opening != json.Delim('{') {
		return false
	}
	sorted := false
	for in.More() {
		key, err := in.Token()
		switch {
		case err != nil:
			return sorted
		case key == "schema":
			var name string
			return in.Decode(&name) == nil && strings.HasPrefix(name, "volpost/")
		case key == "alerts" || key == "bundle":
			sorted = true
		}
		var passed json.RawMessage
		if in.Decode(&passed) != nil {
			return sorted
		}
	}
	return false
}
