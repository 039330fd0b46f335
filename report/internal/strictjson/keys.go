package strictjson

import (
	"bytes"
	"strings"
	"unicode"
)

// keySet holds the keys of one object without regard to case. Objects of a report are small.
type keySet struct {
	of    *node
	exact uint64 // names of the node that came as they are
	taken uint64 // names of the node that came in any spelling
	few   []key
	many  map[string]bool // folded, once few is full
}

// key is a key that the node does not name.
type key struct {
	text  []byte
	plain bool
}

// fewKeys is how many keys are compared one by one.
const fewKeys = 32

func (k *keySet) reset(of *node) {
	k.of, k.exact, k.taken, k.few, k.many = of, 0, 0, k.few[:0], nil
}

// add takes a key as it stands between its quotes. It answers which of the node's names it is, -1 for none, and false when
// the key was there.
func (k *keySet) add(written []byte, plain bool) (which int, fresh bool) {
	if !plain {
		written = []byte(decoded(written, false))
	}
	if i, found := k.of.index[string(written)]; found {
		bit := uint64(1) << i
		fresh = k.taken&bit == 0
		k.taken |= bit
		k.exact |= bit
		return i, fresh
	}
	this := key{written, plain}
	for i, name := range k.of.names {
		if this.same(key{[]byte(name), true}) {
			bit := uint64(1) << i
			fresh = k.taken&bit == 0
			k.taken |= bit
			return -1, fresh
		}
	}
	return -1, k.other(this)
}

// other takes a key that is none of the node's names.
func (k *keySet) other(this key) bool {
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

// same tells whether two keys are equal without regard to case, as encoding/json compares them.
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
