// Package strictjson checks JSON that may be hostile, in one pass over its bytes and without keeping any of it: that it is
// well-formed (RFC 8259, as strictly as encoding/json), that it is of bounded depth and size, that no object has a key
// twice, and that it keeps a schema. Libraries for JSON Schema ask for the whole document as a tree of Go values, which of
// a report with a thousand incidents takes a gigabyte and most of the time.
//
// Of JSON Schema (draft 2020-12) it knows what the schema of reports uses; Compile refuses a schema with any other keyword.
// The tests hold its answers against those of a complete library.
package strictjson
