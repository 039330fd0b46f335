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
	"created": "created", "creationtimestamp": "created",
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
		}
	}
	c := newCells(names, values)
	return c.columns.has("name", "node") && strings.HasPrefix(c.get("name"), "csi-") && r.takeRow(&tableKind{read: attachmentRow}, c, l)
}
