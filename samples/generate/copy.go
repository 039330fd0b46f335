package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"time"
)

// A copy repeats what was recorded, with changes: what its entities are called, and how much later it happened.
type copied struct {
	names []string
	// shift is of the incident, fresh of what belongs to the moment of the collection.
	shift, fresh time.Duration
}

func (c *copied) append(b []byte, t text) []byte {
	for i := range t {
		p := &t[i]
		switch {
		case p.entity >= 0:
			b = append(b, c.names[p.entity]...)
		case p.stamp.layout == "":
			b = append(b, p.literal...)
		case p.fresh:
			b = p.stamp.append(b, c.fresh)
		default:
			b = p.stamp.append(b, c.shift)
		}
	}
	return b
}

func (c *copied) render(t text) string { return string(c.append(nil, t)) }

// identity is what sets a copy apart. No two copies have one in common, and their pods have addresses of their own.
type identity struct {
	seed, id  uint64
	nodes     []int // number in the cluster of each node of the recording
	namespace func(string) string
	workload  string
	address   int // number of the first pod's address
}

// names are what the entities are called in a copy.
func (c *cutter) names(id identity) []string {
	out := make([]string, len(c.entities))
	address := id.address
	for i, e := range c.entities {
		switch e.kind {
		case kindAttachment:
			continue // made of other names
		case kindPodIP:
			out[i] = podAddress(address)
			address++
		case kindNode, kindNodeIP, kindInstance, kindNodePod:
			out[i] = ofNode(e.kind, id.node(e.node), id.seed)
		case kindNamespace:
			out[i] = id.namespace(e.name)
		case kindWorkload:
			out[i] = id.workload
		case kindHandle:
			_, low := hash(id.seed, id.id, e.name)
			out[i] = fmt.Sprintf("vol-0%016x", low)
		case kindUID:
			owner := id.id
			if e.node == shared {
				owner, e.name = 0, "DaemonSet"
			}
			out[i] = newUID(hash(id.seed, owner, e.name))
		}
	}
	all := copied{names: out}
	for i, e := range c.entities {
		if e.kind == kindAttachment {
			out[i] = attachmentName(all.render(e.handle), driver, nodeName(id.node(e.node)))
		}
	}
	return out
}

// attachmentName is how Kubernetes calls the VolumeAttachment of a CSI volume (getAttachmentName, csi_attacher.go).
func attachmentName(handle, driver, node string) string {
	return fmt.Sprintf("csi-%x", sha256.Sum256([]byte(handle+driver+node)))
}

// node is the number of a node; the control plane is number 0.
func (id identity) node(index int) int {
	if index < 0 {
		return 0
	}
	return id.nodes[index%len(id.nodes)]
}

// nodeName is the name of the node with a number, as a cloud makes it of the address.
func nodeName(n int) string {
	return fmt.Sprintf("ip-10-0-%d-%d.eu-west-1.compute.internal", n/250, n%250+2)
}

func ofNode(k kind, n int, seed uint64) string {
	switch k {
	case kindNode:
		return nodeName(n)
	case kindNodeIP:
		return fmt.Sprintf("10.0.%d.%d", n/250, n%250+2)
	case kindInstance:
		_, low := hash(seed, uint64(n), "instance")
		return fmt.Sprintf("i-0%016x", low)
	}
	// Five letters as Kubernetes takes them; the factor has no divisor in common with their number, so that none comes twice.
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	v, suffix := n*7_654_321, make([]byte, 5)
	for i := range suffix {
		suffix[i] = letters[v%len(letters)]
		v /= len(letters)
	}
	return "csi-node-" + string(suffix)
}

// podAddress is the n-th address of the pods' network 10.128.0.0/10.
func podAddress(n int) string {
	return "10." + strconv.Itoa(128+n>>16&63) + "." + strconv.Itoa(n>>8&255) + "." + strconv.Itoa(n&255)
}

// hash spreads a name over 128 bits. Nothing depends on its quality but that names differ.
func hash(seed, id uint64, name string) (high, low uint64) {
	h := mix(seed+0x9e3779b97f4a7c15) ^ mix(id+0x632be59bd9b4e019)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 0x100000001b3
	}
	return mix(h), mix(h + 0x9e3779b97f4a7c15)
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// newUID writes 128 bits as a random UUID.
func newUID(high, low uint64) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], high)
	binary.BigEndian.PutUint64(b[8:], low)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
