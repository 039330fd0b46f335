package table

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// jsonColumns are the columns of a VolumeAttachment that people call so in the objects that they have jq make, by the last part of the key.
var jsonColumns = map[string]string{ // for lookup only
	"name": "name", "node": "node", "nodename": "node", "pv": "pv", "volume": "pv", "persistentvolumename": "pv", "attacher": "attacher",
	"attached": "attached", "del": "deletiontimestamp", "deleted": "deletiontimestamp", "deletiontimestamp": "deletiontimestamp",
	"created": "created", "creationtimestamp": "created", "detacherror": "detacherror", "attacherror": "attacherror",
}

// maxObject bounds the lines of an object that is printed over several.
const maxObject = 64

// objectLine keeps the lines of an object that jq prints over several, from a brace alone to the one that closes it in the same column. It
// returns false for other lines; those of an object that is none of a VolumeAttachment are read as if it were not one.
func (r *reader) objectLine(l line) bool {
	opens := len(r.object) == 0
	if opens && strings.TrimLeft(l.text, " ") != "{" {
		return false
	}
	r.object = append(r.object, l)
	closes := !opens && strings.TrimSuffix(l.text, ",") == strings.Replace(r.object[0].text, "{", "}", 1)
	if closes && r.jsonRow(joinedLine(r.object)) {
		r.object = nil
	} else if closes || len(r.object) >= maxObject {
		r.endObject()
	}
	return true
}

// endObject reads the lines that were kept one by one.
func (r *reader) endObject() {
	kept := r.object
	r.object = nil
	for _, l := range kept {
		r.readLine(l)
	}
}

// joinedLine is what stands on several lines, as one.
func joinedLine(all []line) line {
	out := all[0]
	for _, l := range all[1:] {
		out.raw += "\n" + l.raw
		out.text += " " + l.text
	}
	out.text = strings.Trim(out.text, " ,")
	return out
}

// jsonRow takes a line with an object that a person made of a VolumeAttachment: it names the node, and the attachment as the controller does.
func (r *reader) jsonRow(l line) bool {
	var object map[string]any
	whole := strings.HasPrefix(l.text, "{") && strings.HasSuffix(l.text, "}") && strings.Contains(l.text, `"csi-`)
	if !whole || json.Unmarshal([]byte(l.text), &object) != nil {
		return false
	}
	var names, values []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		column := jsonColumns[strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])]
		if column == "" || slices.Contains(names, column) {
			continue
		}
		switch value := object[key].(type) {
		case string:
			names, values = append(names, column), append(values, value)
		case bool:
			names, values = append(names, column), append(values, strconv.FormatBool(value))
		case map[string]any: // an error, with its time
			text, _ := value["message"].(string)
			at, _ := value["time"].(string)
			names, values = append(names, column, column+"time"), append(values, text, at)
		}
	}
	c := newCells(names, values)
	return c.columns.has("name", "node") && strings.HasPrefix(c.get("name"), "csi-") && r.takeRow(&tableKind{read: attachmentRow}, c, l)
}
