package table

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// maxFields and maxFieldBytes bound one description. The longest real ones are those of nodes, with some hundred lines.
const (
	maxFields     = 4096
	maxFieldBytes = 1 << 20
)

// keyLine is a line of a description: a key of words, a colon, and a value or nothing.
var keyLine = regexp.MustCompile(`^( *)([A-Z][A-Za-z0-9]*(?:[ -][A-Za-z0-9()-]+)*):(?: +(.*))?$`)

// field is one line of a description.
type field struct {
	key     string // empty for a line without one, such as a row of conditions or a further taint
	heading string // the key without a value that stands above
	after   string // for a line without a key: the key before it
	value   string // the text behind the key, or the whole line
	line    line
}

// description is what kubectl describe writes about one object. Indentation is often lost: fields are told apart by key and heading.
type description struct {
	indent  int
	fields  []field
	bytes   int
	heading string
	key     string
	asked   command // the prompt above
	lost    bool    // some lines were over the bounds
}

// beginsDescription reports whether a line is the first of a description.
func beginsDescription(s string) (name string, indent int, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(s, " "), "Name:") {
		return "", 0, false
	}
	m := keyLine.FindStringSubmatch(s)
	if m == nil || m[2] != "Name" || m[3] == "" || strings.ContainsAny(m[3], " \t") {
		return "", 0, false
	}
	return m[3], len(m[1]), true
}

// add takes one line.
func (d *description) add(l line) {
	if len(d.fields) >= maxFields || d.bytes > maxFieldBytes {
		d.lost = true
		return
	}
	d.bytes += len(l.raw)
	m := keyLine.FindStringSubmatch(l.text)
	if m == nil {
		d.fields = append(d.fields, field{heading: d.heading, after: d.key, value: strings.TrimSpace(l.text), line: l})
		return
	}
	value := strings.TrimSpace(m[3])
	if value == "" {
		d.heading = m[2]
	}
	d.key = m[2]
	d.fields = append(d.fields, field{key: m[2], heading: d.heading, value: value, line: l})
}

// find is the first field with a key, below a heading unless that is empty.
func (d *description) find(heading, key string) *field {
	for i := range d.fields {
		f := &d.fields[i]
		if f.key == key && (heading == "" || f.heading == heading) {
			return f
		}
	}
	return nil
}

// value is the value of the first field with a key; placeholders count as empty.
func (d *description) value(key string) string {
	if f := d.find("", key); f != nil && f.value != "<none>" && f.value != "<unset>" {
		return f.value
	}
	return ""
}

func (d *description) has(keys ...string) bool {
	for _, k := range keys {
		if d.find("", k) == nil {
			return false
		}
	}
	return true
}

// kind is what is described. The generic describer says so; the others are known by the fields that only they have.
func (d *description) kind() string {
	switch {
	case d.has("API Version", "Kind"):
		return d.value("Kind")
	case d.has("Reclaim Policy", "Claim"):
		return "PersistentVolume"
	case d.has("StorageClass", "Volume", "Status"):
		return "PersistentVolumeClaim"
	case d.has("Node") && (d.has("Start Time") || d.has("Containers") || d.has("QoS Class") || d.has("IP") || d.has("Priority") || d.has("Service Account")):
		return "Pod"
	case d.has("Roles") || d.has("Taints", "Unschedulable") || d.has("System Info"):
		return "Node"
	}
	if d.asked.verb == "describe" && (d.asked.name == "" || d.asked.name == d.value("Name")) {
		return d.asked.kind
	}
	return ""
}

// ref is the described object.
func (d *description) ref() model.Ref {
	namespace := d.value("Namespace")
	if namespace == "" {
		namespace = d.asked.namespace
	}
	r := model.Ref{Kind: d.kind(), Namespace: namespace, Name: d.value("Name"), UID: d.value("UID")}
	if r.Kind == "" {
		return model.Ref{}
	}
	if manifest.ClusterScoped(r.Kind) {
		r.Namespace = ""
	}
	return r
}

// teller makes observations of a description's fields.
type teller struct {
	*description
	path string
	base model.Observation
	out  []model.Observation
}

// say adds one statement with a field as its evidence.
func (t *teller) say(kind model.Kind, at model.Moment, f *field, also func(*model.Observation)) {
	o := t.base
	o.Kind, o.At, o.Last, o.Count = kind, at, at, 1
	o.Input = t.path
	o.Source = model.Source{Kind: model.SourceText, Path: t.path, Line: f.line.number, Field: f.key}
	o.Quote = f.line.quote()
	if also != nil {
		also(&o)
	}
	o.Volume = o.Volume.Complete()
	t.out = append(t.out, o)
}

// observe is what the description says of its object, and whether its kind is one that is read.
func (d *description) observe(path string) []model.Observation {
	ref := d.ref()
	t := &teller{description: d, path: path, base: model.Observation{Object: ref}}
	if ref.Name == "" {
		t.errors()
		return t.out
	}
	switch ref.Kind {
	case "Pod":
		t.pod()
	case "PersistentVolumeClaim":
		t.claim()
	case "PersistentVolume":
		t.persistentVolume()
	case "VolumeAttachment":
		t.attachment()
	case "Node":
		t.node()
	case "Lease":
		t.lease()
	}
	return t.out
}
