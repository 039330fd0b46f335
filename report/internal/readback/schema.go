package readback

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

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

// breach is a place that does not keep the schema.
type breach struct {
	path    []string // keys and indices from the outermost value
	offset  int      // of the value, in bytes of the report
	message string
}

// before orders breaches: those that lie deeper first, as those above them only repeat them; of several the first.
func (b *breach) before(o *breach) bool {
	return o == nil || len(b.path) > len(o.path) || len(b.path) == len(o.path) && b.offset < o.offset
}

// judgeAll refuses a report that does not keep the schema, and names the first deepest place. The library wants trees of Go
// values, which take several times as much memory as the text and most of the time: so it gets the lists element by
// element, by all processors.
func judgeAll(data []byte, pieces []excerpt) error {
	keeps, err := promise()
	if err != nil {
		return err
	}
	breaches, errs := make([]*breach, len(pieces)), make([]error, len(pieces))
	each(pieces, func(i int, text []byte) { breaches[i], errs[i] = judge(keeps, pieces[i], text) })
	var worst *breach
	for i, b := range breaches {
		if errs[i] != nil {
			return errs[i]
		}
		if b != nil && b.before(worst) {
			worst = b
		}
	}
	if worst == nil {
		return nil
	}
	return unread(lineAt(data, worst.offset), "the file was changed by hand or by another program; "+hintAgain,
		"does not keep the schema %s: %s", model.SchemaVersion, words.Shorten(words.OneLine(words.Visible(worst.message)), 300))
}

// judge holds an excerpt against the schema, that of a list element by element: few of them are in memory as a tree.
func judge(keeps *jsonschema.Schema, p excerpt, text []byte) (*breach, error) {
	var worst violations
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if p.list == "" {
		if err := worst.judge(keeps, in, nil); err != nil {
			return nil, err
		}
		return worst.first(p, text), nil
	}
	for range 3 { // the opening brace, the name and the opening bracket
		if _, err := in.Token(); err != nil {
			return nil, err
		}
	}
	for i := 0; in.More(); i++ {
		if err := worst.judge(keeps.Properties[p.list].Items2020, in, []string{p.list, strconv.Itoa(i)}); err != nil {
			return nil, err
		}
	}
	return worst.first(p, text), nil
}
