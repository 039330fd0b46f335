package strictjson

import "slices"

// Limits bound what a text may consist of: a few bytes of hostile JSON become hundreds in memory.
type Limits struct {
	Depth    int // levels below the outermost value
	Values   int // objects, arrays, texts, numbers and words
	Together int // of these, outside of the elements of named members, and in each of these elements
	Number   int // bytes of a number
	Piece    int // bytes from one cut of a member to the next
}

// maxExponent is how many digits the exponent of a number may have. The largest float64 has three. Who computes with all
// digits of a number, as libraries for JSON Schema do, takes 25 ms for 1e999999, and seconds for a million digits.
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

// Fault says why a text cannot be used at all. Offset is where, in bytes. Key is the second of two keys that are equal
// without regard to case: Go matches keys so, schemas match them exactly, and of two spellings one would be checked and the
// other one used.
type Fault struct {
	Reason Reason
	Offset int
	Key    string
}

// Member is a member of the outermost object: the value is data[Start:End]. Cuts are some of its elements, when it is an array:
// the first, and then at least Limits.Piece bytes apart.
type Member struct {
	Name       string
	Start, End int
	Cuts       []Cut
}

// Cut is the beginning of an element: its offset in the text, and its index in the array.
type Cut struct{ Offset, Index int }

// Check reads data, which is one JSON value, and answers those members of it that are named, in their order. Nothing is
// answered beside a fault.
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

// named is the name that a key of the outermost object has among those that are asked for.
func (w *walk) named(key []byte, plain bool) (string, bool) {
	if w.depth > 0 || len(w.names) == 0 {
		return "", false
	}
	name := decoded(key, plain)
	return name, slices.Contains(w.names, name)
}
