package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model/words"
)

// answers are the columns of fields that a command with -o jsonpath asks for alone, and that say what a row with such a column says.
var answers = []string{"node", "claims", "volume", "condition", "attached"}

// What is said back of another field is its value, where the field is no list and holds neither a secret nor a program.
var (
	firstField = regexp.MustCompile(`^\{(\.[^{}]+)\}`)
	plainPath  = regexp.MustCompile(`^\{\.(?:(?:spec|status)(?:\.[a-z][A-Za-z]*)*\.)?([a-z][A-Za-z]*)\}$`)
	plainValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$`)
)

// answered takes the line below a command that asks for one field of one object. A phase is the state itself.
func (r *reader) answered(l line) bool {
	c := r.command
	if c.template == "" || c.columns != nil || c.name == "" {
		return false
	}
	r.command.template = "" // it prints one line
	value := strings.Join(strings.Fields(l.text), ",")
	if m := firstField.FindStringSubmatch(c.template); m != nil && printsFields[c.kind] != nil {
		if field := fieldName(m[1]); slices.Contains(answers, field) && (field != "node" || c.kind == "Pod") {
			return r.takeRow(&tableKind{read: printsFields[c.kind]}, newCells([]string{"name", field}, []string{c.name, value}), l)
		}
	}
	m := plainPath.FindStringSubmatch(c.template)
	if m == nil || c.kind == "" || !plainValue.MatchString(value) {
		return false
	}
	o := shown(c.kind, c.name, words.If(m[1] != "phase", m[1]+"=")+value)
	if !manifest.ClusterScoped(c.kind) {
		o.Object.Namespace = r.namespace()
	}
	return r.tell(l, o)
}

// maxContinued bounds a command that goes over several lines, in bytes.
const maxContinued = 4096

// continued joins a command that goes on in the next line, which a backslash says. It returns false while it does.
func (r *reader) continued(s string) (whole string, ok bool) {
	if r.half == "" {
		if _, command := afterTool(s); !command || !strings.HasSuffix(s, `\`) {
			return s, true
		}
	}
	rest, more := strings.CutSuffix(s, `\`)
	r.half += strings.TrimSpace(rest) + " "
	if more && len(r.half) < maxContinued {
		return "", false
	}
	whole, r.half = strings.TrimSpace(r.half), ""
	return whole, true
}
