package jsonout

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
)

// parted is a list that WriteLists writes a part at a time.
type parted struct {
	name string
	n    int
	part int // elements that are a part: some hundred kilobytes
	at   func(i int) any
}

func ListOf[T any](name string, part int, list []T) parted {
	return parted{name: name, n: len(list), part: part, at: func(i int) any { return &list[i] }}
}

// WriteLists writes a value as indented JSON, with lists in the place of its empty ones: encoded in parts, by all processors.
func WriteLists(w io.Writer, rest any, indent string, lists ...parted) error {
	var frame bytes.Buffer
	if err := Encoder(&frame, indent).Encode(rest); err != nil {
		return err
	}
	left := frame.Bytes()
	for _, l := range lists {
		if l.n == 0 {
			continue
		}
		// No text of a value has a line break: what begins a line at this depth is a key of the outermost object.
		before, after, found := bytes.Cut(left, []byte("\n"+indent+`"`+l.name+`": []`))
		if !found {
			return errors.New("no empty list " + l.name + " to fill")
		}
		opening := append(slices.Clone(before), "\n"+indent+`"`+l.name+`": [`...)
		if _, err := w.Write(opening); err != nil {
			return err
		}
		if err := l.write(w, indent); err != nil {
			return err
		}
		left = append([]byte("\n"+indent+"]"), after...)
	}
	_, err := w.Write(left)
	return err
}

// write writes the elements, with what stands before and between them.
func (l parted) write(w io.Writer, indent string) error {
	type result struct {
		text bytes.Buffer
		err  error
	}
	parts := (l.n + l.part - 1) / l.part
	waiting := make([]chan *result, 0, parts)
	for next, done := 0, 0; done < parts; done++ {
		for ; next < parts && next < done+2*runtime.GOMAXPROCS(0); next++ {
			ready := make(chan *result, 1) // no worker waits for the writer
			waiting = append(waiting, ready)
			go func(from int) {
				r := &result{}
				r.err = l.encode(&r.text, from, min(from+l.part, l.n), indent)
				ready <- r
			}(next * l.part)
		}
		r := <-waiting[done]
		waiting[done] = nil
		if r.err != nil {
			return r.err
		}
		if _, err := w.Write(r.text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// encode writes the elements from one on to before another.
func (l parted) encode(b *bytes.Buffer, from, to int, indent string) error {
	enc := Encoder(b, indent)
	enc.SetIndent(indent+indent, indent)
	for i := from; i < to; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + indent)
		if err := enc.Encode(l.at(i)); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the line feed after each value
	}
	return nil
}
