package phrase

import (
	"cmp"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// newTable takes the values out of the wordings: a text `node <node> hasn't been updated for <detail>. Last ` begins with
// `node `, holds what stands behind the first value, and ends at the last word given.
func newTable(component string, rows []row) table {
	for i := range rows {
		r := &rows[i]
		text, rest, more := strings.Cut(r.text, "<")
		for r.text = text; more; {
			var place, words string
			place, rest, _ = strings.Cut(rest, ">")
			words, rest, more = strings.Cut(rest, "<")
			r.places, r.words = append(r.places, place), append(r.words, words)
		}
		if len(r.words) > 0 {
			r.holds = cmp.Or(r.holds, r.words[0])
		}
	}
	return table{component, rows}
}

// values reads the values between the words of a printf line. It returns false when one of these is missing.
func (r *row) values(message string, o *model.Observation) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(message, `"`), r.text)
	ok = ok || len(r.places) == 0
	for i := 0; i < len(r.places) && ok; i++ {
		place, words := r.places[i], r.words[i]
		value, after, quoted := cutQuoted(rest)
		if after, ok = strings.CutPrefix(after, words); !quoted || !ok || place == "detail" {
			if value, after, ok = strings.Cut(rest, words); words == "" {
				value, after, ok = rest, "", true
			}
		}
		if slices.Contains([]string{"node", "pod", "attachment", "owner"}, place) {
			value = strings.Trim(value[:indexAny(value, ", \n")], `"'.`)
		}
		rest, ok = after, ok && (put(o, place, value) || place == "detail")
	}
	return ok
}

// pairs reads the pairs of a structured line that become fields: `node detail=duration`, with a question mark where one may be missing.
func pairs(r *logline.Record, keys string, o *model.Observation) bool {
	for word := range strings.FieldsSeq(keys) {
		word, optional := strings.CutSuffix(word, "?")
		place, key, _ := strings.Cut(word, "=")
		if !put(o, place, r.Get(cmp.Or(key, place))) && !optional {
			return false
		}
	}
	return true
}

// put puts a value into its field. It returns false for one that says nothing.
func put(o *model.Observation, place, value string) bool {
	switch place {
	case "node":
		if value = name(value); strings.ContainsAny(value, "<>") {
			return true // made unreadable
		}
		o.Node = value
	case "pod":
		o.Pod = pod(value)
		if o.Owner.Name != "" {
			o.Owner.Namespace = o.Pod.Namespace
		}
		return o.Pod.Name != ""
	case "full": // name_namespace(uid)
		podName, rest, _ := strings.Cut(value, "_")
		namespace, uid, ok := strings.Cut(rest, "(")
		o.Pod = model.PodRef(namespace, podName, strings.TrimSuffix(uid, ")"))
		return ok && podName != ""
	case "pods":
		o.Pods = podList(list(value))
	case "attached":
		o.Detail = "status.attached=" + value + ", back end "
	case "found":
		o.Detail += value
	case "owner":
		o.Owner.Name = value
	case "uid":
		o.Pod.UID = value
	case "attachment":
		o.Attachment = name(value)
		return o.Attachment != ""
	case "detail":
		o.Detail = value
	case "state":
		o.Detail = strings.TrimSuffix(strings.TrimSpace(value), ".")
	case "version":
		o.Detail = value
		return strings.HasPrefix(value, "v")
	case "unique":
		o.Volume.UniqueName = value
	case "volume":
		o.Volume.PersistentVolume = persistentVolume(value)
		return true
	case "handle":
		o.Volume.Handle = value
	}
	return value != ""
}
