package archive

import (
	"fmt"
	"hash/fnv"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// names gives the members of one archive their paths.
type names struct {
	container string
	// seen counts the hashes of the names given: a million names would cost ten times as much.
	seen map[uint64]int32
	// noted are the notes of the archive: each is given for the first member that it is true of. A million say no more.
	noted map[string]bool
}

func newNames(container string) *names {
	return &names{container: container, seen: map[uint64]int32{}, noted: map[string]bool{}}
}

// of makes the path of a member. note says what was changed about it; again is true for a name that the archive has had before.
func (n *names) of(raw string, dir bool) (p, note string, again bool) {
	if p, note, again = n.place(raw, dir); n.noted[note] {
		note = ""
	}
	n.noted[note] = true
	return p, note, again
}

func (n *names) place(raw string, dir bool) (p, note string, again bool) {
	name := strings.TrimPrefix(path.Clean("/"+raw), "/")
	if strings.HasPrefix(raw, "/") {
		note = "has an absolute name and is read as a member of the archive"
	} else if strings.HasPrefix(path.Clean(raw), "../") || path.Clean(raw) == ".." {
		note = "has a name that leads out of the archive, and is read as a member of it"
	}
	if name == "" {
		if dir {
			return "", "", true // the archive's own top
		}
		name = "unnamed"
	}
	name = escape(name)
	if len(name) > maxPath {
		name = fmt.Sprintf("%s~%016x", strings.ToValidUTF8(name[:maxPath], ""), sumOf(name))
		note = "has a longer name, which is cut"
	}
	if !n.add(name) {
		if dir {
			return "", "", true
		}
		for {
			if next := name + "#" + strconv.Itoa(int(n.seen[sumOf(name)])); n.add(next) {
				return n.container + "!" + next, "its name occurs again in the archive; each is read", false
			}
			n.add(name) // the archive has a member of that name, too
		}
	}
	return n.container + "!" + name, note, false
}

func (n *names) add(name string) bool {
	h := sumOf(name)
	n.seen[h]++
	return n.seen[h] == 1
}

func sumOf(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// escape keeps the mark between an archive and its member out of names, and spells out bytes that are not UTF-8.
func escape(name string) string {
	name = strings.ReplaceAll(name, "!", "%21")
	if utf8.ValidString(name) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(name[i:]); size == 1 {
				fmt.Fprintf(&b, "%%%02X", name[i])
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// added names what operating systems and version control add to archives and directories: it belongs to no collection.
func added(p string) string {
	base := p[lastPart(p):]
	if strings.HasPrefix(base, "._") || base == ".DS_Store" {
		return "is what macOS keeps about another file"
	}
	if within(p, "__MACOSX") {
		return "is what macOS adds to an archive"
	}
	if within(p, ".git") {
		return "belongs to a version control system"
	}
	return ""
}

// within reports whether one of the directories of p has a name.
func within(p, name string) bool {
	for part := range strings.FieldsFuncSeq(p[:lastPart(p)], func(r rune) bool { return r == '/' || r == '!' }) {
		if part == name {
			return true
		}
	}
	return false
}
