package analyze

import (
	"cmp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// The words that sentences are made of.

// maxDetail keeps an error text in a sentence readable; the evidence has the whole.
const maxDetail = 200

func paren(s string) string {
	s = words.Clip(s, maxDetail)
	return words.If(s != "", " ("+s+")")
}

func to(node string) string { return words.If(node != "", " to "+node) }
func of(node string) string { return words.If(node != "", " of "+node) }
func on(node string) string { return words.If(node != "", " on "+node) }

func volumeName(v model.VolumeID) string {
	return cmp.Or(v.PersistentVolume, v.UniqueName, v.Handle, "(not named)")
}

// shortAttachment keeps 12 digits of a hash; the evidence has the whole.
func shortAttachment(name string) string {
	if len(name) == len("csi-")+64 && strings.HasPrefix(name, "csi-") {
		return name[:len("csi-")+12] + "…"
	}
	return name
}
