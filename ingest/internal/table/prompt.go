package table

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// command is what a pasted kubectl command line says of the output below it. Empty fields are not said.
type command struct {
	verb      string // get, describe, events or exec
	kind      string // "" for one that is not read
	name      string
	namespace string
	template  string    // of -o jsonpath, without blanks
	filtered  bool      // it asks for a part of the objects only, or a program behind it passes on a part
	taint     string    // that it sets on a node, or takes away
	replicas  string    // to which it scales
	unholds   bool      // it is a patch that takes finalizers away
	acts      string    // itself in short, of one that is to change an object, which is no rehearsal
	target    model.Ref // that object
	columns   []string  // what it prints of each object, in order, where its template says so: the fields of fieldNames
}

// describesOne reports that it describes one pod or node.
func (c command) describesOne() bool {
	return c.verb == "describe" && (c.kind == "Pod" || c.kind == "Node") && c.name != ""
}

// tools are the names under which kubectl runs.
var tools = [...]string{"kubectl ", "oc ", "k "}

// maxPrompt is how long a prompt may be, in bytes.
const maxPrompt = 160

// afterTool is what follows kubectl behind a prompt, or alone at the beginning of a line.
func afterTool(s string) (string, bool) {
	for _, tool := range tools {
		i := strings.Index(s, tool)
		if i < 0 || i > maxPrompt || i > 0 && strings.IndexByte(" $#>", s[i-1]) < 0 {
			continue
		}
		if isPrompt(s[:i]) {
			return s[i+len(tool):], true
		}
	}
	return "", false
}

// wrappers are commands that run another, which stands behind them, or that print no table before it.
var wrappers = regexp.MustCompile(`(?:^|[ $#%>])(?:sudo|time|k3s|microk8s|watch(?: -n ?[0-9.]+)?|` +
	`(?:date|clear)(?: [+-]\S+)* *(?:;|&&)) *$`)

// maxWrappers is how many of them are looked through, such as in "time sudo k3s kubectl".
const maxWrappers = 4

// watched is the title that watch prints above the output.
var watched = regexp.MustCompile(`^ *Every [0-9.,]+s:$`)

// numbered is the number of a step in a list of commands.
var numbered = regexp.MustCompile(`^ *\d{1,2}[.)]$`)

// promptSign are the signs that shells use.
var promptSign = regexp.MustCompile(`[$#%>❯»λ✗]$`)

// isPrompt reports whether a text is one, or nothing: it ends in a sign that shells use, and holds no sentence.
func isPrompt(s string) bool {
	s = strings.TrimRight(s, " ")
	for range maxWrappers {
		at := wrappers.FindStringIndex(s)
		if at == nil {
			break
		}
		if at[0] > 0 || strings.ContainsRune("$#%>", rune(s[0])) {
			at[0]++ // the blank or the prompt's sign before the wrapper
		}
		s = strings.TrimRight(s[:at[0]], " ")
	}
	if s == "" || watched.MatchString(s) || strings.HasPrefix(s, "➜") { // oh-my-zsh has it in front of the directory
		return true
	}
	return !strings.ContainsAny(s, `"'=`) && (numbered.MatchString(s) || promptSign.MatchString(s))
}

// unholding is the part of a patch that takes the finalizers of an object away: of a merge, or an operation of JSON.
var unholding = regexp.MustCompile(`"finalizers": *(?:null|\[ *\])|"op": *"remove", *"path": *"/metadata/finalizers|"path": *"/metadata/finalizers[^"]*", *"op": *"remove"`)

// objectName is a DNS subdomain: what Kubernetes allows in the names used here.
var objectName = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$`)

// flagsWithValue are those flags of kubectl that take the next word.
var flagsWithValue = map[string]bool{
	"-n": true, "--namespace": true, "-l": true, "--selector": true, "-o": true, "--output": true, "--context": true,
	"--kubeconfig": true, "--replicas": true, "--field-selector": true, "--sort-by": true, "--cluster": true, "--user": true, "--for": true,
}

// digits is a number of replicas.
var digits = regexp.MustCompile(`^\d{1,5}$`)

// parseCommand reads a prompt with kubectl get, describe or events. Any other command of kubectl ends what stands above it, too.
func parseCommand(s string) (command, bool) {
	if inner, ok := strings.CutPrefix(strings.TrimSuffix(s, ":"), "`"); ok { // as inline code of Markdown, on a line of its own
		if code, rest, ok := strings.Cut(inner, "`"); ok && rest == "" {
			s = code
		}
	}
	rest, ok := afterTool(s)
	if !ok {
		return command{}, false
	}
	var c command
	var words []string
	forced, rehearsed := false, false
	rest, c.template, c.columns = cutTemplate(rest)
	rest, _, _ = strings.Cut(rest, ";") // what is behind it is another command
	fields := strings.Fields(rest)
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if strings.ContainsAny(f, "|;&<>") {
			c.filtered = c.filtered || strings.Contains(f, "|")
			break
		}
		if !strings.HasPrefix(f, "-") {
			words = append(words, f)
			continue
		}
		flag, value, joined := strings.Cut(f, "=")
		c.filtered = c.filtered || slices.Contains([]string{"-l", "--selector", "--field-selector"}, flag)
		if !joined && flagsWithValue[flag] && i+1 < len(fields) {
			i++
			value = fields[i]
		}
		forced = forced || flag == "--force" && value != "false"
		rehearsed = rehearsed || flag == "--dry-run" && value != "none" && value != "false"
		if flag == "--replicas" && digits.MatchString(value) {
			c.replicas = value
		}
		if flag == "-n" || flag == "--namespace" {
			c.namespace = validName(value)
		} else if strings.HasPrefix(f, "-n") && !joined && len(f) > 2 && f[2] != '-' {
			c.namespace = validName(f[2:])
		}
	}
	if len(words) == 0 || words[0][0] < 'a' || words[0][0] > 'z' {
		return command{}, false
	}
	c.unholds = words[0] == "patch" && unholding.MatchString(rest)
	if !rehearsed {
		c = c.asking(words, forced)
	}
	return c.object(words)
}

// object takes verb, kind and name from the words that are no flags.
func (c command) object(words []string) (command, bool) {
	switch words[0] {
	case "get", "describe", "events":
		c.verb = words[0]
	case "taint":
		for _, w := range words {
			key, removed := strings.CutSuffix(w, "-")
			if taintText.MatchString(key) || removed && strings.Contains(key, "/") {
				c.taint = key
			}
		}
		return c, true
	case "exec":
		if len(words) > 1 { // the pod in which a command ran
			c.name = validName(strings.TrimPrefix(strings.TrimPrefix(words[1], "pod/"), "pods/"))
		}
		return command{verb: "exec", kind: "Pod", namespace: c.namespace, name: c.name}, true
	default:
		return command{namespace: c.namespace, replicas: c.replicas, unholds: c.unholds, acts: c.acts, target: c.target}, true
	}
	if len(words) < 2 {
		return c, true
	}
	kind, name, slash := strings.Cut(words[1], "/")
	kind, _, _ = strings.Cut(kind, ".") // volumeattachments.storage.k8s.io
	c.kind = manifest.KindCalled(kind)
	if slash && len(words) == 2 {
		c.name = validName(name)
	} else if !slash && len(words) == 3 {
		c.name = validName(words[2])
	}
	c.filtered = c.filtered || slash || len(words) > 2
	return c, true
}

// maxName is the length of the longest name.
const maxName = 253

// nameText reports whether a text can be the name of an object.
func nameText(s string) bool { return len(s) <= maxName && objectName.MatchString(s) }

// validName drops placeholders such as <pod> and $POD.
func validName(s string) string {
	if nameText(s) {
		return s
	}
	return ""
}

// contextFlag is the context of the kubeconfig that a command names, or to which it changes.
var contextFlag = regexp.MustCompile(` (?:--context[ =]|config use-context )(\S+)`)

// Contexts are the contexts that the commands of a paste name.
func Contexts(text []byte) (names []string) {
	eachContext(text, func(_ []byte, name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// OfContext is what the commands of a context printed, and no other: each other line is empty. What stands above the first command is the
// first context's, and of a command that names none nothing tells, unless it was changed to before.
func OfContext(text []byte, name string) []byte {
	var out []byte
	eachContext(text, func(line []byte, of string) {
		if of != name {
			line = line[len(bytes.TrimRight(line, "\r\n")):]
		}
		out = append(out, line...)
	})
	return out
}

// eachContext gives each line with the context of the command that it stands below.
func eachContext(text []byte, line func(line []byte, name string)) {
	var above [][]byte // the first command
	now, used, begun := "", "", false
	for l := range bytes.Lines(text) {
		if rest, ok := afterTool(string(bytes.TrimRight(l, "\r\n"))); ok {
			now = used
			if m := contextFlag.FindStringSubmatch(" " + rest); m != nil {
				if now = m[1]; bytes.Contains(l, []byte("use-context")) {
					used = now
				}
			}
			for _, a := range above {
				line(a, now)
			}
			above, begun = nil, true
		}
		if !begun {
			above = append(above, l)
			continue
		}
		line(l, now)
	}
	for _, a := range above {
		line(a, "")
	}
}
