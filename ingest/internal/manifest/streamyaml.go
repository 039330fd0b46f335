package manifest

import "bytes"

// ListHead is the beginning of a list that can be read item by item.
type ListHead struct {
	text   []byte // up to the first item
	json   bool
	indent int // of the dashes, in YAML
}

// Streamable finds the head of a list at the beginning of a file. The first item has to say its kind: nothing else does before the end.
func Streamable(file []byte) (ListHead, bool) {
	if looksJSON(file) {
		return jsonHead(file)
	}
	if bytes.HasPrefix(file, []byte("\xef\xbb\xbf")) {
		return ListHead{}, false
	}
	for d := range documents(file) {
		items, listed := d.keys["items"]
		from := lineEnd(d.raw, items.offset) + 1
		if !listed || items.value != "" || len(d.keys) > 4 || d.line != 1 || from >= len(d.raw) {
			return ListHead{}, false
		}
		chunks, _, ok := splitItems(d.raw, from, items.line+1, MaxObjects)
		if !ok || chunks[0].line != items.line+1 {
			return ListHead{}, false
		}
		_, kindName := chunks[0].identity()
		return ListHead{text: bytes.Clone(d.raw[:from]), indent: chunks[0].indent - 2}, kindName != ""
	}
	return ListHead{}, false
}

// cutBlock cuts the lines that have come into items. last says that no more come, and that the list ends with them.
func (s *stream) cutBlock(last bool) {
	for !s.ended {
		n := bytes.IndexByte(s.buf[s.from:], '\n')
		if n < 0 && !last {
			return
		}
		if s.from == len(s.buf) {
			s.item(s.from)
			s.ended = true
			return
		}
		if n < 0 {
			n = len(s.buf) - s.from
		}
		if s.inside {
			s.inside = false
		} else {
			s.look(s.buf[s.from : s.from+n])
		}
		if !s.ended {
			s.from = min(s.from+n+1, len(s.buf))
			s.number++
		}
	}
}

// look ends an item at a line that begins another, or ends the list.
func (s *stream) look(line []byte) {
	indent := s.head.indent
	if len(line) > indent && line[indent] == ' ' && (indent == 0 || line[0] == ' ' && len(bytes.TrimLeft(line[:indent], " ")) == 0) {
		return // indented by more
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	body := bytes.TrimLeft(line, " ")
	depth := len(line) - len(body)
	switch {
	case len(body) == 0 || body[0] == '#' || depth > indent:
	case depth == indent && body[0] == '-' && (len(body) == 1 || body[1] == ' '):
		s.item(s.from)
	default:
		s.item(s.from)
		s.ended = true
	}
}

// tailBlock reads what follows the items: the list's own keys, and other documents. Without its kind behind the items the list is torn.
func (s *stream) tailBlock(rest []byte) listEnd {
	// The keys before and behind the items are of one document.
	whole := append(bytes.Clone(s.head.text), rest...)
	hidden := s.number - 1 - bytes.Count(s.head.text, []byte("\n"))
	var end listEnd
	var others []document
	for d := range documents(whole) {
		if d.line == 1 {
			end.apiVersion, end.kindName = d.keys["apiVersion"].value, d.keys["kind"].value
			end.torn = end.kindName == "" && end.apiVersion != "" && len(d.raw) == len(s.head.text)
			continue
		}
		d.line += hidden
		for name, key := range d.keys {
			key.line += hidden
			d.keys[name] = key
		}
		others = append(others, d)
	}
	end.following = func() {
		for _, d := range others {
			s.document(d)
		}
	}
	return end
}
