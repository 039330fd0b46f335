package mask

import (
	_ "embed" // the list
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

// maskServices masks the tokens of services. next finds where one can begin.
func maskServices(line string, next nextFunc) string {
	var b strings.Builder
	done := 0
	for i, of := next(line, 0, markService); of != 0; i, of = next(line, i, markService) {
		n := serviceToken(line, i)
		if n == 0 {
			i++
			continue
		}
		b.WriteString(line[done:i])
		b.WriteString(Masked)
		i += n
		done = i
	}
	if done == 0 {
		return line
	}
	return b.String() + line[done:]
}

// serviceToken is the length of the token that begins at i; 0 when none does.
func serviceToken(line string, i int) int {
	if i > 0 && wordByte(line[i-1]) {
		return 0
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
			return end - i
		}
	}
	return 0
}

func tokenByte(c byte) bool { return wordByte(c) || strings.IndexByte("-.~+/=", c) >= 0 }
