package audit

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
)

// Azure Monitor keeps an AKS cluster's audit events in tables with a column for each member (azure-monitor/reference/tables/aksaudit). The
// CLI writes rows as objects, the portal comma-separated. There is no column for an impersonated user.

var aksMarks = [][]byte{[]byte("StageReceivedTime"), []byte("ObjectRef"), []byte("AuditId")}

// isAKS reports whether a text has the columns of such a table.
func isAKS(text []byte) bool {
	return !slices.ContainsFunc(aksMarks, func(m []byte) bool { return !bytes.Contains(text, m) })
}

// aksEvent makes an event of a row.
func aksEvent(column func(name string) string) *event {
	e := &event{
		Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: column("Level"), AuditID: column("AuditId"), Stage: column("Stage"),
		RequestURI: column("RequestUri"), Verb: column("Verb"), UserAgent: column("UserAgent"),
		Received: column("RequestReceivedTime"), Staged: column("StageReceivedTime"),
		RequestObject: object(column("RequestObject")), ResponseObject: object(column("ResponseObject")),
	}
	// What does not decode is missing, and an event without it says nothing.
	_ = json.Unmarshal(object(column("User")), &e.User)
	_ = json.Unmarshal(object(column("ObjectRef")), &e.ObjectRef)
	_ = json.Unmarshal(object(column("ResponseStatus")), &e.ResponseStatus)
	return e
}

// object is a column's text if that is a JSON object, and not the note that it was too long.
func object(text string) json.RawMessage {
	if b := []byte(text); strings.HasPrefix(text, "{") && json.Valid(b) {
		return b
	}
	return nil
}

// aksObject reads a row that is an object; columns of dynamic type are objects, or strings that hold one.
func aksObject(text []byte) *event {
	var row map[string]json.RawMessage
	if json.Unmarshal(text, &row) != nil || row["ObjectRef"] == nil {
		return nil
	}
	return aksEvent(func(name string) string {
		value := row[name]
		var s string
		if json.Unmarshal(value, &s) == nil {
			return s
		}
		return string(value)
	})
}

// isAKSTable reports whether the first line of a file has the titles of such a table.
func isAKSTable(head []byte) bool {
	title, _, _ := bytes.Cut(head, []byte("\n"))
	return len(title) > 0 && title[0] != '{' && title[0] != '[' && bytes.IndexByte(title, ',') > 0 && isAKS(title)
}

// aksTable reads comma-separated rows. A quoted field may go over several lines.
func (l *log) aksTable(s *lines) {
	var columns map[string]int
	var raw []byte
	from, quotes, tooLong := 0, 0, false
	for {
		line, cut, ok := s.next()
		if !ok {
			break
		}
		if len(raw) == 0 {
			from = s.line
		} else {
			raw = append(raw, '\n')
		}
		keep := min(len(line), MaxEvent-len(raw))
		raw, tooLong = append(raw, line[:max(keep, 0)]...), tooLong || cut || keep < len(line)
		if quotes += bytes.Count(line, []byte{'"'}); quotes%2 != 0 && !tooLong {
			continue
		}
		switch {
		case columns == nil:
			columns = titles(raw)
		case len(bytes.TrimSpace(raw)) > 0:
			l.aksRow(raw, columns, from, tooLong)
		}
		raw, quotes, tooLong = raw[:0], 0, false
	}
	if len(raw) > 0 && columns != nil {
		l.aksRow(raw, columns, from, false)
	}
	l.in.Bytes, l.err = s.bytes, s.err
}

// titles are the places of the columns. The portal writes the zone of a time behind its title.
func titles(line []byte) map[string]int {
	columns := map[string]int{}
	names, _ := csv.NewReader(bytes.NewReader(line)).Read() // without titles no row is read
	for i, name := range names {
		name, _, _ = strings.Cut(name, " [")
		columns[strings.TrimSpace(name)] = i
	}
	return columns
}

func (l *log) aksRow(raw []byte, columns map[string]int, line int, tooLong bool) {
	l.in.Records++
	if tooLong {
		l.tooLong.add(line)
		return
	}
	fields, err := csv.NewReader(bytes.NewReader(raw)).Read()
	if err != nil {
		l.damaged.add(line)
		return
	}
	e := aksEvent(func(name string) string {
		if i, ok := columns[name]; ok && i < len(fields) {
			return fields[i]
		}
		return ""
	})
	l.span([]byte(e.Staged))
	l.event(e, line, raw)
}
