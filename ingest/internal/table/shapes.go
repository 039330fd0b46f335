package table

import (
	"regexp"
	"slices"
	"strings"
)

// shape is a row of a table without its header, as of a grep, told by cells that no other table has in that order.
type shape struct {
	kind    string   // of tableKinds
	hints   []string // of which the row holds one in any case
	text    *regexp.Regexp
	columns []string // the groups of text
}

const (
	namePattern     = `([a-z0-9][a-z0-9.-]*)`
	spacePattern    = `(?:([a-z0-9][a-z0-9-]*) +)?`
	quantityPattern = `(\d+(?:\.\d+)?(?:[EPTGMK]i?|m)?)`
	modesPattern    = `((?:RWO|ROX|RWX|RWOP)(?:,(?:RWO|ROX|RWX|RWOP))*)`
	agoPattern      = `(` + agePattern + `|<unknown>)`
)

var shapes = []shape{
	// The name of the VolumeAttachment of a CSI volume is its own proof, wherever in the line it stands.
	{"volumeattachments", []string{"csi-"}, regexp.MustCompile(`(?:^|  +)(csi-[0-9a-f]{64}) +([a-z0-9][a-z0-9.-]+) +` + namePattern + ` +` + namePattern + `(?: +(true|false)(?: +` + agoPattern + `)?)? *$`),
		[]string{"name", "attacher", "pv", "node", "attached", "age"}},
	{"nodes", []string{"Ready"}, regexp.MustCompile(`^ *` + namePattern + ` +((?:Not)?Ready(?:,[A-Za-z,]+)?) +([a-z0-9,<>.-]+) +` + agoPattern + ` +v\d+\.\d+\S*(?: .*)?$`),
		[]string{"name", "status", "roles", "age"}},
	{"persistentvolumes", []string{" RW", " ROX"}, regexp.MustCompile(`^ *` + namePattern + ` +` + quantityPattern + ` +` + modesPattern + ` +(?:Retain|Delete|Recycle) +(Bound|Released|Failed|Terminating) +(\S+/\S+)(?: .*)?$`),
		[]string{"name", "capacity", "accessmodes", "status", "claim"}},
	{"persistentvolumeclaims", []string{" RW", " ROX"}, regexp.MustCompile(`^ *` + spacePattern + namePattern + ` +(Bound|Lost|Terminating) +` + namePattern + ` +` + quantityPattern + ` +` + modesPattern + `(?: .*)?$`),
		[]string{"namespace", "name", "status", "volume", "capacity", "accessmodes"}},
	{"pods", []string{"/"}, regexp.MustCompile(`^ *` + spacePattern + namePattern + ` +(\d+/\d+) +([A-Z][A-Za-z:/0-9]+) +(\d+(?: \(\S+ ago\))?) +` + agoPattern + `(?: +(?:[0-9a-f.:]+|<none>) +` + namePattern + ` .*)?$`),
		[]string{"namespace", "name", "ready", "status", "restarts", "age", "node"}},
}

// shapedCells reads a row without a header.
func shapedCells(s string) (*tableKind, cells, bool) {
	for i := range shapes {
		sh := &shapes[i]
		if !slices.ContainsFunc(sh.hints, func(h string) bool { return strings.Contains(s, h) }) {
			continue
		}
		m := sh.text.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		for k := range tableKinds {
			if tableKinds[k].name == sh.kind {
				return &tableKinds[k], cells{columns: &columns{names: sh.columns, free: -1}, values: m[1:]}, true
			}
		}
	}
	return nil, cells{}, false
}
