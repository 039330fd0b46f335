// Package readback reads JSON reports: it distinguishes them from other files, holds them against the schema and decodes them.
package readback

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
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
	f, err := checkForm(data, pieceBytes)
	if err != nil {
		return nil, err
	}
	return f.decode()
}

// decode decodes a report after it was judged: the trees that the library wants are gone then. Names of fields have to agree in case, too.
func (f *form) decode() (*model.Report, error) {
	if err := f.judgeAll(); err != nil {
		return nil, err
	}
	var out model.Report
	var kind *json.SemanticError
	if err := json.Unmarshal(f.data, &out); errors.As(err, &kind) {
		return nil, unread(lineAt(f.data, int(kind.ByteOffset)), hintAgain, "is no report that can be rendered: %s",
			words.Shorten(words.OneLine(words.Visible(strings.TrimPrefix(err.Error(), "json: "))), 300))
	} else if err != nil {
		return nil, unread(0, hintAgain, "is no report that can be rendered: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 300))
	}
	return &out, nil
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
		_, err := checkForm(head, pieceBytes)
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

// checkForm distinguishes a report of this schema from all other files before it is decoded.
func checkForm(data []byte, piece int) (*form, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, unread(0, hintReport, "is empty")
	}
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, unread(1, "PowerShell writes UTF-16 with >; let volpost write the file: -o json=FILE", "is UTF-16, not UTF-8")
	}
	if bytes.TrimLeft(data, " \t\r\n")[0] != '{' {
		return nil, unread(1, hintBundle, "is no JSON report: it does not begin with {")
	}
	f, err := formOf(data, piece)
	if err != nil {
		return nil, err
	}
	var names struct {
		Schema jsontext.Value `json:"schema"`
	}
	_ = json.Unmarshal(f.rest, &names) // it was read as JSON
	var version string
	_ = json.Unmarshal(names.Schema, &version) // what is no text is no schema
	switch {
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
	return f, nil
}

// Beginning is how much of a file IsReport wants to see, unless the file is shorter.
const Beginning = 4096

// IsReport distinguishes a JSON report from a bundle by its beginning: its schema, or, with sorted keys, its alerts and bundle.
func IsReport(beginning []byte) bool {
	in := jsontext.NewDecoder(bytes.NewBuffer(bytes.TrimPrefix(beginning, []byte("\ufeff"))))
	if opening, err := in.ReadToken(); err != nil || opening.Kind() != '{' {
		return false
	}
	for sorted := false; ; {
		key, err := in.ReadToken()
		if err != nil || key.Kind() != '"' {
			return sorted && err != nil
		}
		switch key.String() {
		case "schema":
			name, err := in.ReadToken()
			return err == nil && strings.HasPrefix(name.String(), "volpost/")
		case "alerts", "bundle":
			sorted = true
		}
		if in.SkipValue() != nil {
			return sorted
		}
	}
}

// maxFleetObjects bounds the memory of one report's incidents. Two thousand of them have fewer than a million objects.
const maxFleetObjects = 2 << 20

// Fleet reads what a fleet needs. Most of a report is timeline and quotes, of which only the form is checked.
func Fleet(data []byte) (*model.FleetReport, error) {
	f, err := checkForm(bytes.TrimPrefix(data, []byte("\ufeff")), pieceBytes)
	if err != nil {
		return nil, err
	}
	var out model.FleetReport
	err, objects := json.Unmarshal(f.rest, &out), bytes.Count(f.rest, []byte("{"))
	for _, p := range f.pieces {
		if err != nil || p.list != "incidents" {
			continue
		}
		if objects += bytes.Count(p.text, []byte("{")); objects > maxFleetObjects {
			err = errors.New("too many objects")
			break
		}
		var more []model.FleetIncident
		err = json.Unmarshal(p.array(), &more)
		out.Incidents = append(out.Incidents, more...)
	}
	if err != nil {
		return nil, unread(0, hintAgain, "is no report that can be summed up: %s", words.Shorten(words.OneLine(words.Visible(err.Error())), 200))
	}
	return &out, nil
}
