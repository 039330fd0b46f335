package strictjson

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

// Limits bound what a text may consist of: a few bytes of hostile JSON become hundreds in memory.
type Limits struct {
	Depth    int // levels below the outermost value
	Values   int // objects, arrays, texts, numbers and words
	Together int // of these, outside of the elements of named members, and in each of these elements
	Number   int // bytes of a number
	Piece    int // bytes from one cut of a member to the next
}

// maxExponent is how many digits an exponent may have. float64 needs three; computing with a million takes a library seconds.
const maxExponent = 3

// Reason is what a Fault is.
type Reason int

// The reasons.
const (
	Malformed Reason = iota + 1 // encoding/json says why
	CutOff                      // the text ends within the value
	Trailing                    // something follows the value
	TooDeep
	TooMany
	TooManyTogether
	HugeNumber // a number of too many digits, or with too large an exponent
	KeyTwice
)

// Fault says why a text cannot be used, and where. Key is the second of two equal keys; Go does not regard their case.
type Fault struct {
	Reason Reason
	Offset int
	Key    string
}

// Member is a member of the outermost object, data[Start:End]. Cuts are elements of an array at least Limits.Piece apart.
type Member struct {
	Name       string
	Start, End int
	Cuts       []Cut
}

// Cut is the beginning of an element: its offset in the text, and its index in the array.
type Cut struct{ Offset, Index int }

// Check reads data, which is one JSON value, and answers those members of it that are named, or a fault.
func Check(data []byte, l Limits, names ...string) ([]Member, *Fault) {
	w := walk{data: data, limits: l, names: names, keys: make([]keySet, l.Depth+1)}
	w.blanks()
	if !w.value() {
		return nil, w.fault
	}
	if w.blanks(); w.at < len(data) {
		return nil, &Fault{Reason: Trailing, Offset: w.at}
	}
	return w.members, nil
}

// named is the name that a key of the outermost object has among the requested ones.
func (w *walk) named(key []byte, plain bool) (string, bool) {
	if w.depth > 0 || len(w.names) == 0 {
		return "", false
	}
	name := decoded(key, plain)
	return name, slices.Contains(w.names, name)
}

// keySet holds the keys of one object without regard to case. Most objects are small.
type keySet struct {
	few  []key
	many map[string]bool // folded, once few is full
}

// key is a key between its quotes, decoded. It is plain when that is ASCII without escapes.
type key struct {
	text  []byte
	plain bool
}

// fewKeys is how many keys are compared one by one.
const fewKeys = 32

func (k *keySet) reset() { k.few, k.many = k.few[:0], nil }

// add takes a key as it stands between its quotes; it answers false for one that is there.
func (k *keySet) add(written []byte, plain bool) bool {
	if !plain {
		written = []byte(decoded(written, false))
	}
	this := key{written, plain}
	if k.many == nil && len(k.few) < fewKeys {
		for _, f := range k.few {
			if f.same(this) {
				return false
			}
		}
		k.few = append(k.few, this)
		return true
	}
	if k.many == nil {
		k.many = map[string]bool{}
		for _, f := range k.few {
			k.many[folded(string(f.text))] = true
		}
	}
	f := folded(string(this.text))
	if k.many[f] {
		return false
	}
	k.many[f] = true
	return true
}

// same reports whether two keys are equal without regard to case, as encoding/json compares them.
func (k key) same(o key) bool {
	if k.plain && o.plain && len(k.text) != len(o.text) {
		return false
	}
	return bytes.EqualFold(k.text, o.text)
}

// folded is a key with each letter as the least of those that are the same without regard to case.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, key)
}
