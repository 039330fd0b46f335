package phrase

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// objectRef is how klog's JSON format writes a reference since Kubernetes 1.23; before that, and in text, it is namespace/name.
type objectRef struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// name reads the name of a reference to a cluster-scoped object, such as node="node-a" or "node":{"name":"node-a"}.
func name(value string) string {
	if strings.HasPrefix(value, "{") {
		var r objectRef
		if json.Unmarshal([]byte(value), &r) == nil {
			return r.Name
		}
	}
	return value
}

// pod reads a reference to a pod: namespace/name, namespace/name:uid (≥ 1.33), or an object.
func pod(value string) model.Ref {
	if strings.HasPrefix(value, "{") {
		var r objectRef
		if json.Unmarshal([]byte(value), &r) == nil && r.Name != "" {
			return model.PodRef(r.Namespace, r.Name, "")
		}
		return model.Ref{}
	}
	value = strings.Trim(value, `"`)
	value, uid, _ := strings.Cut(value, ":")
	namespace, podName, ok := strings.Cut(value, "/")
	if !ok {
		namespace, podName = "", value
	}
	if podName == "" || strings.ContainsAny(podName, " /") || strings.ContainsRune(value, utf8.RuneError) { // of a damaged line
		return model.Ref{}
	}
	return model.PodRef(namespace, podName, uid)
}

// list splits a list in any of klog's renderings: ["a","b"] and [{…}] (≥ 1.28), [a b] (1.20–1.27).
func list(value string) []string {
	value = strings.TrimSpace(value)
	if !strings.HasPrefix(value, "[") {
		if value == "" {
			return nil
		}
		return []string{value}
	}
	var items []json.RawMessage
	if json.Unmarshal([]byte(value), &items) == nil {
		out := make([]string, 0, len(items))
		for _, it := range items {
			var s string
			if json.Unmarshal(it, &s) != nil {
				s = string(it)
			}
			out = append(out, s)
		}
		return out
	}
	return strings.Fields(strings.Trim(value, "[]"))
}

// each reads the values of a list, and leaves out those that say nothing.
func each[T comparable](values []string, read func(string) T) []T {
	var out []T
	var nothing T
	for _, v := range values {
		if one := read(v); one != nothing {
			out = append(out, one)
		}
	}
	return out
}

func podList(values []string) []model.Ref { return each(values, pod) }

func cutQuoted(s string) (value, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			value = s[1:i]
			if u, err := strconv.Unquote(s[:i+1]); err == nil {
				value = u
			}
			return value, s[i+1:], true
		}
	}
	return "", s, false
}

// goTime reads the date, the time and the zone with which a time begins that Go printed.
func goTime(text string) (time.Time, bool) {
	words := strings.Fields(text)
	t, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", strings.Join(words[:min(len(words), 3)], " "))
	return t, err == nil
}

// between is the text after the first begin and before the next end.
func between(s, begin, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, begin)
	if !ok {
		return "", false
	}
	in, _, ok := strings.Cut(rest, end)
	return in, ok
}

// unnamed is the volume name that the controller prints when it knows no spec: a volume recovered from a node's status after a restart.
const unnamed = "nil"

// persistentVolume is a printed volume name, unless it stands for an unknown one. Pasted, it may have blanks beside its quotation marks.
func persistentVolume(name string) string {
	name = strings.TrimSpace(name)
	if name == unnamed {
		return ""
	}
	return name
}
