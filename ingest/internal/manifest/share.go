package manifest

import (
	"hash/maphash"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// sharedFields hold the same in all pods of a workload, and in all volumes of a class. Nobody changes an object that was read, so
// that these can be one value in memory.
var sharedFields = map[string]bool{
	"labels": true, "tolerations": true, "ownerReferences": true, "nodeSelector": true, "affinity": true, "finalizers": true, "accessModes": true,
}

// sharer remembers the last values of such fields.
type sharer struct {
	seeds [2]maphash.Seed
	last  [512]sharedValue
}

// sharedValue is a value with the hash of the nodes that it was made of: 128 bits under keys that nobody knows stand for these.
type sharedValue struct {
	hash  [2]uint64
	value reflect.Value
	bytes int // of memory that it takes
}

func newSharer() *sharer {
	return &sharer{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
}

// slot is where the value of a node is, or belongs, with its hash.
func (s *sharer) slot(n *yaml.Node) (*sharedValue, [2]uint64) {
	var sum [2]uint64
	for i, seed := range s.seeds {
		var h maphash.Hash
		h.SetSeed(seed)
		hashNode(&h, n)
		sum[i] = h.Sum64()
	}
	return &s.last[sum[0]%uint64(len(s.last))], sum
}

func hashNode(h *maphash.Hash, n *yaml.Node) {
	_ = h.WriteByte(byte(n.Kind)) // it never fails
	_, _ = h.WriteString(n.Tag)
	_ = h.WriteByte(0)
	_, _ = h.WriteString(n.Value)
	_ = h.WriteByte(0)
	for _, child := range n.Content {
		hashNode(h, child)
	}
	_ = h.WriteByte(1)
}

// share assigns a field whose value may be that of an earlier object.
func (a *assigner) share(n *yaml.Node, v reflect.Value, p *plan) bool {
	slot, hash := a.sharer.slot(n)
	if slot.value.IsValid() && slot.hash == hash && slot.value.Type() == p.of {
		v.Set(slot.value)
		a.spared += slot.bytes
		return true
	}
	if !a.value(n, v, p) {
		return false
	}
	*slot = sharedValue{hash: hash, value: reflect.ValueOf(v.Interface()), bytes: dynamic(v)}
	return true
}
