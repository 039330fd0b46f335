package verify

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// state is how far a quote is borne out, in growing order.
type state int

const (
	wrong     state = iota
	beginning       // the quoted text stands there; the hash of the record is another
	forged          // the hash is right, and the text is not what was hashed
	right
)

// claim is a quote with what was found of it.
type claim struct {
	model.Evidence
	state state
	found string // the first line at its place
}

func (c *claim) sampled() bool { return c.Source.Kind == model.SourceMetric && c.Source.Line == 0 }

// compare holds a quote of the bundle against the report's, which a reader may have cut shorter than mask.Quote does.
func (c *claim) compare(q model.Quote) state {
	begins := c.Truncated && c.Text != "" && strings.HasPrefix(q.Text, c.Text)
	hashed := c.SHA256 == q.SHA256
	switch same := begins || q.Text == c.Text; {
	case same && hashed, same && c.SHA256 == "" && !c.Truncated:
		return right
	case same:
		return beginning
	case hashed:
		return forged
	}
	return wrong
}

// lines is how many lines the record has at least, and, unless it was cut, at most.
func (c *claim) lines() int { return 1 + strings.Count(c.Text, "\n") }

// try compares a record with the file's: a quote may lack its indentation, and a line of Windows its carriage return.
func (c *claim) try(record string) {
	unix := strings.TrimSuffix(record, "\r")
	for _, text := range []string{record, strings.TrimLeft(record, " "), unix, strings.TrimLeft(unix, " ")} {
		if c.state = max(c.state, c.compare(mask.Quote(text))); c.state == right {
			return
		}
	}
}

// within looks for the record inside of its line or lines, as an event stands in a list of JSON.
func (c *claim) within(region string) {
	text := c.Text
	for from := 0; c.state != right && text != ""; {
		at := strings.Index(region[from:], text)
		if at < 0 {
			break
		}
		at += from
		record := text
		if c.Truncated {
			record = valueAt(region[at:])
		}
		c.state = max(c.state, c.compare(mask.Quote(record)))
		from = at + 1
	}
}

// valueAt is the JSON value at the beginning of s, or s when there is none.
func valueAt(s string) string {
	var raw json.RawMessage
	d := json.NewDecoder(bytes.NewReader([]byte(s)))
	if d.Decode(&raw) != nil {
		return s
	}
	return string(raw)
}
