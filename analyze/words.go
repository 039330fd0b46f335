package analyze

import (
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// The words that sentences are made of.

// maxDetail keeps an error text in a sentence readable; the evidence has the whole.
const maxDetail = 200

func paren(s string) string {
	if s = words.Clip(s, maxDetail); s == "" {
		return ""
	}
	return " (" + s + ")"
}

func to(node string) string {
	if node == "" {
		return ""
	}
	return " to " + node
}

func of(node string) string {
	if node == "" {
		return ""
	}
	return " of " + node
}

func on(node string) string {
	if node == "" {
		return ""
	}
	return " on " + node
}

func volumeName(v model.VolumeID) string {
	for _, n := range []string{v.PersistentVolume, v.UniqueName, v.Handle} {
		if n != "" {
			return n
		}
	}
	return "(not named)"
}

// shortAttachment keeps 12 digits of a hash; the evidence has the whole.
func shortAttachment(name string) string {
	if len(name) == len("csi-")+64 && strings.HasPrefix(name, "csi-") {
		return name[:len("csi-")+12] + "…"
	}
	return name
}
