package table

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/volpost/volpost/ingest/internal/envelope"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// zapLine is a line of controller-runtime's console log about an Event that the program recorded, up to 0.14 and since:
//
//	1.6783916437612605e+09	DEBUG	events	Warning	{"object": {"kind":"Pod",…}, "reason": "FailedAttachVolume", "message": "…"}
//	2024-02-01T10:00:00Z	DEBUG	events	Multi-Attach error …	{"type": "Warning", "object": {…}, "reason": "FailedAttachVolume"}
var zapLine = regexp.MustCompile(`^ *(\d\.\d+e\+09|\d{10}(?:\.\d+)?|\d{4}-\d\d-\d\dT\S+) +(?:DEBUG|INFO|WARN|ERROR) +(?:\S*events?\S* +)` +
	`(.*?) *(\{"(?:object|type)": ?.*\})$`)

// zapEvent is what such a line says of the Event.
type zapEvent struct {
	Reason, Message string
	Object          struct{ Kind, Namespace, Name, UID string }
}

// zapRow reads such a line. Its time is the program's, which recorded the Event there and then.
func zapRow(s string) (eventRow, bool) {
	if !strings.Contains(s, `"object"`) {
		return eventRow{}, false
	}
	m := zapLine.FindStringSubmatch(s)
	if m == nil {
		return eventRow{}, false
	}
	var e zapEvent
	at := zapTime(m[1])
	if json.Unmarshal([]byte(m[3]), &e) != nil || at.IsZero() || e.Object.Name == "" {
		return eventRow{}, false
	}
	if e.Message == "" {
		e.Message = m[2]
	}
	if !reasonText.MatchString(e.Reason) || e.Message == "" {
		return eventRow{}, false
	}
	when := model.Exactly(at)
	r := eventRow{about: true, seen: seen{count: 1}}
	r.record = phrase.EventRecord{Reason: e.Reason, Message: e.Message, First: when, Last: when,
		Object: model.Ref{Kind: e.Object.Kind, Namespace: e.Object.Namespace, Name: e.Object.Name, UID: e.Object.UID}}
	r.reissued()
	return r, true
}

// reissue is what a controller puts in front of a message of a pod that it repeats for the object that made the pod.
var reissue = regexp.MustCompile(`^Reissued from ([a-z]+)/([a-z0-9][a-z0-9.-]*): `)

// reissued takes the object that the Event was about at first.
func (r *eventRow) reissued() {
	if m := reissue.FindStringSubmatch(r.record.Message); m != nil {
		r.record.Message, r.about = r.record.Message[len(m[0]):], true
		r.record.Object = objectRef(m[1], r.record.Object.Namespace, m[2])
	}
}

// zapTime reads the time of such a line: seconds of 1970, or RFC 3339.
func zapTime(s string) time.Time {
	const earliest, latest = 1_000_000_000, 4_000_000_000 // 2001 and 2096
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return envelope.ParseTime(s)
	}
	if seconds < earliest || seconds > latest {
		return time.Time{}
	}
	whole, part := math.Modf(seconds)
	return time.UnixMicro(int64(whole)*1_000_000 + int64(part*1_000_000)).UTC()
}
