package phrase

import (
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// recorderRows: the recorder logs each event in its process, too (client-go tools/record/event.go); from 1.30 at verbosity 3.
var recorderRows = newTable("", []row{
	{text: "Event occurred", since: "1.19–1.36", read: readEventOccurred},
	{text: "Event(", holds: "ObjectReference{", since: "1.13–1.18", read: readEventText},
})

func readEventOccurred(r *logline.Record, o *model.Observation) bool {
	object := pod(r.Get("object"))
	object.Kind = r.Get("kind")
	return fromEvent(EventRecord{
		Reason: r.Get("reason"), Message: r.Get("message"),
		Component: reporter(r.Get("logger")), Object: object,
	}, o)
}

// readEventText reads `Event(v1.ObjectReference{Kind:"Pod", …}): type: 'Warning' reason: 'FailedAttachVolume' <message>`.
func readEventText(r *logline.Record, o *model.Observation) bool {
	ref, rest, ok := strings.Cut(r.Message, "}): type: '")
	if !ok {
		return false
	}
	field := func(key string) string {
		_, after, _ := strings.Cut(ref, key)
		v, _, _ := cutQuoted(after)
		return v
	}
	_, rest, _ = strings.Cut(rest, "' reason: '")
	reason, message, ok := strings.Cut(rest, "' ")
	return ok && fromEvent(EventRecord{
		Reason: reason, Message: message,
		Object: model.Ref{Kind: field("Kind:"), Namespace: field(" Namespace:"), Name: field(" Name:"), UID: field(" UID:")},
	}, o)
}

// fromEvent reads an event, keeping the line's own place and time.
func fromEvent(e EventRecord, o *model.Observation) bool {
	if e.Reason == "" || e.Object.Name == "" {
		return false
	}
	e.First, e.Floating = o.At, o.Floating
	ev := Event(e)
	ev.Source = o.Source
	*o = ev
	return true
}

// reporter is the event component of a controller's logger (≥ 1.30), as the same event has it in source.component; "" for any other.
func reporter(logger string) string {
	if ownerKind(logger) != "" {
		return logger
	}
	return reporters[logger]
}

var reporters = map[string]string{ // for lookup only
	"persistentvolume-attach-detach-controller": "attachdetach-controller", "node-lifecycle-controller": "node-controller",
	"persistentvolume-binder-controller": "persistentvolume-controller", "taint-eviction-controller": "taint-eviction-controller",
	"deployment-controller": "deployment-controller",
}
