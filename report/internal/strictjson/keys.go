package strictjson

import (
	"bytes"
	"strings"
	"unicode"
)

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
