package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model"
)

// MaxBytes is the largest JSON report that Read takes. Two thousand incidents take half of it.
const MaxBytes = 512 << 20

// ReadError says why something is no report. Line is where, from 1; 0 when it concerns the whole.
type ReadError struct {
	Line      int
	Msg, Hint string
}

func (e *ReadError) Error() string { return e.Msg }

func unread(line int, hint, format string, args ...any) *ReadError {
	return &ReadError{Line: line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// The hints of Read.
const (
	hintReport = "a report is written by: volpost analyze BUNDLE -o json=FILE"
	hintBundle = "volpost analyze reads bundles; " + hintReport
	hintAgain  = "copy the file again, or write it again with: volpost analyze BUNDLE -o json=FILE"
)

// Read reads a report that Write has written as json, by this version or another one of the same schema. What it answers
// renders as the original does, in every format. The report may be hostile: it keeps the schema, or a *ReadError says where
// it does not, and no string in it is trusted. Other errors are the reader's.
func Read(r io.Reader) (*model.Report, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxBytes {
		return nil, unread(0, "render fewer incidents at a time", "is larger than %s", bytesText(MaxBytes))
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := checkForm(data); err != nil {
		return nil, err
	}
	if err := checkSchema(data); err != nil {
		return nil, err
	}
	var out model.Report
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, unread(offsetLine(data, err), hintAgain, "is no report that can be rendered: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return &out, nil
}

// checkForm tells a report from other files, and one of this schema from one of another, before anything is decoded.
func checkForm(data []byte) error {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return unread(0, hintReport, "is empty")
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return unread(1, "PowerShell writes UTF-16 with >; let volpost write the file: -o json=FILE", "is UTF-16, not UTF-8")
	case bytes.TrimLeft(data, " \t\r\n")[0] != '{':
		return unread(1, hintBundle, "is no JSON report: it does not begin with {")
	}
	outline, err := walkJSON(data)
	if err != nil {
		return err
	}
	switch version := outline.schema; {
	case version == "":
		return unread(1, hintBundle, "is JSON, but no volpost report: it names no schema")
	case version == model.WhatIfVersion:
		return unread(1, hintReport, "is the answer of volpost whatif, not a report")
	case version != model.SchemaVersion && strings.HasPrefix(version, "volpost/report/"):
		return unread(1, "use the version of volpost that wrote it, or a later one", "is a report of the schema %q, and this version knows %q", shorten(oneLine(visible(version)), 40), model.SchemaVersion)
	case version != model.SchemaVersion:
		return unread(1, hintReport, "is of the schema %q, not %q", shorten(oneLine(visible(version)), 40), model.SchemaVersion)
	}
	return nil
}

// promise is the schema, compiled when a report is first read.
var promise = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(model.SchemaVersion, doc); err != nil {
		return nil, err
	}
	return c.Compile(model.SchemaVersion)
})

// checkSchema refuses a report that does not keep the schema, and names the first deepest place.
func checkSchema(data []byte) error {
	keeps, err := promise()
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return unread(offsetLine(data, err), hintAgain, "is no JSON: %v", err)
	}
	var broken *jsonschema.ValidationError
	if err := keeps.Validate(doc); err == nil {
		return nil
	} else if !errors.As(err, &broken) {
		return err
	}
	worst := deepest(broken)
	return unread(lineOf(data, worst.InstanceLocation), "the file was changed by hand or by another program; "+hintAgain,
		"does not keep the schema %s: %s", model.SchemaVersion, shorten(oneLine(visible(worst.Error())), 300))
}

// deepest is the violation that lies deepest: those above it only repeat it.
func deepest(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	var best *jsonschema.ValidationError
	for _, cause := range e.Causes {
		if d := deepest(cause); best == nil || len(d.InstanceLocation) > len(best.InstanceLocation) {
			best = d
		}
	}
	if best == nil {
		return e
	}
	return best
}
