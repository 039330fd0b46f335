package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
	"github.com/volpost/volpost/report/internal/jsonout"
)

// KeyVersion is the form of a Key as JSON.
const KeyVersion = "volpost/names/v1"

// Key gives back the names of one redacted report. It is as private as the names.
type Key struct {
	Schema string `json:"schema"`
	Of     string `json:"of"`    // what the redacted report calls itself, in the place of the bundle's name
	Root   string `json:"root"`  // the bundle's name
	Names  []Name `json:"names"` // in the order of the report
}

// Name is a piece of a name with its own pseudonym. One in lower case here is so also in capitals, and with a capital first.
type Name struct {
	Pseudonym string `json:"pseudonym"`
	Name      string `json:"name"`
}

// rootPrefix begins what a redacted report calls its bundle.
const rootPrefix = "redacted-"

// seal marks a redacted report, and ties the key to it: a key gives names back to its own report only. What it says as JSON is the same after
// it was written and read.
func seal[T any](k *Key, of *T) *T {
	called := func(name string) *T {
		return fields.Change(of, fields.Changer{Text: func(v reflect.Value, kind string) string {
			if kind != "root" {
				return v.String()
			}
			k.Root = v.String()
			return name
		}})
	}
	sum := sha256.New()
	_ = jsonout.Value(sum, called("")) // a sum takes everything
	k.Of = rootPrefix + hex.EncodeToString(sum.Sum(nil)[:6])
	out := called(k.Of)
	if r, ok := any(out).(*model.Report); ok {
		r.Redaction = &model.Redaction{Key: k.Of, Pseudonyms: len(k.Names)}
	}
	return out
}

// Write writes the key as JSON, one name in a line.
func (k *Key) Write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(k)
}

// maxKey bounds the size of a key that is read.
const maxKey = 256 << 20

// ReadKey reads a key. Its errors say what is wrong with it.
func ReadKey(r io.Reader) (*Key, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxKey+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxKey {
		return nil, fmt.Errorf("is longer than %d MiB, and no key", maxKey>>20)
	}
	var k Key
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("is no key of a redacted report: %w", err)
	}
	if k.Schema != KeyVersion {
		return nil, fmt.Errorf("is no key of a redacted report: its schema is %q, and not %q", k.Schema, KeyVersion)
	}
	return &k, nil
}

// ErrOtherKey says that a key belongs to another report.
var ErrOtherKey = errors.New("the key belongs to another report")
