package readback

import (
	"bytes"
	"cmp"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/schema"
)

// promise is the schema, compiled when a report is first read.
var promise = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.JSON()))
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

// breach is the deepest place at which a value does not keep the schema: what is above it only repeats it. Of several the library finds
// any first, and the least by its pointer counts.
func breach(err error, at ...string) (*jsonschema.ValidationError, error) {
	var broken, deepest *jsonschema.ValidationError
	if err == nil || !errors.As(err, &broken) {
		return nil, err
	}
	for _, e := range leaves(broken) {
		if deepest == nil || cmp.Or(len(deepest.InstanceLocation)-len(e.InstanceLocation), slices.Compare(e.InstanceLocation, deepest.InstanceLocation)) < 0 {
			deepest = e
		}
	}
	deepest.InstanceLocation = slices.Concat(at, deepest.InstanceLocation)
	return deepest, nil
}

// leaves are the breaches that one consists of.
func leaves(e *jsonschema.ValidationError) (out []*jsonschema.ValidationError) {
	if len(e.Causes) == 0 {
		return append(out, e)
	}
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

// judgeAll refuses a report that does not keep the schema, and names the first place. Pieces save memory, and use all processors.
func (f *form) judgeAll() error {
	keeps, err := promise()
	if err != nil {
		return err
	}
	found, errs := make([]*jsonschema.ValidationError, len(f.pieces)+1), make([]error, len(f.pieces)+1)
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(found)) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(found); i = int(next.Add(1)) - 1 {
				found[i], errs[i] = f.judge(keeps, i)
			}
		})
	}
	working.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if i := slices.IndexFunc(found, func(e *jsonschema.ValidationError) bool { return e != nil }); i >= 0 {
		return f.told(found[i])
	}
	return nil
}

// judge judges a piece, and behind the last one what is left of the report.
func (f *form) judge(keeps *jsonschema.Schema, i int) (*jsonschema.ValidationError, error) {
	if i == len(f.pieces) {
		var rest any
		if err := json.Unmarshal(f.rest, &rest); err != nil {
			return nil, err
		}
		return breach(keeps.Validate(rest))
	}
	var elements []any
	p := f.pieces[i]
	err := json.Unmarshal(p.array(), &elements)
	for n, e := range elements {
		broken, err := breach(keeps.Properties[p.list].Items2020.Validate(e), p.list, strconv.Itoa(p.index+n))
		if broken != nil || err != nil {
			return broken, err
		}
	}
	return nil, err
}

// told says what a breach is, and in which line.
func (f *form) told(e *jsonschema.ValidationError) error {
	place := jsontext.Pointer("")
	for _, step := range e.InstanceLocation {
		place = place.AppendToken(step)
	}
	in := jsontext.NewDecoder(bytes.NewBuffer(f.data))
	for _, err := in.ReadToken(); err == nil && in.StackPointer() != place; {
		_, err = in.ReadToken()
	}
	return unread(lineAt(f.data, int(in.InputOffset())), "the file was changed by hand or by another program; "+hintAgain,
		"does not keep the schema %s: %s", model.SchemaVersion, words.Shorten(words.OneLine(words.Visible(e.Error())), 300))
}
