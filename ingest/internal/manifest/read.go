package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/model"
)

// document reads one YAML document: a list, a bare sequence or one object.
func (r *reader) document(d document) {
	apiVersion, kindName := d.keys["apiVersion"].value, d.keys["kind"].value
	if body := bytes.TrimLeft(trimSeparator(d.raw), " \t\r\n"); len(body) > 0 && (body[0] == '{' || body[0] == '[') && json.Valid(body) {
		at := len(d.raw) - len(body)
		r.json(body, d.line+bytes.Count(d.raw[:at], []byte("\n")))
		return
	}
	if key, ok := d.keys["items"]; ok {
		switch {
		case key.value == "[]" || key.value == "null":
			r.list(nil, apiVersion, kindName, false)
			return
		case key.value == "":
			r.sequence(d, key, apiVersion, kindName)
			return
		}
	} else if len(d.keys) == 0 {
		body := trimSeparator(d.raw)
		at := len(d.raw) - len(body)
		if items, _, ok := splitItems(d.raw, at, d.line+bytes.Count(d.raw[:at], []byte("\n"))); ok && !anchored(d.raw) {
			r.list(items, "", "", false)
			return
		}
	}
	r.one(chunk{raw: d.raw, line: d.line}, apiVersion, kindName)
}

// sequence reads the block sequence below items.
func (r *reader) sequence(d document, items topKey, apiVersion, kindName string) {
	from := lineEnd(d.raw, items.offset) + 1
	if from > len(d.raw) {
		r.list(nil, apiVersion, kindName, true)
		return
	}
	if anchored(d.raw) {
		r.shared(d, apiVersion, kindName)
		return
	}
	chunks, end, ok := splitItems(d.raw, from, items.line+1)
	if !ok {
		r.one(chunk{raw: d.raw, line: d.line}, apiVersion, kindName)
		return
	}
	// Lists are written with sorted keys, so that kind follows the items: when it does not, the file was cut and its
	// last item is not whole.
	torn := kindName == "" && end == len(d.raw) && apiVersion != ""
	if torn {
		last := chunks[len(chunks)-1]
		chunks = chunks[:len(chunks)-1]
		r.result.Total++
		r.problem(model.Warning, last.line, "the list breaks off in this object, which is lost, and so is what followed")
	}
	r.list(chunks, apiVersion, kindName, torn)
}

// shared reads a list whose items share anchors and so cannot be parsed apart.
func (r *reader) shared(d document, apiVersion, kindName string) {
	if len(d.raw) > maxShared {
		r.result.Total++
		r.problem(model.Warning, d.line, "a list of %d bytes uses YAML anchors; lists with anchors are read up to %d bytes", len(d.raw), maxShared)
		return
	}
	whole := chunk{raw: d.raw, line: d.line, prefix: "items"}
	items, err := whole.root()
	if err != nil || items == nil || items.Kind != yaml.SequenceNode {
		r.result.Total++
		r.unreadable(whole, err)
		return
	}
	chunks := make([]chunk, len(items.Content))
	for i := range chunks {
		chunks[i] = chunk{raw: d.raw, line: d.line, prefix: "items[" + strconv.Itoa(i) + "]"}
	}
	r.list(chunks, apiVersion, kindName, false)
}

// trimSeparator drops a leading line of dashes.
func trimSeparator(raw []byte) []byte {
	if isSeparator(raw[:lineEnd(raw, 0)]) && len(raw) >= 3 {
		if rest := bytes.TrimSpace(raw[3:lineEnd(raw, 0)]); len(rest) > 0 && rest[0] != '#' {
			return raw[3:]
		}
		return raw[min(lineEnd(raw, 0)+1, len(raw)):]
	}
	return raw
}

// list reads the items of a list. The list's kind, without its suffix, is the kind of items that have none.
func (r *reader) list(items []chunk, apiVersion, kindName string, torn bool) {
	itemKind, typedList := strings.CutSuffix(kindName, "List")
	if !typedList || itemKind == "" {
		itemKind, apiVersion = "", "" // kind: List says nothing of its items
	}
	if itemKind != "" {
		if _, ok := kindNamed(itemKind, apiVersion); !ok {
			r.result.Total += len(items)
			return
		}
	}
	before := len(r.result.Records)
	for _, c := range items {
		r.object(c, apiVersion, itemKind)
	}
	if torn {
		return
	}
	if itemKind == "" && len(items) == 0 {
		itemKind = r.hint
	}
	r.listed(itemKind, r.result.Records[before:])
}

// listed notes of which kinds a whole list was held.
func (r *reader) listed(itemKind string, records []Record) {
	var found []List
	if itemKind != "" {
		found = append(found, List{Kind: itemKind})
	}
	for _, rec := range records {
		i := slices.IndexFunc(found, func(l List) bool { return l.Kind == rec.Kind })
		if i < 0 {
			i = len(found)
			found = append(found, List{Kind: rec.Kind})
		}
		if ns := rec.Ref.Namespace; ns != "" && !slices.Contains(found[i].Namespaces, ns) {
			found[i].Namespaces = append(found[i].Namespaces, ns)
		}
	}
	r.result.Lists = append(r.result.Lists, found...)
}

// one reads a document that is a single object, or a list that only a full parse shows to be one.
func (r *reader) one(c chunk, apiVersion, kindName string) {
	if kindName == "" || strings.HasSuffix(kindName, "List") {
		if root, err := c.root(); err == nil && root != nil && !c.json {
			if items, _ := descend(root, nil, "items"); items != nil && items.Kind == yaml.SequenceNode && len(c.raw) <= maxShared {
				chunks := make([]chunk, len(items.Content))
				for i := range chunks {
					chunks[i] = chunk{raw: c.raw, line: c.line, prefix: "items[" + strconv.Itoa(i) + "]"}
				}
				r.list(chunks, apiVersion, kindName, false)
				return
			}
		}
	}
	r.object(c, apiVersion, kindName)
}

// object reads one object. apiVersion and kindName are what its surroundings say; its own take precedence.
func (r *reader) object(c chunk, apiVersion, kindName string) {
	r.result.Total++
	if len(c.raw) > MaxObject {
		r.problem(model.Warning, c.line, "an object of %d bytes is refused; the limit is %d", len(c.raw), MaxObject)
		return
	}
	ownVersion, ownKind := "", ""
	if c.prefix == "" || c.prefix == "[0]" {
		ownVersion, ownKind = c.identity()
	}
	if ownKind != "" {
		apiVersion, kindName = ownVersion, ownKind
	}
	if kindName != "" && !r.wanted(apiVersion, kindName) {
		return
	}
	root, err := c.root()
	if err != nil || root == nil {
		r.unreadable(c, err)
		return
	}
	if kindName == "" {
		if apiVersion, kindName = r.guess(root); !r.wanted(apiVersion, kindName) {
			return
		}
	}
	k, _ := kindNamed(kindName, apiVersion)
	r.decode(c, root, k)
}

// wanted reports whether objects of a kind are read, and notes audit events, which are of kind Event too.
func (r *reader) wanted(apiVersion, kindName string) bool {
	if kindName == "" {
		return false
	}
	if strings.HasPrefix(apiVersion, "audit.k8s.io/") {
		r.result.Audit = true
		return false
	}
	_, ok := kindNamed(kindName, apiVersion)
	return ok
}

// guess finds the kind of an object whose text did not show it: flow style, shared lists, or none at all. The name of
// the file counts last, and only for what has metadata.
func (r *reader) guess(root *yaml.Node) (apiVersion, kindName string) {
	if n, _ := descend(root, nil, "kind"); n != nil && n.Kind == yaml.ScalarNode && n.Value != "" {
		kindName = n.Value
		if v, _ := descend(root, nil, "apiVersion"); v != nil {
			apiVersion = v.Value
		}
		return apiVersion, kindName
	}
	if kindName = kindByShape(root); kindName == "" && has(root, "metadata.name") {
		kindName = r.hint
	}
	return "", kindName
}

// decode makes a record of an object whose kind is known.
func (r *reader) decode(c chunk, root *yaml.Node, k kind) {
	data := c.raw
	if !c.json {
		var err error
		if data, err = toJSON(root, k.name == "Event"); err != nil {
			r.unreadable(c, err)
			return
		}
	}
	meta, value, err := k.decode(data)
	line := c.line + root.Line - 1
	var mismatch *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &mismatch) || meta == nil {
		r.problem(model.Warning, line, "%s could not be decoded: %v", k.name, err)
		return
	}
	if meta.GetName() == "" {
		r.problem(model.Info, line, "%s without a name is skipped", k.name)
		return
	}
	if err != nil {
		r.problem(model.Warning, line, "%s %s: the field %s does not hold what it should (%s) and is left out", k.name, meta.GetName(), mismatch.Field, mismatch.Value)
	}
	own := c
	if c.prefix == "" || c.prefix == "[0]" {
		own.raw = bytes.Clone(c.raw) // does not keep the whole file in memory
	}
	r.result.Records = append(r.result.Records, Record{
		Kind: k.name, Ref: refOf(k.name, meta), ResourceVersion: resourceVersion(meta),
		Line: line, Value: value, cite: &citer{chunk: own, parsed: root},
	})
}

func (r *reader) unreadable(c chunk, err error) {
	if err == nil {
		err = errors.New("it holds no object")
	}
	r.problem(model.Warning, errorLine(err, c), "an object could not be read: %s", errorText(err))
}
