// Package mask takes the secrets out of what is quoted.
package mask

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// Masked stands in a report where the source has a secret. It is never taken for text of the source.
const Masked = "[masked]"

// Text puts Masked in the place of what must never enter a report: passwords, tokens and keys, values of environment
// variables, annotations, and the data of Secrets. What surrounds them stays, so that a quote still names its event.
//
// A secret is known by its line, by the head of a private key above it, and by a name on another line of the same pair or block.
// Text that is masked already stays as it is.
func Text(text string) string {
	if _, of := nextMark(text, 0, markAll); of == 0 {
		return text
	}
	if !strings.Contains(text, "\n") {
		return maskLine(text)
	}
	return maskLines(text, maskLine)
}

// maskLine applies the rules that the line has marks of.
func maskLine(line string) string {
	return maskWith(line, marked(line), nextMark)
}

// nextFunc finds where a rule of a set can apply next, at from or later, and which.
type nextFunc func(line string, from int, wanted markSet) (int, markSet)

// maskWith applies some rules to a line. None of them puts the mark of another one into it.
func maskWith(line string, of markSet, next nextFunc) string {
	if of&markNested != 0 {
		line = maskNested(line, next)
	}
	if of&markService != 0 {
		line = maskPlaces(line, next, markService, serviceToken)
	}
	for _, r := range secretRules {
		if of&r.mark != 0 {
			line = r.pattern.ReplaceAllString(line, r.with)
		}
	}
	if of&markPassword != 0 {
		line = maskURLs(line, next)
	}
	if of&markKeyed != 0 {
		line = maskPlaces(line, next, markKeyed, valueOfName)
	}
	return line
}

// maskPlaces masks what a rule finds at its marks: place is that of the secret that a mark begins or names, and next finds them.
func maskPlaces(text string, next nextFunc, mark markSet, place func(text string, i int) (from, to int)) string {
	var b strings.Builder
	done := 0 // all before it is written
	for i, of := next(text, 0, mark); of != 0; i, of = next(text, i, mark) {
		from, to := place(text, i)
		if to <= from || from < done {
			i++
			continue
		}
		b.WriteString(text[done:from])
		b.WriteString(Masked)
		done, i = to, to
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// secretRules are secrets that are known by their own form, wherever they stand.
var secretRules = []struct {
	mark    markSet
	pattern *regexp.Regexp
	with    string
}{
	// A private key, from its first line; and the same as base64, as a kubeconfig and a Secret hold it.
	{markPrivateKey, regexp.MustCompile(`(-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}).*`), "${1}" + Masked},
	{markEncodedKey, regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*`), Masked},
	// A JSON Web Token: two or three parts in base64url, of which the first is an object.
	{markWebToken, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`), Masked},
	// HTTP authentication.
	{markAuthentication, regexp.MustCompile(`(?i)\b(bearer|basic|negotiate)\s+(?:[A-Za-z0-9._~+/-]{16,}=*|[A-Za-z0-9+/]{2,}={1,2})`),
		"${1} " + Masked},
	// A key of Ceph, of NVMe and of an Azure storage account, a password's hash, and the entry of a registry in the configuration of docker.
	{markKeys, regexp.MustCompile(`\b(?:AQ[A-Za-z0-9+/]{36}==|DHHC-1:0[0-3]:[A-Za-z0-9+/]{8,}={0,2}|[A-Za-z0-9+/]{86}==)`), Masked},
	{markHash, regexp.MustCompile(`\$(?:[156y]|2[abxy]|apr1|argon2id?)\$[^\s:"'\\]{12,}`), Masked},
	{markDocker, regexp.MustCompile(`(\\*"auth\\*"\s*:\s*\\*")[A-Za-z0-9+/]+=*`), "${1}" + Masked},
	// A user with a password, as an argument of curl, as the name of a database, and of the client of MySQL.
	{markCurl, regexp.MustCompile(`(\b(?:curl|etcdctl|govc)\b.*?\s(?:-[A-Za-z]*[uU]|--(?:proxy-)?user)[ =]?["']?[^\s:"']*:)[^\s"']+`), "${1}" + Masked},
	{markCurl, regexp.MustCompile(`(\bcurl\b.*?\s(?:-b|--cookie)[ =]?["']?[^\s=;"']+=)[^\s"']+`), "${1}" + Masked},
	// Passwords that are the arguments of other programs' short flags: BMCs, fencing agents, clients of databases, directories and registries.
	{markCommand, regexp.MustCompile(`(\b(?:(?:ipmitool|(?:un)?zip)\b.*?[\s"',]-P|(?:fence_[a-z0-9_]+|sshpass|mongo[a-z]*|useradd|usermod|7z[a-z]?|racadm|storcli[0-9]*|perccli[0-9]*|pcs|esxcli)\b.*?[\s"',]-p|` +
		`redis-cli\b.*?[\s"',]-a|(?:ldap[a-z]+|kadmin)\b.*?[\s"',]-w|kadmin\b.*\s-pw|snmp[a-z]+\b.*?[\s"',]-[cAX]|` +
		`wpa_passphrase\s+\S+|hdparm\b.*?--security-[a-z-]+|virsh\b.*?--base64|mc\b.*?\b(?:alias\s+set|host\s+add)\s+\S+\s+\S+\s+\S+|openssl\b.*?[\s"',]-[kK]|` +
		`(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|argocd)\b.*?\blogin\b.*?[\s"',]-p)[\s"',=]*)[^\s"',]+`), "${1}" + Masked},
	{markCommand, regexp.MustCompile(`(\b(?:echo|printf)\s+(?:-n\s+)?(?:["']?%s(?:\\n)?["']?\s+)?["']?(?:[^\s:"']+:)?)[^\s"':]+(["']?\s*\|.*\b(?:chpasswd|passwd\s+--stdin|cryptsetup|sudo\s.*-S|login\b.*--password-stdin))`),
		"${1}" + Masked + "${2}"},
	{markCommand, regexp.MustCompile(`(\b(?:cifs|smb[a-z]+|rpcclient|net)\b.*?(?:user(?:name)?=|-U[ =]?)["']?[^\s,%"']+%|--from-literal[ =]["']?[^\s="']+=|\bshared-secret\s+")` +
		`[^\s,;"']+`), "${1}" + Masked},
	{markCommand, regexp.MustCompile(`(\bsnmp[a-z]+\b.*?[\s"',]-X[\s"',=]*)[^\s"',]+`), "${1}" + Masked},
	// A row of a table, as the clients of clouds print it.
	{markKeyed, regexp.MustCompile(`^(\|\s+[A-Za-z_.-]*(?i:pass|password|secret|token|secret[ _-]?key)\s+\|\s*)[^|\s]+`), "${1}" + Masked},
	// What stands for a user and a password where no flag says so: of registries, of Oracle's client, and the address of vCenter.
	{markPair, regexp.MustCompile(`(?i)((?:-creds[ =]|\bgovc_url=|--(?:basic-|http-)?auth[ =])["']?[^\s:/"']+:)[^\s"'/][^\s"']*?(@|["'\s]|$)`), "${1}" + Masked + "${2}"},
	{markPair, regexp.MustCompile(`((?:\bsqlplus\b.*?\s|jdbc:oracle:[a-z0-9]+:)[^\s/@"':]+/)[^\s"'/]+?(@)`), "${1}" + Masked + "${2}"},
	{markPair, regexp.MustCompile(`(?i)(\bidentified by ["'])[^"']+`), "${1}" + Masked},
	// The token with which a node joins K3s and RKE2: the hash of the CA, the user and the password.
	{markJoin, regexp.MustCompile(`\b(K10[0-9a-f]{16,}::)[^\s"',]+`), "${1}" + Masked},
	{markDSN, regexp.MustCompile(`(:)[^\s:"']+(@(?:tcp|unix)?\()`), "${1}" + Masked + "${2}"},
	{markMySQL, regexp.MustCompile(`(\b(?:mysql|mariadb)[a-z_-]*(?:["',\s].*?)?[\s"',]-p["']?)[^\s"',]+`), "${1}" + Masked},
	// The signature of a URL that is signed, and a key that is its parameter.
	{markSignature, regexp.MustCompile(`(?i)((?:[?&]|u0026|&amp;)(?:sig|key|code|auth|signature|x-amz-signature|x-goog-signature|` +
		`x-amz-security-token)=)[^&\s"'\\]+`), "${1}" + Masked},
}

// Quote quotes a record without its secrets, and cuts it at a rune boundary when it is longer than model.MaxQuote. The hash is of the
// masked record: that of a line with a password would confirm a guess.
func Quote(record string) model.Quote {
	record = Text(record)
	sum := sha256.Sum256([]byte(record))
	q := model.Quote{Text: record, SHA256: hex.EncodeToString(sum[:])}
	if len(record) > model.MaxQuote {
		end := model.MaxQuote
		for end > model.MaxQuote-utf8.UTFMax && !utf8.RuneStart(record[end]) {
			end--
		}
		// A part of Masked would be taken for text of the source.
		if n := strings.LastIndex(record[:min(len(record), end+len(Masked)-1)], Masked); n >= 0 && n < end && n+len(Masked) > end {
			end = n
		}
		// The copy lets go of the long record.
		q.Text, q.Truncated = string([]byte(record[:end])), true
	}
	return q
}
