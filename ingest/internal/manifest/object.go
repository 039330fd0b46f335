package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/volpost/volpost/model"
)

// decoder reads single objects. It changes nothing and is safe for concurrent use.
type decoder struct {
	limits Limits
	hint   string // kind that the file's name suggests
}

type outcome struct {
	record    *Record // nil for an object that is not read, or cannot be
	problems  []problem
	audit     bool // it is an audit event
	truncated bool // its text breaks off
}

type problem struct {
	severity model.Severity
	line     int // of the file
	message  string
}

func (o *outcome) problem(s model.Severity, line int, format string, args ...any) {
	o.problems = append(o.problems, problem{s, line, fmt.Sprintf(format, args...)})
}

// object reads one object. apiVersion and kindName are what its surroundings say; its own take precedence.
func (d *decoder) object(c chunk, apiVersion, kindName string, memory *scratch) (o outcome) {
	memory.begin(d.limits.Prepare != nil)
	c.depth = d.limits.Depth
	if len(c.raw) > MaxObject {
		o.problem(model.Warning, c.line, "an object of %d bytes is refused; the limit is %d", len(c.raw), MaxObject)
		return o
	}
	if c.shared == nil {
		if ownVersion, ownKind := c.identity(); ownKind != "" {
			apiVersion, kindName = ownVersion, ownKind
		}
	}
	if kindName != "" && (!o.wanted(apiVersion, kindName) || d.full(kindName)) {
		return o
	}
	if tooMany(c.raw) {
		o.problem(model.Warning, c.line, "an object of more than %d values is refused", maxMarks)
		return o
	}
	root, err := c.read(kindName, memory)
	if part, node, ok := c.truncated(kindNamed(kindName, apiVersion), err); ok {
		o.problem(model.Warning, errorLine(err, c), "the text of %s %s breaks off; what stands before is kept", kindName,
			textAt(node, "metadata.name"))
		c, root, err, o.truncated = part, node, nil, true
	}
	if err != nil || root == nil {
		o.problems = append(o.problems, unreadable(c, err))
		return o
	}
	if kindName == "" {
		if apiVersion, kindName = d.guess(root); !o.wanted(apiVersion, kindName) || d.full(kindName) {
			return o
		}
	}
	d.decode(&o, c, root, kindNamed(kindName, apiVersion), memory)
	return o
}

// costly are numbers that take k8s.io/apimachinery seconds to read as a resource.Quantity: 36 s for four million digits, and no end
// for 1e-999999999. The short hash of a commit, such as 12e4567, is none: labels have it.
var costly = regexp.MustCompile(`[":\s,\[][+-]?[0-9.]+[eE](?:\+?[0-9]{7,}|-[0-9]{4,})["\s,}\]]|[0-9.]{1000}`)

// wanted reports whether objects of a kind are read, and notes audit events, which are of kind Event too.
func (o *outcome) wanted(apiVersion, kindName string) bool {
	if kindName == "" {
		return false
	}
	if strings.HasPrefix(apiVersion, "audit.k8s.io/") {
		o.audit = true
		return false
	}
	return kindNamed(kindName, apiVersion) != nil
}

func (d *decoder) full(kindName string) bool { return d.limits.Full != nil && d.limits.Full(kindName) }

// guess finds the kind of an object in flow style, of a shared list, or without one. The file's name counts last, for what has metadata.
func (d *decoder) guess(root *yaml.Node) (apiVersion, kindName string) {
	if n, _ := descend(root, nil, "kind"); n != nil && n.Kind == yaml.ScalarNode && n.Value != "" {
		kindName = n.Value
		if v, _ := descend(root, nil, "apiVersion"); v != nil {
			apiVersion = v.Value
		}
		return apiVersion, kindName
	}
	if has(root, "metadata.name") {
		kindName = d.hint
	}
	return "", kindName
}

// decode makes a record of an object whose kind is known.
func (d *decoder) decode(o *outcome, c chunk, root *yaml.Node, k *kind, memory *scratch) {
	meta, value, err := metav1.Object(nil), any(nil), error(nil)
	sure := false
	if c.pruned && k.assign != nil {
		meta, value, sure = k.assign(root, c.json, memory)
	}
	if !sure {
		var data []byte
		if data, err = c.asJSON(root, d.limits); err != nil {
			o.problems = append(o.problems, unreadable(c, err))
			return
		}
		if costly.Match(data) {
			o.problem(model.Warning, c.line,
				"%s with a number of 1,000 digits, or with an exponent of more than six (three below zero), is refused", k.name)
			return
		}
		meta, value, err = k.decode(data)
	}
	line := c.line + root.Line - 1
	var mismatch *json.UnmarshalTypeError
	switch {
	case err != nil && !errors.As(err, &mismatch), meta == nil:
		o.problem(model.Warning, line, "%s could not be decoded: %.300v", k.name, err)
		return
	case value == nil: // of a kind that is read for some of its objects only
		return
	case meta.GetName() == "":
		o.problem(model.Info, line, "%s without a name is skipped", k.name)
		return
	case err != nil:
		o.problem(model.Warning, line, "%s %s: the field %s does not hold what it should (%s) and is left out", k.name, meta.GetName(),
			mismatch.Field, mismatch.Value)
	}
	o.record = &Record{
		Kind: k.name, kind: k, Ref: refOf(k.name, meta), ResourceVersion: resourceVersion(meta),
		Line: line, Length: len(c.raw) - c.shift, Value: value, cite: &citer{open: &source{chunk: c, parsed: root}}, store: memory.store,
	}
	d.keep(o.record, memory)
}

// keep has a record prepared, and stores what it is cited from, where that is after the file's bytes are gone.
func (d *decoder) keep(r *Record, memory *scratch) {
	if d.limits.Prepare != nil {
		d.limits.Prepare(r)
		defer r.cite.release()
	}
	if r.kind.list != nil {
		r.cite.save(memory.store)
	}
	if bytes := memory.stored(); bytes > 0 && d.limits.Stored != nil {
		d.limits.Stored(bytes)
	}
}

func has(root *yaml.Node, field string) bool {
	node, _ := descend(root, nil, field)
	return node != nil
}

// tooMany reports whether a text has more marks than any object: it would take much memory to find out what it holds.
func tooMany(raw []byte) bool {
	if len(raw) <= maxMarks {
		return false
	}
	n := 0
	for _, mark := range []string{"\n", ",", "{", "["} {
		n += bytes.Count(raw, []byte(mark))
	}
	return n > maxMarks
}

func unreadable(c chunk, err error) problem {
	if err == nil {
		err = errors.New("it holds no object")
	}
	return problem{model.Warning, errorLine(err, c), "an object could not be read: " + errorText(err)}
}
