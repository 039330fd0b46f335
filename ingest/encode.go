package ingest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"time"

	"github.com/volpost/volpost/model"
)

// encoder writes an event's fields one after the other. Its counterpart is decoder, which reads them in the same order.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)   { e.b = binary.AppendVarint(e.b, v) }

func (e *encoder) string(s string) {
	e.uint(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) strings(list []string) {
	e.uint(uint64(len(list)))
	for _, s := range list {
		e.string(s)
	}
}

func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
		return
	}
	e.b = append(e.b, 0)
}

func (e *encoder) float(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }

// time writes an instant; all of them are UTC.
func (e *encoder) time(t time.Time) {
	e.int(t.Unix())
	e.uint(uint64(t.Nanosecond()))
}

func (e *encoder) moment(m model.Moment) {
	e.time(m.At)
	e.time(m.Earliest)
	e.time(m.Latest)
	e.string(string(m.Basis))
	e.strings(m.Evidence)
}

func (e *encoder) rangeOf(r *model.Range) {
	e.bool(r != nil)
	if r != nil {
		e.float(r.Best)
		e.float(r.Min)
		e.float(r.Max)
	}
}

func (e *encoder) ref(r model.Ref) {
	e.string(r.Kind)
	e.string(r.Namespace)
	e.string(r.Name)
	e.string(r.UID)
}

func (e *encoder) refs(list []model.Ref) {
	e.uint(uint64(len(list)))
	for _, r := range list {
		e.ref(r)
	}
}

func (e *encoder) event(v *event) {
	e.string(v.uid)
	e.uint(v.resourceVersion)
	o := &v.observation
	e.string(string(o.Kind))
	e.moment(o.At)
	e.bool(o.Floating)
	e.int(int64(o.Count))
	e.moment(o.Last)
	e.rangeOf(o.Age)
	e.rangeOf(o.LastAge)
	e.string(o.Component)
	e.string(o.Input)
	e.string(o.Cluster)
	e.ref(o.Object)
	e.ref(o.Pod)
	e.refs(o.Pods)
	e.string(o.Node)
	e.strings(o.Holders)
	e.string(o.Volume.UniqueName)
	e.string(o.Volume.PersistentVolume)
	e.string(o.Volume.Handle)
	e.string(o.Volume.Driver)
	e.ref(o.Claim)
	e.string(o.Attachment)
	e.string(o.Attacher)
	e.ref(o.Owner)
	e.string(string(o.Variant))
	e.strings(o.Access)
	e.string(o.Detail)
	e.string(o.Actor)
	e.string(o.Agent)
	e.string(string(o.Source.Kind))
	e.string(o.Source.Path)
	e.int(int64(o.Source.Line))
	e.string(o.Source.Field)
	e.string(o.Source.Series)
	e.quote(o.Quote)
}

// quote leaves out a hash that follows from the text: it is a third of what a packed statement takes.
func (e *encoder) quote(q model.Quote) {
	e.string(q.Text)
	e.bool(q.Truncated)
	follows := q == whole(q.Text)
	e.bool(follows)
	if !follows {
		e.string(q.SHA256)
	}
}

// whole is the quote of a record that is not cut.
func whole(text string) model.Quote {
	sum := sha256.Sum256([]byte(text))
	return model.Quote{Text: text, SHA256: hex.EncodeToString(sum[:])}
}

// decoder reads what an encoder wrote. Its strings are parts of the text that it reads, unless own asks for copies.
type decoder struct {
	s   string
	own bool
}

func (d *decoder) uint() uint64 {
	v, shift := uint64(0), 0
	for {
		c := d.byte()
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
		shift += 7
	}
}

func (d *decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (d *decoder) byte() byte {
	c := d.s[0]
	d.s = d.s[1:]
	return c
}

func (d *decoder) bool() bool { return d.byte() == 1 }

func (d *decoder) string() string {
	n := d.uint()
	s := d.s[:n]
	d.s = d.s[n:]
	if d.own {
		return strings.Clone(s)
	}
	return s
}

func (d *decoder) strings() []string {
	n := d.uint()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = d.string()
	}
	return out
}

func (d *decoder) float() float64 {
	v := binary.LittleEndian.Uint64([]byte(d.s[:8]))
	d.s = d.s[8:]
	return math.Float64frombits(v)
}

func (d *decoder) time() time.Time {
	seconds := d.int()
	return time.Unix(seconds, int64(d.uint())).UTC()
}

func (d *decoder) moment() model.Moment {
	return model.Moment{At: d.time(), Earliest: d.time(), Latest: d.time(), Basis: model.Basis(d.string()), Evidence: d.strings()}
}

func (d *decoder) rangeOf() *model.Range {
	if !d.bool() {
		return nil
	}
	return &model.Range{Best: d.float(), Min: d.float(), Max: d.float()}
}

func (d *decoder) ref() model.Ref {
	return model.Ref{Kind: d.string(), Namespace: d.string(), Name: d.string(), UID: d.string()}
}

func (d *decoder) refs() []model.Ref {
	n := d.uint()
	if n == 0 {
		return nil
	}
	out := make([]model.Ref, n)
	for i := range out {
		out[i] = d.ref()
	}
	return out
}

func (d *decoder) event() event {
	v := event{uid: d.string(), resourceVersion: d.uint()}
	v.observation = model.Observation{
		Kind: model.Kind(d.string()), At: d.moment(), Floating: d.bool(), Count: int(d.int()), Last: d.moment(),
		Age: d.rangeOf(), LastAge: d.rangeOf(), Component: d.string(), Input: d.string(), Cluster: d.string(),
		Object: d.ref(), Pod: d.ref(), Pods: d.refs(), Node: d.string(), Holders: d.strings(),
		Volume: model.VolumeID{UniqueName: d.string(), PersistentVolume: d.string(), Handle: d.string(), Driver: d.string()},
		Claim:  d.ref(), Attachment: d.string(), Attacher: d.string(), Owner: d.ref(), Variant: model.Variant(d.string()),
		Access: d.strings(), Detail: d.string(), Actor: d.string(), Agent: d.string(),
		Source: model.Source{Kind: model.SourceKind(d.string()), Path: d.string(), Line: int(d.int()), Field: d.string(), Series: d.string()},
	}
	v.observation.Quote = d.quote()
	return v
}

func (d *decoder) quote() model.Quote {
	q := model.Quote{Text: d.string(), Truncated: d.bool()}
	switch follows := d.bool(); {
	case !follows:
		q.SHA256 = d.string()
	case d.own: // nobody looks at the hash of what is not kept
		q = whole(q.Text)
	}
	return q
}
