package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// maxFields and maxFieldBytes bound one description. The longest real ones are those of nodes, with some hundred lines.
const (
	maxFields     = 4096
	maxFieldBytes = 1 << 20
)

// keyLine is a line of a description: a key of words, a colon, and a value or nothing.
var keyLine = regexp.MustCompile(`^( *)([A-Z][A-Za-z0-9]*(?:[ -][A-Za-z0-9()-]+)*):(?: +(.*))?$`)

type field struct {
	key     string // empty for a line without one, such as a row of conditions or a further taint
	heading string // the key without a value that stands above
	after   string // the key, or for a line without one the key before it
	value   string // the text behind the key, or the whole line
	line    line
}

// description is what kubectl describe writes about one object. Indentation is often lost: fields are distinguished by key and heading.
type description struct {
	indent  int
	fields  []*field
	bytes   int
	heading string
	key     string
	asked   command // the prompt above
	lost    bool    // some lines were over the bounds
}

// nameLine is the first line of a description.
var nameLine = regexp.MustCompile(`^( *)Name: +\S+$`)

func (d *description) add(l line) {
	if len(d.fields) >= maxFields || d.bytes > maxFieldBytes {
		d.lost = true
		return
	}
	d.bytes += len(l.raw)
	f := &field{after: d.key, value: strings.TrimSpace(l.text), line: l}
	if m := keyLine.FindStringSubmatch(l.text); m != nil {
		f.key, f.after, f.value = m[2], m[2], strings.TrimSpace(m[3])
		if d.key = f.key; f.value == "" {
			d.heading = f.key
		}
	}
	f.heading = d.heading
	d.fields = append(d.fields, f)
}

// find is the first field with a key, below a heading unless that is empty.
func (d *description) find(heading, key string) *field {
	for _, f := range d.fields {
		if f.key == key && (heading == "" || f.heading == heading) {
			return f
		}
	}
	return nil
}

// value is the value of the first field with a key; placeholders count as empty.
func (d *description) value(key string) string {
	if f := d.find("", key); f != nil {
		return cellValue(f.value)
	}
	return ""
}

func (d *description) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return d.find("", k) == nil })
}

// any reports that it has one of some keys.
func (d *description) any(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return d.find("", k) != nil })
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
	case d.has("Node") && d.any("Start Time", "Controlled By", "Containers", "QoS Class", "IP", "Priority", "Service Account"):
		return "Pod"
	case d.has("Roles") || d.has("Taints", "Unschedulable") || d.has("System Info"):
		return "Node"
	}
	if d.asked.verb == "describe" && (d.asked.name == "" || d.asked.name == d.name()) {
		return d.asked.kind
	}
	return ""
}

// name is that of the object: of the part of a description, what the command asked for.
func (d *description) name() string {
	return cmp.Or(d.value("Name"), words.If(d.asked.describesOne() && d.asked.filtered, d.asked.name))
}

func (d *description) ref() model.Ref {
	r := model.Ref{Kind: d.kind(), Namespace: cmp.Or(d.value("Namespace"), d.asked.namespace), Name: d.name(), UID: d.value("UID")}
	if r.Kind == "" {
		return model.Ref{}
	}
	if manifest.ClusterScoped(r.Kind) {
		r.Namespace = ""
	}
	return r
}

// fieldReader makes observations of a description's fields.
type fieldReader struct {
	*description
	path string
	base model.Observation
	out  []model.Observation
}

// say adds one statement of state with a field as its evidence.
func (t *fieldReader) say(kind model.Kind, f *field, detail string) {
	t.saySo(kind, model.Moment{}, f, func(o *model.Observation) { o.Detail = detail })
}

// saySo adds one that has more to it.
func (t *fieldReader) saySo(kind model.Kind, at model.Moment, f *field, also func(*model.Observation)) {
	if kind == "" || f == nil {
		return
	}
	o := t.base
	o.Kind, o.At, o.Last = kind, at, at
	also(&o)
	o = f.line.says(o, t.path)
	o.Source.Field = f.key
	t.out = append(t.out, o)
}

// observe is what the description says of its object, and whether its kind is one that is read.
func (d *description) observe(path string) []model.Observation {
	ref := d.ref()
	t := &fieldReader{description: d, path: path, base: model.Observation{Object: ref}}
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
