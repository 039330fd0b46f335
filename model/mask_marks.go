package model

import "strings"

// markSet is a set of the rules of Mask.
type markSet uint16

const (
	markNested markSet = 1 << iota
	markKeyed
	markPrivateKey
	markEncodedKey
	markWebToken
	markAuthentication
	markCloudKey
	markGitHub
	markSlack
	markGoogle
	markPassword
	markSignature
	markAll markSet = 1<<iota - 1
)

// marks are in lower case what a text that a rule changes has at least one of, at the beginning of what it changes for groups
// and for keys. Nearly every record has none: looking for them costs a fraction of what the hash of the record does.
var marks = []struct {
	of    markSet
	texts []string
}{
	{markNested, []string{"annotations", `env"`, `env\`, "env:", "envfrom", `data"`, `data\`, "data:", "stringdata", "binarydata",
		"kubectl.kubernetes.io/last-applied", "last-applied-configuration"}},
	{markKeyed, []string{"passw", "passphrase", "pwd", "token", "apikey", "api_key", "api-key", "accesskey", "access_key", "access-key",
		"secretkey", "secret_key", "secret-key", "secretaccess", "secret_access", "secret-access", "clientsecret", "client_secret", "client-secret",
		"accountkey", "account_key", "account-key", "encryptionkey", "encryption_key", "encryption-key", "client-key-data",
		"client-certificate-data", "accesssignature", "access_signature", "access-signature", "credential", "authorization"}},
	{markPrivateKey, []string{"private key-----"}},
	{markEncodedKey, []string{"ls0tls1crudjti"}},
	{markWebToken, []string{"eyj"}},
	{markAuthentication, []string{"bearer", "basic", "negotiate"}},
	{markCloudKey, []string{"akia", "asia"}},
	{markGitHub, []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}},
	{markSlack, []string{"xox"}},
	{markGoogle, []string{"aiza"}},
	{markPassword, []string{"://"}},
	{markSignature, []string{"sig=", "signature=", "-token="}},
}

// mark is one text of marks.
type mark struct {
	text string
	of   markSet
}

// begins tells for two bytes, in whatever case, which marks begin with them: an index into groups, 0 for none.
var begins, groups = beginnings()

func beginnings() (*[1 << 16]uint8, [][]mark) {
	var of [1 << 16]uint8
	groups := [][]mark{nil}
	for _, set := range marks {
		for _, text := range set.texts {
			at := int(text[0])<<8 | int(text[1])
			if of[at] == 0 {
				groups = append(groups, nil)
				of[at] = uint8(len(groups) - 1)
			}
			groups[of[at]] = append(groups[of[at]], mark{text, set.of})
			for _, a := range []string{text[:1], strings.ToUpper(text[:1])} {
				for _, b := range []string{text[1:2], strings.ToUpper(text[1:2])} {
					of[int(a[0])<<8|int(b[0])] = of[at]
				}
			}
		}
	}
	return &of, groups
}

// nextMark is where the next mark of some rules begins in a text, at from or later, in whatever case, and the rules that it
// speaks for; the length of the text and none when there is no more.
func nextMark(text string, from int, wanted markSet) (int, markSet) {
	for i := from; i+1 < len(text); i++ {
		group := begins[int(text[i])<<8|int(text[i+1])]
		if group == 0 {
			continue
		}
		var of markSet
		for _, m := range groups[group] {
			if m.of&wanted != 0 && len(text)-i >= len(m.text) && sameLetters(text[i:i+len(m.text)], m.text) {
				of |= m.of
			}
		}
		if of != 0 {
			return i, of
		}
	}
	return len(text), 0
}

// marked is all rules that a text has marks of.
func marked(text string) markSet {
	var of markSet
	for i, more := nextMark(text, 0, markAll); more != 0; i, more = nextMark(text, i+1, markAll&^of) {
		of |= more
	}
	return of
}

// sameLetters compares with a text in lower case. Only A to Z have a lower case here: a rule that took K for the sign of
// Kelvin would change texts that have no mark.
func sameLetters(text, lower string) bool {
	for i := range len(lower) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
