package table

import (
	"bytes"
	"regexp"
	"sync"
)

// Split parts a paste into its text and the objects that kubectl get -o yaml or -o json printed below their commands. Each
// has an empty line for every line of the other, so that lines keep their numbers. objects is nil when there are none.
//
// An object counts directly below the command that printed it. Prose about Kubernetes is full of examples: elsewhere one counts when
// it has what only the API server writes, and a StorageClass always, of which it writes nothing that matters.
func Split(data []byte) (text, objects []byte) {
	var s splitter
	for l := range bytes.Lines(data) {
		s.line(l)
	}
	s.endBlock()
	if !s.found {
		return data, nil
	}
	return s.text, s.objects
}

// splitter is a paste that is being parted.
type splitter struct {
	text, objects []byte
	found         bool
	inYAML        bool
	inJSON        bool
	below         bool // the line above is a command, but for blank lines and fences
	indent        int  // blanks before each line of what is read: a list in Markdown indents it

	block [][]byte // lines of YAML below no command, without the blanks before them
	whole [][]byte // the same as they are
}

var (
	// topKey is a key at the margin of an object, or a list's item; descriptions begin theirs with a capital.
	topKey    = regexp.MustCompile(`^(?:[a-z][A-Za-z]*: |[a-z][A-Za-z]*:$|- |---|\.\.\.$|#)`)
	firstKey  = regexp.MustCompile(`^(?:apiVersion|kind|items|metadata):`)
	firstJSON = regexp.MustCompile(`^\{ *$`)
	// printed is a block of YAML that a cluster printed, or of a kind that it prints as it was given.
	printed = regexp.MustCompile(`(?m)^ +(?:uid|resourceVersion): +["0-9a-f]|^(?:- )?kind: StorageClass\r?$`)
	typed   = regexp.MustCompile(`(?m)^(?:- )?apiVersion: `)
	// made is a command whose objects are those that a filter of jq makes of the API's.
	made = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\| *jq\b.*\{`) })
)

func (s *splitter) line(whole []byte) {
	l := s.atMargin(whole)
	bare := bytes.TrimRight(l, "\r\n")
	switch {
	case s.inJSON:
		s.inJSON = string(bare) != "}"
		s.add(true, whole, l)
		return
	case s.inYAML && (len(bare) == 0 || bare[0] == ' ' || topKey.Match(bare)):
		s.add(true, whole, l)
		return
	case s.below && firstKey.Match(bare):
		s.inYAML = true
	case s.below && firstJSON.Match(bare):
		s.inJSON = true
	default:
		s.inYAML = false
		s.terminal(whole, l, bare)
		return
	}
	s.endBlock()
	s.separate()
	s.below = false
	s.add(true, whole, l)
}

// atMargin is a line without the blanks that stand before each line of an object.
func (s *splitter) atMargin(l []byte) []byte {
	n := len(l) - len(bytes.TrimLeft(l, " "))
	switch {
	case s.inYAML || s.inJSON:
	case n > 0 && n <= maxIndent && beginsObject(l[n:], s.below) && !typed.Match(bytes.Join(s.block, nil)):
		s.endBlock()
		s.indent = n
	case s.block == nil:
		s.indent = 0
	}
	return dedent(l, s.indent)
}

// maxIndent is how far a page may indent what a cluster printed.
const maxIndent = 16

// beginsObject reports the first line of an object, below a command or by itself.
func beginsObject(l []byte, below bool) bool {
	if bytes.HasPrefix(bytes.TrimPrefix(l, []byte("- ")), []byte("apiVersion: ")) {
		return true
	}
	return below && (firstKey.Match(l) || firstJSON.Match(bytes.TrimRight(l, "\r\n")))
}

// dedent takes so many blanks off a line, as far as it has them.
func dedent(l []byte, n int) []byte {
	if n > len(l) {
		n = len(l)
	}
	return l[len(l[:n])-len(bytes.TrimLeft(l[:n], " ")):]
}

// add takes a line, of an object or of the terminal.
func (s *splitter) add(object bool, whole, l []byte) {
	if object {
		s.objects, s.text = append(s.objects, l...), append(s.text, newline(l)...)
	} else {
		s.objects, s.text = append(s.objects, newline(l)...), append(s.text, whole...)
	}
}

// terminal takes a line that no command printed as an object. A block of YAML begins at the margin and ends with a blank line, a fence or words.
func (s *splitter) terminal(whole, l, bare []byte) {
	if len(bare) > 0 && (topKey.Match(bare) || bare[0] == ' ' && s.block != nil) {
		s.block, s.whole = append(s.block, l), append(s.whole, whole)
	} else {
		s.endBlock()
		s.add(false, whole, l)
	}
	if text := clean(string(bare[:min(len(bare), maxLine)])); text != "" && !fenced(text) {
		c, ok := parseCommand(text)
		s.below = ok && c.verb == "get" && !made().MatchString(text)
	}
}

// endBlock takes the block for objects when it is of a cluster.
func (s *splitter) endBlock() {
	block, whole := s.block, s.whole
	s.block, s.whole = nil, nil
	text := bytes.Join(block, nil)
	object := typed.Match(text) && printed.Match(text)
	if object {
		s.separate()
	}
	for i, l := range block {
		s.add(object, whole[i], l)
	}
}

// separate begins an object, and ends the document above in the place of the line before, which is none of an object.
func (s *splitter) separate() {
	if n := len(s.objects); s.found && n > 0 && s.objects[n-1] == '\n' {
		s.objects = append(s.objects[:n-1], "---\n"...)
	}
	s.found = true
}

func newline(l []byte) []byte {
	if bytes.HasSuffix(l, []byte{'\n'}) {
		return l[len(l)-1:]
	}
	return nil
}
