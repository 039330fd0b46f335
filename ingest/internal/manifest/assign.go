package manifest

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// assigned decodes nodes into a type, twice as fast as encoding/json, which has to judge where it is in doubt: of values of another type than
// their field, of keys that come twice, of aliases.
func assigned[V any](meta func(*V) metav1.Object) func(root *yaml.Node, isJSON bool, memory *scratch) (metav1.Object, any, bool) {
	return func(root *yaml.Node, isJSON bool, memory *scratch) (metav1.Object, any, bool) {
		value := new(V)
		a := assigner{json: isJSON, out: memory.text[:0]}
		ok := a.value(root) && json.Unmarshal(a.out, value, json.MatchCaseInsensitiveNames(true), times) == nil
		memory.text = a.out
		return meta(value), value, ok
	}
}

// times spares those of Kubernetes encoding/json, which they ask for each.
var times = json.WithUnmarshalers(json.UnmarshalFromFunc(func(in *jsontext.Decoder, t *metav1.Time) error {
	token, err := in.ReadToken()
	if err != nil || token.Kind() == 'n' {
		return err
	}
	at, err := time.Parse(time.RFC3339, token.String())
	t.Time = at.Local()
	return err
}))

// assigner writes nodes as JSON.
type assigner struct {
	json bool // the nodes are of JSON
	out  []byte
}

// value writes a node; false where what it stands for is in doubt.
func (a *assigner) value(n *yaml.Node) bool {
	switch n.Kind {
	case yaml.MappingNode:
		return a.list(n, '{', '}')
	case yaml.SequenceNode:
		return a.list(n, '[', ']')
	case yaml.ScalarNode:
		return a.scalar(n)
	}
	return false
}

func (a *assigner) list(n *yaml.Node, open, end byte) bool {
	a.out = append(a.out, open)
	for i, child := range n.Content {
		key := open == '{' && i%2 == 0
		if i > 0 && open == '{' && !key {
			a.out = append(a.out, ':')
		} else if i > 0 {
			a.out = append(a.out, ',')
		}
		if key && !isText(child) || !a.value(child) {
			return false
		}
	}
	a.out = append(a.out, end)
	return true
}

func (a *assigner) scalar(n *yaml.Node) bool {
	switch text := n.Value; {
	case n.Tag == "!!null", !a.json && absent(n):
		a.out = append(a.out, "null"...)
	case n.Tag == "!!str":
		var err error
		a.out, err = jsontext.AppendQuote(a.out, text)
		return err == nil && !mayCost(text)
	case n.Tag == "!!bool" && (text == "true" || text == "false"), a.json && !mayCost(text):
		a.out = append(a.out, text...)
	case n.Tag == "!!int":
		i, err := strconv.ParseInt(text, 10, 64)
		a.out = append(a.out, text...)
		return err == nil && strconv.FormatInt(i, 10) == text
	default:
		return false
	}
	return true
}

// mayCost reports whether a text may be a number that takes long to read as a quantity: see costly.
func mayCost(text string) bool {
	if text == "" || text[0] > '9' {
		return false
	}
	rest := strings.TrimLeft(text, "+-.0123456789")
	return (len(text)-len(rest) >= 1000 || rest != "" && rest[0]|0x20 == 'e') && costly.MatchString(`"`+text+`"`)
}

func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!str" }

// absent reports whether a field with this value counts as not there: support-bundle-kit writes the string "null".
func absent(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "null" && n.Tag == "!!str"
}
