package series

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

var errLine = errors.New("is no sample")

// parseLine reads name{label="value",…} value [time]. In promtool's dump the name is a label, too; then dumped is true.
func parseLine(s string) (l textLine, dumped bool, err error) {
	end := 0
	for end < len(s) && isNameByte(s[end], end == 0) {
		end++
	}
	name := s[:end]
	if name != "" {
		l.labels = append(l.labels, model.Label{Name: model.MetricName, Value: name})
	}
	s = s[end:]
	if strings.HasPrefix(s, "{") {
		if s, err = l.parseLabels(s[1:]); err != nil {
			return l, false, err
		}
	}
	dumped = name == ""
	l.labels = sorted(l.labels)
	if l.labels.Get(model.MetricName) == "" {
		return l, false, errLine
	}
	s, _, _ = strings.Cut(s, " #") // an exemplar follows
	fields := strings.Fields(s)
	if len(fields) == 0 || len(fields) > 2 {
		return l, false, errLine
	}
	if l.value, err = strconv.ParseFloat(fields[0], 64); err != nil {
		return l, false, errLine
	}
	if len(fields) > 1 {
		l.stamp = fields[1]
		if _, err := strconv.ParseFloat(l.stamp, 64); err != nil {
			return l, false, errLine
		}
	}
	return l, dumped, nil
}

// parseResult reads a line of a query's result, as Prometheus' page or promtool prints it: the name may be missing, and the value follows
// a => and goes before an @[time].
func parseResult(s string) (textLine, error) {
	s = strings.Replace(s, "} => ", "} ", 1)
	s, at, timed := strings.Cut(s, " @[")
	name, rest, ok := strings.Cut(s, "{")
	if !ok || name != "" && name != AlertsMetric {
		return textLine{}, errLine
	}
	l, _, err := parseLine("result{" + rest)
	if err != nil || len(l.labels) < 2 || timed != strings.HasSuffix(at, "]") {
		return textLine{}, errLine
	}
	l.labels = slices.DeleteFunc(l.labels, func(v model.Label) bool { return v.Name == model.MetricName })
	if name != "" {
		l.labels = sorted(append(l.labels, model.Label{Name: model.MetricName, Value: name}))
	}
	l.stamp = strings.TrimSuffix(at, "]")
	return l, nil
}

// unnamed is such a line as a result of the API.
func (l textLine) unnamed() Unnamed {
	u := Unnamed{Labels: l.labels, Value: l.value}
	if ms, _, ok := stampOf(l.stamp); ok {
		u.At = instant(ms)
	}
	return u
}

func isNameByte(c byte, first bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || !first && c >= '0' && c <= '9'
}

// parseLabels reads up to the closing brace and returns what follows it.
func (l *textLine) parseLabels(s string) (rest string, err error) {
	for {
		s = strings.TrimLeft(s, " \t,")
		if strings.HasPrefix(s, "}") {
			return s[1:], nil
		}
		name, after, ok := strings.Cut(s, "=")
		after = strings.TrimLeft(after, " \t")
		if !ok || !strings.HasPrefix(after, `"`) || strings.ContainsAny(name, `{}"`) {
			return "", errLine
		}
		value, tail, err := unquote(after[1:])
		if err != nil {
			return "", err
		}
		l.labels = append(l.labels, model.Label{Name: strings.TrimSpace(name), Value: value})
		s = tail
	}
}

// unquote reads a label's value up to its quote; \\, \" and \n are escaped.
func unquote(s string) (value, rest string, err error) {
	at, escaped := strings.IndexAny(s, `"\`), false
	for ; at >= 0 && at < len(s) && s[at] != '"'; at++ {
		if s[at] == '\\' {
			escaped = true
			at++
		}
	}
	if at < 0 || at >= len(s) {
		return "", "", errLine
	}
	if value = s[:at]; escaped {
		value = escapes.ReplaceAllStringFunc(value, func(e string) string { return strings.Replace(e[1:], "n", "\n", 1) })
	}
	return value, s[at+1:], nil
}

// escapes are a backslash and what it stands before.
var escapes = regexp.MustCompile(`(?s)\\.`)
