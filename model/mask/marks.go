package mask

import (
	_ "embed" // the list
	"regexp"
	"strconv"
	"strings"
)

// markSet is a set of the rules of Mask.
type markSet uint32

const (
	markNested markSet = 1 << iota
	markKeyed
	markPrivateKey
	markEncodedKey
	markWebToken
	markAuthentication
	markService
	markKeys
	markHash
	markDocker
	markCurl
	markCommand
	markPair
	markJoin
	markDSN
	markMySQL
	markPassword
	markSignature
	markAll markSet = 1<<iota - 1
)

// markTexts are the marks of one rule.
type markTexts struct {
	of    markSet
	texts []string
}

// marks are in lower case what a text that a rule changes has one of, at its beginning for groups and keys. Nearly every record has none.
var marks = []markTexts{
	{markNested, []string{"annotations", `env"`, `env\`, "env:", "environment:", "envfrom", `args"`, `args\`, "args:", `command"`, `command\`, "command:",
		`data"`, `data\`, "data:", "stringdata", "binarydata", `secrets"`, `secrets\`, "secrets:", "secrets=", "kubectl.kubernetes.io/last-applied",
		"last-applied-configuration"}},
	{markKeyed, []string{"pass", "pwd", "token", "secret", "key", "signature", "credential", "authorization", "cookie",
		"client-certificate-data", "dockerconfigjson", "dockercfg", "connectionstring", "connection_string", "connection-string", "value", "psk", "pw", "rediscli_auth"}},
	{markPrivateKey, []string{"private key", "private-lines"}},
	{markEncodedKey, []string{"ls0tls1crudjti"}},
	{markWebToken, []string{"eyj"}},
	{markAuthentication, []string{"bearer", "basic", "negotiate"}},
	{markKeys, []string{"aq", "dhhc-1", "=="}},
	{markHash, []string{"$1$", "$5$", "$6$", "$y$", "$2", "$apr1", "$argon2"}},
	{markDocker, []string{`"auth\`, `"auth"`}},
	{markCurl, []string{"curl", "etcdctl", "govc"}},
	{markCommand, []string{"ipmitool", "fence_", "sshpass", "redis-cli", "mongo", "ldap", "enssl", " -p", `"-p`, "'-p", "passwd",
		"cryptsetup", "sudo", "password-stdin", "cifs", "smb", "rpcclient", "net ", "from-literal", "shared-secret", "zip", "7z", "kadmin", "snmp", "hdparm", "virsh",
		"wpa_pass", "mc "}},
	{markPair, []string{"creds", "-auth", "vc_url", "sqlplus", "jdbc:oracle", "entified by"}},
	{markJoin, []string{"k10"}},
	{markDSN, []string{"@tcp(", "@unix(", "@("}},
	{markMySQL, []string{"mysql", "ariadb"}},
	{markPassword, []string{"://"}},
	{markSignature, []string{"sig=", "signature=", "-token=", "key=", "code=", "auth="}},
}

// mark is one text of marks.
type mark struct {
	text string
	of   markSet
}

// begins says for two bytes, in whatever case, which marks begin with them: an index into groups, 0 for none.
var begins, groups = beginnings()

func beginnings() (*[1 << 16]uint8, [][]mark) {
	var of [1 << 16]uint8
	groups := [][]mark{nil}
	all := marks
	for _, s := range services {
		all = append(all, markTexts{markService, []string{strings.ToLower(s.prefix)}})
	}
	for _, set := range all {
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

// nextMark is where the next mark of some rules begins, at from or later, in any case, and of which; the text's length and none at its end.
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

// sameLetters compares with a text in lower case, A to Z only: a rule that took K for the sign of Kelvin would change texts without marks.
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

// service is how the tokens of a service begin, and how long they are at least after that.
type service struct {
	prefix string
	length int
}

//go:embed services.txt
var listOfServices string

var services = readServices(listOfServices)

// readServices reads the list; a line that is none would be a mistake of ours, which a test finds.
func readServices(list string) []service {
	var out []service
	for line := range strings.Lines(list) {
		prefix, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(number); err == nil && prefix != "#" {
			out = append(out, service{prefix, n})
		}
	}
	return out
}

// ofAWS is the secret of an access key behind its identifier.
var ofAWS = regexp.MustCompile(`^[:,]\s?[A-Za-z0-9/+]{40}\b`)

// serviceToken is the place of the token that begins at i; both are 0 when none does.
func serviceToken(line string, i int) (from, to int) {
	if i > 0 && wordByte(line[i-1]) {
		return 0, 0
	}
	for _, s := range services {
		if !strings.HasPrefix(line[i:], s.prefix) {
			continue
		}
		end := i + len(s.prefix)
		for end < len(line) && (wordByte(line[end]) || strings.IndexByte("-.~+/=", line[end]) >= 0) {
			end++
		}
		if end-i-len(s.prefix) >= s.length {
			return i, end + len(ofAWS.FindString(clip(line[end:])))
		}
	}
	return 0, 0
}
