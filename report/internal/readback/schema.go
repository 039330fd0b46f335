package readback

import (
	"bytes"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

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
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: isTime})
	if err := c.AddResource(model.SchemaVersion, doc); err != nil {
		return nil, err
	}
	return c.Compile(model.SchemaVersion)
})

// errTime says what a time has to be.
var errTime = errors.New("want RFC 3339, such as 2026-11-21T06:06:51Z")

// isTime refuses what the library takes as a time and Go does not, and what only Go takes (go.dev/issue/54580).
func isTime(v any) error {
	s, text := v.(string)
	if !text {
		return nil // the type is judged by itself
	}
	const least = len("2026-11-21T06:06:51")
	if new(time.Time).UnmarshalText([]byte(s)) != nil || len(s) <= least || s[len("2026-11-21T06")] != ':' || s[least] == ',' {
		return errTime
	}
	if s[len(s)-1] == 'Z' {
		return nil
	}
	if zone := s[len(s)-len("00:00"):]; zone[:2] > "23" || zone[3:] > "59" {
		return errTime
	}
	return nil
}

// breaches are the deepest places that do not keep the schema, by JSON pointer: what is above them only repeats them.
type breaches struct {
	depth int
	at    map[jsontext.Pointer]*jsonschema.ValidationError
}

// judge holds a value at a place against its schema. Of several values with breaches at one depth the first counts.
func (b *breaches) judge(keeps *jsonschema.Schema, value any, at ...string) error {
	var broken *jsonschema.ValidationError
	if err := keeps.Validate(value); err == nil || !errors.As(err, &broken) {
		return err
	}
	var here breaches
	here.collect(at, broken)
	if here.depth > b.depth || b.at == nil {
		*b = here
	}
	return nil
}

// collect takes the deepest breaches that e consists of.
func (b *breaches) collect(at []string, e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		b.collect(at, cause)
	}
	if len(e.Causes) > 0 {
		return
	}
	e.InstanceLocation = slices.Concat(at, e.InstanceLocation)
	depth, place := len(e.InstanceLocation), jsontext.Pointer("")
	for _, step := range e.InstanceLocation {
		place = place.AppendToken(step)
	}
	if depth > b.depth || b.at == nil {
		*b = breaches{depth, map[jsontext.Pointer]*jsonschema.ValidationError{}}
	}
	if depth == b.depth && b.at[place] == nil {
		b.at[place] = e
	}
}

// judgeAll refuses a report that does not keep the schema, and names the first deepest place. Pieces save memory, and use all processors.
func (f *form) judgeAll() error {
	keeps, err := promise()
	if err != nil {
		return err
	}
	found, errs := make([]breaches, len(f.pieces)+1), make([]error, len(f.pieces)+1)
	var next atomic.Int64
	var working sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(found)) {
		working.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(found); i = int(next.Add(1)) - 1 {
				errs[i] = f.judge(keeps, i, &found[i])
			}
		})
	}
	working.Wait()
	all := breaches{at: map[jsontext.Pointer]*jsonschema.ValidationError{}}
	for _, b := range found {
		switch {
		case len(b.at) == 0:
		case b.depth > all.depth || len(all.at) == 0:
			all = b
		case b.depth == all.depth:
			maps.Copy(all.at, b.at)
		}
	}
	if err := errors.Join(errs...); err != nil || len(all.at) == 0 {
		return err
	}
	return all.first(f.data)
}

// judge judges a piece, and behind the last one what is left of the report.
func (f *form) judge(keeps *jsonschema.Schema, i int, found *breaches) error {
	if i == len(f.pieces) {
		var rest any
		if err := json.Unmarshal(f.rest, &rest); err != nil {
			return err
		}
		return found.judge(keeps, rest)
	}
	var elements []any
	p := f.pieces[i]
	if err := json.Unmarshal(p.array(), &elements); err != nil {
		return err
	}
	for n, e := range elements {
		if err := found.judge(keeps.Properties[p.list].Items2020, e, p.list, strconv.Itoa(p.index+n)); err != nil {
			return err
		}
	}
	return nil
}

// first tells of the breach that comes first in the report: the library goes over keys in any order.
func (b *breaches) first(data []byte) error {
	in := jsontext.NewDecoder(bytes.NewBuffer(data))
	for {
		if _, err := in.ReadToken(); err != nil {
			return err
		}
		if in.StackDepth() > b.depth+1 {
			continue
		}
		if e := b.at[in.StackPointer()]; e != nil {
			if f, ok := e.ErrorKind.(*kind.Format); ok {
				if s, ok := f.Got.(string); ok && len(s) > 60 {
					e.ErrorKind = &kind.Format{Got: strings.ToValidUTF8(s[:60], "") + "…", Want: f.Want, Err: f.Err}
				}
			}
			return unread(lineAt(data, int(in.InputOffset())), "the file was changed by hand or by another program; "+hintAgain,
				"does not keep the schema %s: %s", model.SchemaVersion, words.Shorten(words.OneLine(words.Visible(e.Error())), 300))
		}
	}
}
