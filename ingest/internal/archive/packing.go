package archive

import (
	"archive/tar"
	"bytes"
	"strings"
)

// Packings that are read, and those that are only named.
const (
	gzipPacking  = "gzip"
	zipPacking   = "zip"
	xzPacking    = "xz"
	zstdPacking  = "zstd"
	bzip2Packing = "bzip2"
	tarPacking   = "tar"
)

// packings are the first bytes of containers and compressions. An extension proves nothing: a .log.gz may be plain text.
var packings = []struct {
	name   string
	offset int
	magic  string
}{
	{gzipPacking, 0, "\x1f\x8b"},
	{zipPacking, 0, "PK\x03\x04"},
	{zipPacking, 0, "PK\x05\x06"},
	{xzPacking, 0, "\xfd7zXZ\x00"},
	{zstdPacking, 0, "\x28\xb5\x2f\xfd"},
	{bzip2Packing, 0, "BZh"},
	{tarPacking, 257, "ustar"},
	{"7z", 0, "7z\xbc\xaf\x27\x1c"},
	{"rar", 0, "Rar!\x1a\x07"},
	{"lz4", 0, "\x04\x22\x4d\x18"},
	{"age-encrypted", 0, "age-encryption.org/"},
	{"age-encrypted", 0, "-----BEGIN AGE ENCRYPTED FILE-----"},
	{"PGP-encrypted", 0, "-----BEGIN PGP MESSAGE-----"},
	// A public-key session packet of version 3, for RSA of 2048 to 4096 bits and elliptic curves, and a symmetric one (RFC 4880 5.1, 5.3).
	{"PGP-encrypted", 0, "\x85\x01\x0c\x03"},
	{"PGP-encrypted", 0, "\x85\x01\x8c\x03"},
	{"PGP-encrypted", 0, "\x85\x02\x0c\x03"},
	{"PGP-encrypted", 0, "\x84\x5e\x03"},
	{"PGP-encrypted", 0, "\x8c\x0d\x04"},
	{"OpenSSL-encrypted", 0, "Salted__"},
}

// Packing names the container, compression or encryption that the first bytes of a file show, or "".
func Packing(head []byte) string {
	for _, p := range packings {
		if len(head) >= p.offset+len(p.magic) && bytes.Equal(head[p.offset:p.offset+len(p.magic)], []byte(p.magic)) {
			if p.name == bzip2Packing && (len(head) < 4 || head[3] < '1' || head[3] > '9') {
				continue // a text that begins with BZh is not bzip2
			}
			return p.name
		}
	}
	if oldTar(head) {
		return tarPacking
	}
	return ""
}

// oldTar recognises a tar header without a magic number by its checksum.
func oldTar(head []byte) bool {
	const size = 512
	if len(head) < size || head[0] == 0 {
		return false
	}
	_, err := nextHeader(tar.NewReader(bytes.NewReader(head[:size])))
	return err == nil
}

// endings are how files are called that hold one compressed file.
var endings = map[string][]string{
	gzipPacking:  {".gz", ".gzip", ".z", ".Z"},
	xzPacking:    {".xz", ".lzma"},
	zstdPacking:  {".zst", ".zstd"},
	bzip2Packing: {".bz2", ".bz"},
}

// innerName is the name of what a compressed file holds: its own without the ending, else the one that it states.
func innerName(base, packing, stated string) string {
	for _, e := range endings[packing] {
		if name, ok := strings.CutSuffix(base, e); ok && name != "" {
			return name
		}
	}
	if stated != "" {
		return stated
	}
	return base
}
