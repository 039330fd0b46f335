package redact

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/fields"
	"github.com/volpost/volpost/model/words"
)

// Report gives the names back to a redacted report, in a copy. ErrOtherKey: it is of another key, or not redacted.
func (k *Key) Report(r *model.Report) (*model.Report, error) {
	if r.Redaction == nil || r.Redaction.Key != k.Of || r.Bundle.Root != k.Of {
		return nil, ErrOtherKey
	}
	back := k.reverse()
	out := fields.Texts(r, back.text)
	out.Bundle.Root, out.Redaction = k.Root, nil
	return out, nil
}

// Mark is what an output that names no bundle ends with, so that its key can be found.
func Mark(format, of string) string {
	text := "Names are pseudonyms of " + of + "."
	switch format {
	case "csv", "json":
		return "" // one has no place for it, the other a field
	case "dot":
		text = "// " + text
	case "html", "svg":
		text = "<!-- " + text + " -->"
	}
	return "\n" + text + "\n"
}

// marked finds it, and the field, to take it away.
var (
	marked    = regexp.MustCompile(`\n(?:(?:// |<!-- )?Names are pseudonyms of ` + aRoot + `\.(?: -->)?|  "pseudonymsOf": "` + aRoot + `",)\n`)
	otherRoot = regexp.MustCompile(aRoot)
)

const aRoot = rootPrefix + `[0-9a-f]{12}`

// Text gives the names back that stand whole in a rendered text. ErrOtherKey: it is of another key.
func (k *Key) Text(s string) (string, error) {
	for _, m := range otherRoot.FindAllString(s, -1) {
		if m != k.Of {
			return "", ErrOtherKey
		}
	}
	s = marked.ReplaceAllStringFunc(s, func(mark string) string {
		return words.If(strings.Contains(mark, `"pseudonymsOf"`), "\n")
	})
	return strings.ReplaceAll(k.reverse().text(s), k.Of, k.Root), nil
}

// reverse maps pseudonyms in lower case to names.
type reverse map[string]string

func (k *Key) reverse() reverse {
	out := make(reverse, len(k.Names))
	for _, n := range k.Names {
		out[n.Pseudonym] = n.Name
	}
	return out
}

// text gives names back to a text.
func (b reverse) text(s string) string {
	var out strings.Builder
	for s != "" {
		from, to, name := b.unitAt(s)
		if to == 0 {
			from, to = len(s), len(s)
		}
		for _, p := range pieces(s[:from]) {
			if !p.run {
				out.WriteString(p.text)
				continue
			}
			for _, q := range segments(p.text) {
				out.WriteString(b.segment(q.text))
			}
		}
		out.WriteString(name)
		s = s[to:]
	}
	return out.String()
}

// unitAt is where the next unit stands that is a pseudonym, with its name.
func (b reverse) unitAt(s string) (from, to int, name string) {
	for base := 0; ; base = from + 1 {
		if from, to = unitFrom(s, base); to == 0 {
			return 0, 0, ""
		}
		if name, ok := b.unit(s[from:to]); ok && bounded(s, from, to, formOf(s[from:to])) {
			return from, to, name
		}
	}
}

var dashed = regexp.MustCompile(`^\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}$`)

func (b reverse) unit(s string) (string, bool) {
	lower := strings.ToLower(s)
	isDashed := dashed.MatchString(s)
	if isDashed {
		lower = strings.ReplaceAll(lower, "-", ".")
	}
	name, ok := b[lower]
	if isDashed {
		name = strings.ReplaceAll(name, ".", "-")
	}
	if s != strings.ToLower(s) {
		name = strings.ToUpper(name)
	}
	return name, ok
}

// segment is the name of a pseudonym, in its spelling; any other segment as it is.
func (b reverse) segment(s string) string {
	name, ok := b[strings.ToLower(s)]
	if sp := spellingOf(s); !ok || sp == mixed {
		return s
	} else if spellingOf(name) == mixed || name != strings.ToLower(name) {
		return name
	} else {
		return sp.as(name)
	}
}
