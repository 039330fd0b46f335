package archive

import "bytes"

// packings are the first bytes of the containers and compressions in which bundles travel. An extension proves nothing:
// a .log.gz that is plain text and the reverse both occur.
var packings = []struct {
	name   string
	offset int
	magic  string
}{
	{"gzip", 0, "\x1f\x8b"},
	{"zip", 0, "PK\x03\x04"},
	{"zip", 0, "PK\x05\x06"},
	{"xz", 0, "\xfd7zXZ\x00"},
	{"zstd", 0, "\x28\xb5\x2f\xfd"},
	{"bzip2", 0, "BZh"},
	{"7z", 0, "7z\xbc\xaf\x27\x1c"},
	{"age-encrypted", 0, "age-encryption.org/"},
	{"tar", 257, "ustar"},
}

// Packing names the container or compression that the first bytes of a file show, or "".
func Packing(head []byte) string {
	for _, p := range packings {
		if len(head) >= p.offset+len(p.magic) && bytes.Equal(head[p.offset:p.offset+len(p.magic)], []byte(p.magic)) {
			if p.name == "bzip2" && (len(head) < 4 || head[3] < '1' || head[3] > '9') {
				continue // a text that begins with BZh is not bzip2
			}
			return p.name
		}
	}
	return ""
}
