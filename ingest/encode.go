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

// codec writes the fields of events to out, or reads them from in, in one order.
type codec struct {
	out     []byte
	in      string
	reading bool
	own     bool // what is read is copied; otherwise its strings are parts of in
}

func (c *codec) uint(v *uint64) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, *v)
		return
	}
	*v = 0
	for shift := 0; ; shift += 7 {
		b := c.in[0]
		c.in = c.in[1:]
		if *v |= uint64(b&0x7f) << shift; b < 0x80 {
			return
		}
	}
}

// number writes one so that those near zero are short.
func number[N int | int64](c *codec, v *N) {
	u := uint64(*v)<<1 ^ uint64(int64(*v)>>63)
	c.uint(&u)
	*v = N(int64(u>>1) ^ -int64(u&1))
}

func (c *codec) bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	c.uint(&u)
	*v = u == 1
}

func (c *codec) float(v *float64) {
	u := math.Float64bits(*v)
	c.uint(&u)
	*v = math.Float64frombits(u)
}

func texts[S ~string](c *codec, fields ...*S) {
	for _, s := range fields {
		n := uint64(len(*s))
		c.uint(&n)
		switch {
		case !c.reading:
			c.out = append(c.out, *s...)
			continue
		case c.own:
			*s = S(strings.Clone(c.in[:n]))
		default:
			*s = S(c.in[:n])
		}
		c.in = c.in[n:]
	}
}

// list is nil when it is empty.
func list[T any](c *codec, of *[]T, one func(*T)) {
	n := uint64(len(*of))
	if c.uint(&n); c.reading {
		if *of = nil; n > 0 {
			*of = make([]T, n)
		}
	}
	for i := range *of {
		one(&(*of)[i])
	}
}

func (c *codec) strings(of *[]string) { list(c, of, func(s *string) { texts(c, s) }) }

// time is an instant; all of them are UTC.
func (c *codec) time(t *time.Time) {
	seconds, nanos := t.Unix(), uint64(t.Nanosecond())
	number(c, &seconds)
	if c.uint(&nanos); c.reading {
		*t = time.Unix(seconds, int64(nanos)).UTC()
	}
}

func (c *codec) moment(m *model.Moment) {
	c.time(&m.At)
	c.time(&m.Earliest)
	c.time(&m.Latest)
	texts(c, &m.Basis)
	c.strings(&m.Evidence)
}

func (c *codec) rangeOf(r **model.Range) {
	there := *r != nil
	if c.bool(&there); !there {
		*r = nil
		return
	}
	if c.reading {
		*r = &model.Range{}
	}
	c.float(&(*r).Best)
	c.float(&(*r).Min)
	c.float(&(*r).Max)
}

func (c *codec) ref(r *model.Ref) { texts(c, &r.Kind, &r.Namespace, &r.Name, &r.UID) }

func (c *codec) event(v *event) {
	o := &v.observation
	texts(c, &v.uid, &o.Component, &o.Input, &o.Cluster, &o.Node, &o.Attachment, &o.Attacher, &o.Detail, &o.Actor, &o.Agent)
	c.uint(&v.resourceVersion)
	texts(c, &o.Kind)
	c.moment(&o.At)
	c.bool(&o.Floating)
	number(c, &o.Count)
	c.moment(&o.Last)
	c.rangeOf(&o.Age)
	c.rangeOf(&o.LastAge)
	for _, r := range [...]*model.Ref{&o.Object, &o.Pod, &o.Claim, &o.Owner} {
		c.ref(r)
	}
	list(c, &o.Pods, c.ref)
	c.strings(&o.Holders)
	texts(c, &o.Volume.UniqueName, &o.Volume.PersistentVolume, &o.Volume.Handle, &o.Volume.Driver)
	texts(c, &o.Variant)
	c.strings(&o.Access)
	texts(c, &o.Source.Kind)
	texts(c, &o.Source.Path, &o.Source.Field, &o.Source.Series)
	number(c, &o.Source.Line)
	c.quote(&o.Quote)
}

// quote leaves out a hash that follows from the text: it is a third of what a packed statement takes.
func (c *codec) quote(q *model.Quote) {
	texts(c, &q.Text)
	c.bool(&q.Truncated)
	follows := !c.reading && *q == whole(q.Text)
	switch c.bool(&follows); {
	case !follows:
		texts(c, &q.SHA256)
	case c.own: // of what is not kept the hash is not looked at
		*q = whole(q.Text)
	case c.reading:
		q.SHA256 = ""
	}
}

// whole is the quote of a record that is not cut.
func whole(text string) model.Quote {
	sum := sha256.Sum256([]byte(text))
	return model.Quote{Text: text, SHA256: hex.EncodeToString(sum[:])}
}
