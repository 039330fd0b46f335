package audit

import (
	"slices"
	"time"

	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// attachReasons are the only events that are read: a cluster writes them by the thousand, and most audit policies leave them out.
var attachReasons = []string{"FailedAttachVolume", "SuccessfulAttachVolume"}

// kubernetesEvent reads an Event that the attach/detach controller created. Its repetitions are patches without a text.
func (f *facts) kubernetesEvent(r *request) {
	var e struct {
		body
		InvolvedObject  struct{ Kind, Namespace, Name, UID string }
		Reason, Message string
		Source          struct{ Component string }
		FirstTimestamp  time.Time
	}
	if r.verb != "create" || !decodeBody(r.request, &e) || !slices.Contains(attachReasons, e.Reason) || !validName(e.InvolvedObject.Name) {
		return
	}
	at := r.at
	if !e.FirstTimestamp.IsZero() && at.At.Sub(e.FirstTimestamp) > eventQueue {
		at = model.WholeSecond(e.FirstTimestamp) // written late
	}
	o := phrase.Event(phrase.EventRecord{
		Reason: e.Reason, Message: e.Message, Component: e.Source.Component, First: at, Count: 1,
		Object: model.Ref{Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name,
			UID: validUID(e.InvolvedObject.UID)},
	})
	o.Input, o.Actor, o.Agent = f.path, r.actor, r.agent
	o.Source = model.Source{Kind: model.SourceAudit, Path: f.path, Line: f.line}
	o.Quote = f.quote
	f.listOf(o).add(o)
}

// eventQueue is how late an event counts as written at once; a recorder retries every ten seconds (cg:tools/record).
const eventQueue = 2 * time.Second
