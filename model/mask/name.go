package mask

import (
	"slices"
	"strings"
)

// secretWord says what the name of a value makes of it.
type secretWord int

const (
	noSecret secretWord = iota
	ownKey              // of an object or a map: a secret only as a flag, --key
	nameOr              // a secret or the name of a Secret: secret=shop/tls
	inHeader            // the rest of the header is the value
	certain
)

// secretName is the name that ends in a word of keyed.
type secretName struct {
	word  secretWord
	flag  bool // -name or --name
	first bool // it begins the line, as in YAML
	query bool // it is a parameter of a URL, which & ends
	prose bool // it is no password, so that a sentence can follow it at the beginning of a line
	bare  bool // the word alone, as in a sentence
	long  bool // of parts that _ joins, as in no sentence
}

// named reports whether the name alone makes the value of a pair a secret.
func (n secretName) named() bool { return n.word > ownKey }

// behind is in which context a value stands behind the name and a separator.
func (n secretName) behind(separator string) context {
	quoted := strings.ContainsAny(separator, `"'&\`)
	sentence := strings.Contains(separator, ":") && strings.HasSuffix(separator, " ") && !quoted && n.bare
	indexed := strings.ContainsAny(separator, "]%") // ?user[password]=
	return context{sure: !sentence, line: n.first && !quoted && strings.Contains(separator, ": "), query: n.query || indexed, header: n.word == inHeader,
		reference: n.word == nameOr, file: n.word != certain, must: n.word == ownKey && !n.flag, prose: n.prose}
}

// querySigns stand before the name of a query's value.
var querySigns = []string{"?", "&", "u0026"}

// nameBefore looks at what stands before a word.
func nameBefore(line string, i int, word string) secretName {
	start := i
	for start > 0 && i-start < longestName && nameByte(line[start-1]) {
		start--
	}
	name := line[start:i]
	n := secretName{bare: name == "", prose: !sameStart(word, "p")}
	dash, before := strings.HasPrefix(name, "-"), line[max(0, start-6):start]
	n.flag = dash && (len(name) <= len("--") || strings.Trim(name, "-") != "")
	n.query = slices.ContainsFunc(querySigns, func(sign string) bool { return strings.HasSuffix(before, sign) }) ||
		strings.HasPrefix(strings.ToLower(name), "u0026")
	n.first = i-start < longestName && start < longestName && strings.Trim(line[:start], " \t") == ""
	stem := name
	if n.bare && sameStart(word, "key") {
		stem = wordBefore(line, i) // certificate key: …
	}
	n.long = strings.Contains(strings.TrimLeft(name, "_"), "_")
	n.word = wordOf(strings.ToLower(stem), strings.ToLower(word), line, i)
	return n
}

// wordBefore is the word that a blank separates from what is at i; "" when none does.
func wordBefore(line string, i int) string {
	end := max(0, i-1)
	start := end
	for start > 0 && end-start < longestName && letter(line[start-1]) {
		start--
	}
	if i == 0 || line[end] != ' ' {
		return ""
	}
	return line[start:end]
}

// Beginnings of names that make the word behind them a secret, or none.
var (
	secretKeys = []string{"api", "access", "secret", "account", "encryption", "private", "user", "admin", "shared", "signing", "session",
		"master", "storage", "auth", "chap", "certificate", "subscription", "consumer", "deploy", "integration",
		"license", "unseal", "customer", "crypto", "_app", "luks", "recovery", "sas", "routing", "service"}
	notPass       = []string{"by", "com", "tres", "sur", "no"}
	usersOfPW     = []string{"bind", "root", "admin", "user", "db", "ldap", "http", "proxy", "mail", "smtp", "ftp", "vnc", "bmc", "ipmi", "wpa"}
	namesOfSecret = []string{"pull", "tls", "stage", "publish", "expand", "provisioner", "use", "no"}
)

// wordOf judges a word by the part of the name before it, both in lower case.
func wordOf(name, word, line string, i int) secretWord {
	stem := strings.TrimRight(name, "_-.")
	short := strings.HasPrefix(word, "pw") && !strings.HasPrefix(word, "pwd") || strings.HasPrefix(word, "psk")
	if short && stem == name && name != "" {
		hump := line[i] == 'P' && 'a' <= line[i-1] && line[i-1] <= 'z' // bindPW
		if !hump && !endsIn(name, usersOfPW) {
			return noSecret // the end of another word
		}
	}
	switch {
	case strings.HasPrefix(word, "key"):
		return keyOf(stem, word)
	case strings.HasPrefix(word, "pass") && !strings.HasPrefix(word, "passw") && endsIn(name, notPass):
		return noSecret
	case strings.HasPrefix(word, "secret"):
		if endsIn(stem, namesOfSecret) {
			return noSecret
		}
		return nameOr
	case word == "authorization" || word == "cookie":
		if i > 0 && wordByte(line[i-1]) {
			return noSecret
		}
		return inHeader
	}
	return certain
}

// keyOf judges a word that begins with key.
func keyOf(stem, word string) secretWord {
	rest := strings.TrimLeft(strings.TrimPrefix(word, "key"), "_-")
	switch {
	case strings.HasPrefix(rest, "data"):
		if stem == "client" {
			return certain
		}
	case strings.HasPrefix(rest, "id"):
		if endsIn(stem, []string{"access"}) {
			return certain
		}
	case endsIn("_"+stem, secretKeys):
		return certain
	case stem == "": // or dashes alone
		return ownKey
	}
	return noSecret
}

func endsIn(name string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}
