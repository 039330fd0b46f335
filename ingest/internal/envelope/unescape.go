package envelope

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient reads the escapes of what is no string of JSON as a whole, such as one that breaks off.
var lenient = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\/`, "/", `\n`, "\n", `\t`, "\t", `\r`, "\r")

// Unescape appends the content of a JSON string, given without its quotes, to dst. A bad escape is kept as it is.
func Unescape(dst, s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return append(dst, s...)
	}
	if text, err := jsontext.AppendUnquote(dst, `"`+string(s)+`"`); err == nil {
		return text
	}
	return append(dst, lenient.Replace(string(s))...)
}

func unescaped(b []byte) string { return string(Unescape(nil, b)) }
