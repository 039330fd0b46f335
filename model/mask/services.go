package mask

import (
	_ "embed" // the list
	"regexp"
	"strconv"
	"strings"
)

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
		for end < len(line) && tokenByte(line[end]) {
			end++
		}
		if end-i-len(s.prefix) >= s.length {
			return i, end + len(ofAWS.FindString(clip(line[end:])))
		}
	}
	return 0, 0
}

func tokenByte(c byte) bool { return wordByte(c) || strings.IndexByte("-.~+/=", c) >= 0 }
