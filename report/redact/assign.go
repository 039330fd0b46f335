package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// segment is the pseudonym of a segment in its spelling, or where that cannot show (no capital begins 00ffff) a name of its own.
func (x *redactor) segment(s string) string {
	sp := spellingOf(s)
	if sp == mixed {
		return x.pseudonym(s)
	}
	if p := sp.as(x.pseudonym(strings.ToLower(s))); spellingOf(p) == sp {
		return p
	}
	return x.pseudonym(s)
}

// pseudonym is that of a name, which is made when the name is new.
func (x *redactor) pseudonym(name string) string {
	if p, ok := x.forward[name]; ok {
		return p
	}
	lower := strings.ToLower(name)
	c, length := classOf(lower), utf8.RuneCountInString(name)
	hint := x.hints[lower]
	if hint == "" {
		hint = "name"
	}
	if length == 1 {
		length, c = 3, word // of one letter there are too few
	}
	counter := string(rune('a'+c)) + hint
	if length < len(hint)+2 {
		counter += string(rune('0' + length)) // the hint is cut, too
	}
	for {
		p := pseudonym(c, length, x.counters[counter], hint)
		x.counters[counter]++
		if x.free(p) {
			x.remember(name, p)
			return p
		}
	}
}

// free reports whether a pseudonym means nothing else.
func (x *redactor) free(p string) bool {
	for _, means := range []map[string]bool{x.taken, x.present, x.known.words, x.known.compounds, shapes} {
		if means[p] {
			return false
		}
	}
	return !everybodys(p)
}

// unit is the pseudonym of a unit, in capitals if it can show them. Else what is not in lower case is a name of its own.
func (x *redactor) unit(s string, kind unitKind) string {
	lower := strings.ToLower(s)
	switch kind {
	case idUnit:
		if !x.ids[lower] {
			return x.run(s, aName, quoteText, false)
		}
	case ipv4Unit:
		p := x.unitPseudonym(strings.ReplaceAll(s, "-", "."), kind)
		if strings.Contains(s, "-") {
			return strings.ReplaceAll(p, ".", "-")
		}
		return p
	}
	if s == lower {
		return x.unitPseudonym(s, kind)
	}
	if p := x.unitPseudonym(lower, kind); s == strings.ToUpper(s) && p != strings.ToUpper(p) {
		return strings.ToUpper(p)
	}
	return x.unitPseudonym(s, kind)
}

// unitPseudonym is that of a unit, which is made when the unit is new.
func (x *redactor) unitPseudonym(name string, kind unitKind) string {
	if p, ok := x.forward[name]; ok {
		return p
	}
	counter := string(kind)
	switch kind {
	case idUnit:
		counter += name[:1]
	case ipv4Unit, ipv6Unit, macUnit:
		counter += form(name)
	}
	for {
		x.counters[counter]++
		p := kind.fresh(strings.ToLower(name), x.counters[counter])
		if !x.taken[p] && !x.present[p] && !ofAnyMachine(p) {
			x.remember(name, p)
			return p
		}
	}
}

func (x *redactor) remember(name, p string) {
	x.forward[name] = p
	x.taken[p] = true
	x.key.Names = append(x.key.Names, Name{Pseudonym: p, Name: name})
}

// uniqueName is the attach/detach controller's name of a CSI volume, with driver and handle.
var uniqueName = regexp.MustCompile(`kubernetes\.io/csi/([A-Za-z0-9.-]+)\^([^\s"'\\,;\]})]+)`)

// maxHashed bounds what is hashed in search of names of VolumeAttachments, as a multiple of the report's text.
const maxHashed = 50

// attachments derives names of VolumeAttachments anew: the hash of a handle, a driver and a node becomes that of their pseudonyms.
func (x *redactor) attachments() {
	wanted := map[string]bool{}
	for s := range x.present {
		if len(s) == 64 && hexRun(s, 64) == 64 {
			wanted[s] = true
		}
	}
	hashed := 0
	for _, driver := range x.drivers {
		for _, handle := range x.handles {
			for _, node := range x.nodes {
				if hashed += 200 + len(driver) + len(handle) + len(node); len(wanted) == 0 || hashed > maxHashed*x.size {
					return
				}
				name := model.AttachmentName(handle, driver, node)[len("csi-"):]
				if !wanted[name] {
					continue
				}
				delete(wanted, name)
				x.remember(name, model.AttachmentName(x.text(handle, nameText), x.text(driver, nameText), x.text(node, nameText))[len("csi-"):])
			}
		}
	}
}
