package mask

import (
	"regexp"
	"strings"
)

// context is what stands before a value.
type context struct {
	sure      bool // it is a value; otherwise it can be the next word of a sentence
	line      bool // it goes to the end of the line
	query     bool // & ends it
	header    bool // it may have a scheme before it
	argument  bool // it is the argument after a flag
	reference bool // it may be the name of a Secret
	file      bool // it may be the path of a file
	must      bool // the name is one of a secret only as a flag
	prose     bool // it may be a sentence, as it has no password
}

// opening is how a quoted value begins, with the backslashes of JSON inside of a JSON string.
var opening = regexp.MustCompile("^(?:\"\"\"|'''|\\\\*[\"'`]|" + spelledQuote + ")")

// spelledQuote is a quote as HTML, JSON and C spell it out.
const spelledQuote = `(?:&quot;|&#3[49];|\\+u002[27]|\\+x2[27])`

// bytesOf is how a value begins that is printed byte by byte.
var bytesOf = regexp.MustCompile(`^&?(?:\[\](?:byte|uint8)[{(]|\[)`)

// scheme is of HTTP authentication; a header that is a list goes to the end of the line: parameters, and cookies.
var (
	scheme = regexp.MustCompile(`^(?i)(?:bearer|basic|negotiate|token|apikey|ntlm|digest|aws4-hmac-sha256|hawk|hoba|oauth)\s+`)
	list   = regexp.MustCompile(`^(?i)(?:(?:digest|aws4-hmac-sha256|hawk|hoba|oauth)\s|[a-z0-9_.-]+=[^=])`)
)

// reference is the name of a Secret with its namespace.
var reference = regexp.MustCompile(`^[a-z0-9.-]+/[a-z0-9.-]+$`)

// ownMask is a value inside of a value that maskKeyed has masked, which makes the outer value neither longer nor stranger.
var ownMask = regexp.MustCompile(keyWords + `\\*["']?\s*(?:=>|:=|[:=])\s*\\*["'` + "`]?" + regexp.QuoteMeta(Masked))

// path is of a file; a secret in base64 that begins with a slash has other signs as well.
var path = regexp.MustCompile(`^\.{0,2}(?:/[a-z0-9._-]+)+$`)

// valuePlace is the place of the secret in a line whose value begins at i; both are 0 when that is none.
func valuePlace(line string, i int, c context) (from, to int) {
	s := line[i:]
	if m := bytesOf.FindString(clip(s)); m != "" && !strings.HasPrefix(s, Masked) {
		from, to = i+len(m), i+len(m)+groupEnd(s[len(m):], m[len(m)-1], "")
		if in := strings.TrimSpace(line[from:to]); c.reference || in == "" || in == Masked {
			return 0, 0
		}
		return from, to
	}
	from, to = i, i
	if quote := opening.FindString(clip(s)); quote != "" {
		from += len(quote)
		to = from + quotedEnd(line[from:], quote)
	} else if object.MatchString(clip(s)) {
		return 0, 0
	} else {
		to += plainEnd(s, c)
	}
	if c.header {
		from += len(scheme.FindString(clip(line[from:to])))
	}
	if to <= from || !c.secret(line[from:to], strings.TrimRight(line[to:], " \t\r,\"'}") == "") {
		return 0, 0
	}
	return from, to
}

// secret reports whether a value in a context is one. last is true when nothing follows it in the line.
func (c context) secret(value string, last bool) bool {
	switch {
	case harmless(value):
		return false
	case c.must, c.reference && reference.MatchString(value), c.file && path.MatchString(value):
		return false
	case c.argument && (strings.HasPrefix(value, "-") || sentenceWord(value)):
		return false
	case c.argument && !c.sure:
		return len(value) >= 16 && strings.ContainsAny(value, "0123456789")
	case c.line && c.prose && sentenceWord(strings.SplitN(value, " ", 2)[0]):
		return false
	case c.sure:
		return true
	}
	if at := ownMask.FindStringIndex(value); at != nil {
		value, last = value[:at[0]], false
	}
	return !sentenceWord(value) && (last || randomLooking(value)) // such as "the token: the server has …", which is a sentence
}

// randomLooking separates a secret from the words of a sentence.
func randomLooking(value string) bool {
	return len(value) >= 4 && strings.ContainsAny(value, "0123456789_+/=!#$%^&*@") || len(value) >= 16
}

// sentenceWord is a word that goes on with a sentence about a flag or a password.
func sentenceWord(value string) bool {
	switch strings.ToLower(strings.Trim(value, ".,;:")) {
	case "is", "has", "was", "are", "not", "no", "and", "or", "must", "cannot", "can", "flag", "option", "to", "for", "the", "a", "in", "on",
		"of", "from", "failed", "error", "may", "should", "will", "with", "if", "invalid", "requires":
		return true
	}
	return false
}

// quotedEnd is where a quoted value ends; the end of s when it is cut off.
func quotedEnd(s, quote string) int {
	if strings.HasSuffix(quote, `"`) && quote != `"""` {
		return stringEnd(s, quote)
	}
	if end := strings.Index(s, quote); end >= 0 {
		return end
	}
	return len(s)
}

// plainEnd is where a value without quotes ends. Passwords have all signs that separate values: only at its end they are none of it.
func plainEnd(s string, c context) int {
	if c.header && list.MatchString(clip(s)) {
		return len(s)
	}
	end := 0
	for end < len(s) && !c.endsAt(s, end) {
		end++
	}
	if c.header && !c.line {
		end = headerEnd(s[:end])
	}
	if c.line {
		return len(strings.TrimRight(s[:end], " \t,"))
	}
	trimmed := len(strings.TrimRight(s[:end], ",;&)}]"))
	if strings.HasSuffix(s[:min(end, trimmed+1)], Masked) {
		trimmed++
	}
	return trimmed
}

// endsAt reports whether a sign of a value without quotes ends it.
func (c context) endsAt(s string, i int) bool {
	switch s[i] {
	case ' ', '\t':
		return !c.line && !c.header
	case '\r':
		return true
	case '&':
		return c.query
	case '\\':
		return c.query && strings.HasPrefix(s[i:], `\u0026`) || escapeEnds(s[i:])
	case ',':
		return opening.MatchString(clip(s[i+1:]))
	case '"', '\'', '`':
		return quoteEnds(s[i+1:])
	}
	return false
}

// headerEnd ends a header's value after the one word that it has behind a scheme.
func headerEnd(s string) int {
	at := len(scheme.FindString(clip(s)))
	if n := strings.IndexAny(s[at:], " \t"); n >= 0 {
		return at + n
	}
	return len(s)
}

// escapeEnds reports whether the escape at the beginning of s ends a value: that of an end of line, or of a quote that does.
func escapeEnds(s string) bool {
	rest := strings.TrimLeft(s, `\`)
	if rest == "" {
		return false
	}
	if rest[0] == '"' || rest[0] == '\'' {
		return quoteEnds(rest[1:])
	}
	return rest[0] == 'n' || rest[0] == 'r' || rest[0] == 't'
}

// quoteEnds reports whether what follows a quote shows that it is no part of the value; a value that was masked shows it, too.
func quoteEnds(rest string) bool {
	return rest == "" || strings.HasPrefix(rest, Masked) || strings.IndexByte(" \t\r,;:)}]>\\\"'`", rest[0]) >= 0
}

// harmless are values that say that there is none, or how it is given.
func harmless(value string) bool {
	if before, own := strings.CutSuffix(value, Masked); own && strings.Trim(before, `<>=:"'`) == "" { // the content of an element, masked before
		return true
	}
	switch strings.ToLower(value) {
	case "", "true", "false", "null", "nil", "<nil>", "none", "<none>", "{", "[", "|", ">", "|-", ">-", "[redacted]", "<redacted>",
		"***", "****", "<sensitive>", "***stripped***":
		return true
	}
	return false
}

// object begins what is no value: an object, how Go prints structs, pointers and fields after nil, a variable, a note of kubectl describe.
var object = regexp.MustCompile(`^(?:[{<](?:\\*["']|[A-Za-z]+:|$|})|<set to the key|\(\*[A-Za-z0-9.]+\)\(|\(?0xc0[0-9a-f]{6}|` +
	`&[A-Za-z0-9.]+\{|(?:nil|true|false|null),[A-Za-z]+:|\$\([A-Za-z0-9_]+\))`)
