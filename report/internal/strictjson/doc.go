// Package strictjson checks the form of JSON that may be hostile, in one pass over its bytes and without keeping any of it: that
// it is well-formed (RFC 8259, as strictly as encoding/json), that it is of bounded depth and size, and that no object has a key
// twice; encoding/json bounds neither and takes the last of several keys. It answers where parts of the text stand, so that they
// can be decoded each by itself.
//
// What the values mean is not looked at: that is the business of a library for JSON Schema.
package strictjson
