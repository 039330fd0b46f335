// Package cloud reads what the command lines and audit logs of clouds say of machines and disks: aws ec2 describe-instances,
// describe-instance-status and describe-volumes; CloudTrail files and lookup-events; gcloud compute instances and disks describe and list;
// Compute Engine's entries in Cloud Audit Logs; az vm show, get-instance-view and az disk show; openstack server show and volume show.
// And the kubelet's Summary API. JSON, and YAML where the command prints it. Only documented forms: an object that lacks a field of its form says nothing.
package cloud

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

// Bounds: an answer about a thousand machines has 5 MB, and a file of CloudTrail about as much.
const (
	MaxBytes = 8 << 20
	maxMarks = 500_000 // values of a document: a node of the tree takes some hundred bytes
	maxFacts = 5_000
	maxDepth = 6 // of lists around the objects: Reservations, Instances
	maxLine  = 300
)

// Result is what one file says. Records are objects of the forms, Used those that say something.
type Result struct {
	Input        model.Input
	Observations []model.Observation
	Problems     []model.Problem
}

// Read reads all documents of a text. line is that of the file on which it begins.
func Read(data []byte, path string, line int) Result {
	r := &reader{path: path, in: model.Input{Path: path, Kind: model.InputText, Bytes: int64(len(data))}}
	if len(data) > MaxBytes || marks(data) > maxMarks {
		r.problem(line, "holds what a cloud says of its machines, and is longer than what is read of it")
		return r.finish()
	}
	for at := 0; at < len(data); {
		end := documentEnd(data, at)
		r.document(data[at:end], line)
		line += bytes.Count(data[at:end], []byte("\n"))
		at = end
	}
	return r.finish()
}

func marks(data []byte) int {
	return bytes.Count(data, []byte{','}) + bytes.Count(data, []byte{'['}) + bytes.Count(data, []byte{'{'}) + bytes.Count(data, []byte{'\n'})
}

// documentEnd is where the document ends that begins at an offset: behind one value of JSON, or before the separator of YAML.
func documentEnd(data []byte, at int) int {
	rest := data[at:]
	if body := bytes.TrimLeft(rest, " \t\r\n"); opensJSON(body) {
		if n := valueEnd(body); n > 0 {
			return at + len(rest) - len(body) + n
		}
		return len(data)
	}
	if n := bytes.Index(rest, []byte("\n---")); n >= 0 {
		return at + n + 1 + min(len("---"), len(rest)-n-1)
	}
	return len(data)
}

// opensJSON reports that a text begins with an object, or a list of objects or lists: a bracket with anything else is a chat's clock.
func opensJSON(body []byte) bool {
	below, list := bytes.CutPrefix(body, []byte("["))
	below = bytes.TrimLeft(below, " \t\r\n")
	return len(below) > 0 && (below[0] == '{' || list && below[0] == '[')
}

type reader struct {
	path  string
	in    model.Input
	out   []model.Observation
	bad   []model.Problem
	raw   []byte // the current document
	lines []int  // offsets of its lines
	first int    // the line of the file that it begins on
}

func (r *reader) problem(line int, message string) {
	r.bad = append(r.bad, model.Problem{Severity: model.Warning, Path: r.path, Line: line, Message: message})
}

func (r *reader) document(raw []byte, line int) {
	body := bytes.TrimSuffix(bytes.TrimRight(raw, " \t\r\n"), []byte("---"))
	if len(bytes.TrimSpace(body)) == 0 {
		return
	}
	root := manifest.Tree(body)
	if root == nil {
		r.problem(line, "holds what a cloud says of its machines, and breaks off or is no JSON or YAML; nothing of it is used")
		return
	}
	r.raw, r.first, r.lines = body, line, []int{0}
	for i, c := range body {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	r.walk(object{root, root, ""}, maxDepth)
}

// lists are the members under which commands and files have their objects.
var lists = []string{"Reservations", "Instances", "InstanceStatuses", "Volumes", "Attachments", "Records", "Events", "server", "volume", "pods"}

// walk reads an object of a known form, or looks into the lists around such objects.
func (r *reader) walk(o object, depth int) {
	if o.node.Kind == yaml.SequenceNode && depth > 0 {
		for i := range o.node.Content {
			r.walk(o.item(i), depth-1)
		}
		return
	}
	if o.node.Kind != yaml.MappingNode {
		return
	}
	for _, f := range forms {
		if f.fits(o) {
			r.in.Records++
			before := len(r.out)
			if f.read(r, o); len(r.out) > before {
				r.in.Used++
			}
			return
		}
	}
	for _, name := range lists {
		if below := o.at(name); below.node != nil && depth > 0 {
			r.walk(below, depth-1)
		}
	}
}

// form is one kind of object.
type form struct {
	fits func(object) bool
	read func(*reader, object)
}

var forms = []form{
	{isEC2Instance, (*reader).ec2Instance}, {isEC2Volume, (*reader).ec2Volume}, {isEC2Attachment, (*reader).ec2Attachment},
	{isLookedUp, (*reader).lookedUp}, {isCloudTrail, (*reader).cloudTrail},
	{isGCEInstance, (*reader).gceInstance}, {isGCEDisk, (*reader).gceDisk}, {isGCEAudit, (*reader).gceAudit},
	{isAzureVM, (*reader).azureVM}, {isAzureDisk, (*reader).azureDisk},
	{isNovaServer, (*reader).novaServer}, {isCinderVolume, (*reader).cinderVolume},
	{isVolumeStats, (*reader).volumeStats},
}

// say adds a statement, quoted at a field.
func (r *reader) say(kind model.Kind, at object, o model.Observation) {
	if len(r.out) >= maxFacts || o.Object.Name == "" {
		return
	}
	quote, line := r.quote(at)
	o.Kind, o.Count, o.Last, o.Input, o.Quote = kind, 1, o.At, r.path, mask.Quote(quote)
	o.Source.Path, o.Source.Line, o.Source.Field = r.path, line, at.path
	if o.Source.Kind == "" {
		o.Source.Kind = model.SourceText
	}
	r.out = append(r.out, o)
	r.in.Cover(o.At.At)
}

// quote is the line of a field, or of a long line the field alone.
func (r *reader) quote(at object) (text string, line int) {
	n := min(max(at.key.Line, 1), len(r.lines))
	start, end := r.lines[n-1], len(r.raw)
	if n < len(r.lines) {
		end = r.lines[n] - 1
	}
	text = strings.TrimRight(string(r.raw[start:end]), "\r")
	if len(text) <= maxLine {
		return text, r.first + n - 1
	}
	text = text[min(max(at.key.Column-1, 0), len(text)):]
	if from := at.node.Column - at.key.Column; at.node.Line == at.key.Line && from >= 0 && from < len(text) {
		if n := valueEnd([]byte(text[from:])); n > 0 {
			text = text[:from+n]
		}
	}
	return text, r.first + n - 1
}

func (r *reader) finish() Result {
	r.in.Skipped = r.in.Records - r.in.Used
	return Result{Input: r.in, Observations: r.out, Problems: r.bad}
}

// object is a value of a document with its key, itself in a list, and its path.
type object struct {
	node, key *yaml.Node
	path      string
}

// at is the member of a name, below others where several are given; its node is nil when there is none.
func (o object) at(names ...string) object {
	for _, name := range names {
		if o.node == nil || o.node.Kind != yaml.MappingNode {
			return object{}
		}
		found := object{}
		for i := 0; i+1 < len(o.node.Content); i += 2 {
			if o.node.Content[i].Value == name {
				found = object{o.node.Content[i+1], o.node.Content[i], strings.TrimPrefix(o.path+"."+name, ".")}
			}
		}
		o = found
	}
	return o
}

// text is the member's value; "" when it is no scalar or null.
func (o object) text(names ...string) string {
	if m := o.at(names...); m.node != nil && m.node.Kind == yaml.ScalarNode && m.node.Tag != "!!null" {
		return m.node.Value
	}
	return ""
}

// says reports that each of some members has a value.
func (o object) says(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return o.text(name) == "" })
}

func (o object) item(i int) object {
	return object{o.node.Content[i], o.node.Content[i], o.path + "[" + strconv.Itoa(i) + "]"}
}

// items are the elements of a member that is a list; nil when it is none.
func (o object) items(names ...string) []object {
	m := o.at(names...)
	if m.node == nil || m.node.Kind != yaml.SequenceNode {
		return nil
	}
	out := make([]object, len(m.node.Content))
	for i := range out {
		out[i] = m.item(i)
	}
	return out
}

func (o object) isList(names ...string) bool { return o.items(names...) != nil }

// moment is a time in one of the clouds' layouts; zero when it is none. OpenStack writes times of UTC without a zone.
func moment(text string) model.Moment {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05 MST"} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 2000 {
			if t.Nanosecond() == 0 {
				return model.WholeSecond(t.UTC())
			}
			return model.Exactly(t.UTC())
		}
	}
	return model.Moment{}
}

// The kinds of Object and Owner.
func machine(id string) model.Ref { return model.Ref{Kind: "Machine", Name: id} }
func disk(id string) model.Ref    { return model.Ref{Kind: "Disk", Name: id} }
