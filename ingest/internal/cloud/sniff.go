package cloud

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/volpost/volpost/ingest/internal/manifest"
)

const q = `\\*"?` // a quotation mark, escaped inside of another text, or none in YAML

// signs are fields with their values that only a cloud's form has; all of a row have to be there. JSON, YAML, or JSON in a text. The word,
// in small letters, stands in one of them: most files hold none of the words, and the search for fields takes a thousand times as long.
var signs = []struct {
	word   string
	fields []func() *regexp.Regexp
}{
	{"instanceid", all(field("InstanceId", `i-[0-9a-f]`), field("(?:Instance)?State", `[^,]`))},
	{"volumeid", all(field("VolumeId", `vol-[0-9a-f]`), field("(?:Attachments|Device)", ``))},
	{"ec2.amazonaws.com", all(field("eventSource", `ec2\.amazonaws\.com`), field("eventName", `\w+(?:Instances|Volume)`))},
	{"compute#", all(field("kind", `compute#(?:instance|disk)\b`))},
	{"compute.instances.", all(field("methodName", `(?:(?:v1|beta|alpha)\.)?compute\.instances\.`),
		field("serviceName", `compute\.googleapis\.com`))},
	{"microsoft.compute", all(field("id", `(?i:/subscriptions/[^"]*/providers/Microsoft\.Compute/)`),
		field("(?:powerState|statuses|dataDisks|diskState)", ``))},
	{"os-ext-sts:vm_state", all(field("OS-EXT-STS:vm_state", ``))},
	{"bootable", all(field("attachments", ``), field("bootable", ``), field("size", `\d`))},
	{"attachment_id", all(field("attachment_id", ``), field("server_id", ``), field("status", ``))},
	{"pvcref", all(field("pvcRef", ``), field("usedBytes", `\d`), field("capacityBytes", `\d`))},
}

func all(fields ...func() *regexp.Regexp) []func() *regexp.Regexp { return fields }

// objects of Kubernetes, and entries of its audit log, which other readers take, name such things, too.
var others = regexp.MustCompile(`"?apiVersion"?: *"?(?:v1|[a-z0-9.-]+/v1)|io\.k8s\.|"k8s_`)

func field(name, value string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)(?:^|[{,\s\[-])` + q + name + q + `\s*:\s*` + q + value)
	})
}

// Sniff says from the first bytes of a file whether it holds what a cloud says of its machines or disks. The bytes may end anywhere.
func Sniff(head []byte) bool {
	body := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return (opensJSON(body) || yamlKey.Match(body)) && speaks(body)
}

// yamlKey is the beginning of an answer in YAML: a key or a list's item at the margin.
var yamlKey = regexp.MustCompile(`^(?:---\s*\n)?(?:- )?[A-Za-z][\w:-]*:(?: |\n)`)

func speaks(text []byte) bool {
	lower := bytes.ToLower(text)
	for _, row := range signs {
		missing := func(f func() *regexp.Regexp) bool { return !f().Match(text) }
		if bytes.Contains(lower, []byte(row.word)) && !slices.ContainsFunc(row.fields, missing) {
			return !others.Match(text)
		}
	}
	return false
}

// Piece is an answer inside of a pasted text.
type Piece struct {
	Text []byte
	Line int // of the text, from 1
}

// maxTries bounds how many values of JSON are looked for in one paste; one of objects of Kubernetes is no answer.
const maxTries = 64

// command is the call, below a prompt or not, whose answer stands below it.
var command = regexp.MustCompile(`^(?:\S*[$#>%] *)?(?:aws (?:ec2|cloudtrail) |gcloud (?:compute|logging) |az (?:vm|disk) |openstack (?:server|volume) )`)

// Split takes the answers out of a pasted text: each has an empty line for its own in what is left, so that lines keep their numbers.
func Split(data []byte) (text []byte, pieces []Piece) {
	at, line, tries := 0, 1, 0
	below := false
	for at < len(data) {
		end := lineEnd(data, at)
		row := bytes.TrimSpace(data[at:end])
		stop := 0
		if opensJSON(row) && tries < maxTries {
			tries++
			stop = at + valueEnd(data[at:])
		} else if below && yamlKey.Match(append(bytes.Clone(row), '\n')) {
			stop = blockEnd(data, at)
		}
		if stop > at && speaks(data[at:stop]) {
			pieces = append(pieces, Piece{data[at:stop], line})
			n := bytes.Count(data[at:stop], []byte{'\n'})
			text = append(text, bytes.Repeat([]byte{'\n'}, n)...)
			at, line, below = stop, line+n, false
			continue
		}
		if len(row) > 0 {
			below = command.Match(row)
		}
		text = append(text, data[at:end]...)
		at, line = end, line+1
	}
	if pieces == nil {
		return data, nil
	}
	return text, pieces
}

func lineEnd(data []byte, at int) int {
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(data)
}

// valueEnd is how long the value of JSON is that a text begins with; 0 when it is none.
func valueEnd(data []byte) int {
	if end, ok := manifest.JSONEnd(data, 0); ok {
		return end
	}
	return 0
}

// blockEnd is where a block of YAML ends: at a blank line, a fence or a prompt.
func blockEnd(data []byte, at int) int {
	for at < len(data) {
		end := lineEnd(data, at)
		row := bytes.TrimSpace(data[at:end])
		if len(row) == 0 || bytes.HasPrefix(row, []byte("```")) || row[0] == '$' {
			return at
		}
		at = end
	}
	return at
}
