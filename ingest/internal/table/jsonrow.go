package table

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model/words"
)

// jsonColumns are the columns of a VolumeAttachment that people call so in the objects that they have jq make, by the last part of the key.
var jsonColumns = map[string]string{ // for lookup only
	"name": "name", "node": "node", "nodename": "node", "pv": "pv", "volume": "pv", "persistentvolumename": "pv", "attacher": "attacher",
	"attached": "attached", "del": "deletiontimestamp", "deleted": "deletiontimestamp", "deletion": "deletiontimestamp", "deletiontimestamp": "deletiontimestamp",
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

// answers are the columns of fields that a command with -o jsonpath asks for alone, and that say what a row with such a column says.
var answers = []string{"node", "claims", "volume", "condition", "attached"}

// What is said back of another field is its value, where the field is no list and holds neither a secret nor a program.
var (
	firstField = regexp.MustCompile(`^\{(\.[^{}]+)\}`)
	plainPath  = regexp.MustCompile(`^\{\.(?:(?:spec|status)(?:\.[a-z][A-Za-z]*)*\.)?([a-z][A-Za-z]*)\}$`)
	plainValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$`)
)

// answered takes the line below a command that asks for one field of one object. A phase is the state itself.
func (r *reader) answered(l line) bool {
	c := r.command
	if c.template == "" || c.columns != nil || c.name == "" {
		return false
	}
	r.command.template = "" // it prints one line
	value := strings.Join(strings.Fields(l.text), ",")
	if m := firstField.FindStringSubmatch(c.template); m != nil && printsFields[c.kind] != nil {
		if field := fieldName(m[1]); slices.Contains(answers, field) && (field != "node" || c.kind == "Pod") {
			return r.takeRow(&tableKind{read: printsFields[c.kind]}, newCells([]string{"name", field}, []string{c.name, value}), l)
		}
	}
	m := plainPath.FindStringSubmatch(c.template)
	if m == nil || c.kind == "" || !plainValue.MatchString(value) {
		return false
	}
	o := shown(c.kind, c.name, words.If(m[1] != "phase", m[1]+"=")+value)
	if !manifest.ClusterScoped(c.kind) {
		o.Object.Namespace = r.namespace()
	}
	return r.tell(l, o)
}

// maxContinued bounds a command that goes over several lines, in bytes.
const maxContinued = 4096

// continued joins a command that goes on in the next line, which a backslash says. It returns false while it does.
func (r *reader) continued(s string) (whole string, ok bool) {
	if r.half == "" {
		if _, command := afterTool(s); !command || !strings.HasSuffix(s, `\`) {
			return s, true
		}
	}
	rest, more := strings.CutSuffix(s, `\`)
	r.half += strings.TrimSpace(rest) + " "
	if more && len(r.half) < maxContinued {
		return "", false
	}
	whole, r.half = strings.TrimSpace(r.half), ""
	return whole, true
}
