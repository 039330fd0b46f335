package manifest

import (
	"bytes"
	"encoding/json"
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
		if key.value == "[]" || key.value == "null" {
			r.list(nil, apiVersion, kindName, false)
			return
		}
		if key.value == "" {
			r.sequence(d, key, apiVersion, kindName)
			return
		}
	} else if len(d.keys) == 0 {
		body := trimSeparator(d.raw)
		at := len(d.raw) - len(body)
		if items, _, ok := splitItems(d.raw, at, d.line+bytes.Count(d.raw[:at], []byte("\n")), r.limits.Objects); ok && !anchored(d.raw) {
			r.list(items, "", "", false)
			return
		}
	}
	r.one(d, apiVersion, kindName)
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
	chunks, end, ok := splitItems(d.raw, from, items.line+1, r.limits.Objects)
	if !ok {
		r.shared(d, apiVersion, kindName)
		return
	}
	// Lists are written with sorted keys: without the kind behind the items the file was cut, and its last item is not whole.
	truncated := kindName == "" && end == len(d.raw) && apiVersion != ""
	if truncated {
		chunks = r.withoutLast(chunks)
	}
	r.list(chunks, apiVersion, kindName, truncated)
}

// withoutLast drops the object in which a list breaks off.
func (r *reader) withoutLast(chunks []chunk) []chunk {
	n := len(chunks) - 1
	r.result.Total++
	r.problem(model.Warning, chunks[n].line, "the list breaks off in this object, which is lost, and so is what followed")
	return chunks[:n]
}

// shared reads a list whose items share anchors, or are in flow style, and so cannot be parsed apart.
func (r *reader) shared(d document, apiVersion, kindName string) {
	if len(d.raw) > maxShared {
		r.result.Total++
		r.problem(model.Warning, d.line,
			"a list of %d bytes uses YAML anchors or flow style; such lists are read up to %d bytes", len(d.raw), maxShared)
		return
	}
	tree := &sharedTree{raw: bytes.Clone(d.raw)}
	defer tree.release()
	whole := chunk{raw: tree.raw, line: d.line, shared: tree, depth: r.limits.Depth}
	root, err := whole.root()
	if err == nil {
		err = r.limits.weigh(root) // its items share what they expand to
	}
	if err != nil {
		r.result.Total++
		r.report(unreadable(whole, err))
		return
	}
	items, prefix := root, ""
	if root.Kind != yaml.SequenceNode {
		items, _ = descend(root, nil, "items")
		prefix = "items"
	}
	if items == nil || items.Kind != yaml.SequenceNode {
		r.objects([]chunk{whole}, apiVersion, kindName)
		return
	}
	chunks := make([]chunk, len(items.Content))
	for i := range chunks {
		chunks[i] = whole
		chunks[i].prefix = prefix + "[" + strconv.Itoa(i) + "]"
	}
	r.list(chunks, apiVersion, kindName, false)
}

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
func (r *reader) list(items []chunk, apiVersion, kindName string, truncated bool) {
	itemKind, typedList := strings.CutSuffix(kindName, "List")
	if !typedList || itemKind == "" {
		itemKind, apiVersion = "", "" // kind: List says nothing of its items
	}
	r.seen, r.noted = nil, map[model.Ref]bool{}
	if k := kindNamed(itemKind, apiVersion); k != nil && !k.settings {
		r.seen = []List{{Kind: itemKind}}
	}
	r.objects(items, apiVersion, itemKind)
	if truncated {
		return
	}
	if empty := len(r.seen) == 0 && len(items) == 0; empty && itemKind == "" && r.hint != "" {
		r.seen = []List{{Kind: r.hint}}
	}
	r.result.Lists = append(r.result.Lists, r.seen...)
}

// note remembers kind and namespace of a record for the list that it may be in.
func (r *reader) note(ref model.Ref) {
	of := model.Ref{Kind: ref.Kind, Namespace: ref.Namespace}
	if r.noted[of] {
		return
	}
	r.noted[of] = true
	i := slices.IndexFunc(r.seen, func(l List) bool { return l.Kind == ref.Kind })
	if i < 0 {
		i = len(r.seen)
		r.seen = append(r.seen, List{Kind: ref.Kind})
	}
	if ref.Namespace != "" {
		r.seen[i].Namespaces = append(r.seen[i].Namespaces, ref.Namespace)
	}
}

// one reads a document that is a single object, or a list that only a full parse shows to be one.
func (r *reader) one(d document, apiVersion, kindName string) {
	if c := (chunk{raw: d.raw, line: d.line}).realigned(); kindName == "" && c.shift > 0 {
		r.objects([]chunk{c}, "", "")
		return
	}
	if kindName == "" || strings.HasSuffix(kindName, "List") {
		r.shared(d, apiVersion, kindName)
		return
	}
	r.objects([]chunk{{raw: d.raw, line: d.line}}, apiVersion, kindName)
}
