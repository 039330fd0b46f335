package logfile

import (
	"time"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/ingest/internal/phrase"
	"github.com/volpost/volpost/model"
)

// readEvent reads a Kubernetes Event that an exporter wrote into its log, or a test runner printed.
func readEvent(r *logline.Record) []model.Observation {
	e := r.Event
	rec := phrase.EventRecord{
		Reason: e.Reason, Message: r.Message, Component: e.Component, Count: e.Count, Node: e.Host,
		Object: model.Ref{Kind: e.Kind, Namespace: e.Namespace, Name: e.Name, UID: e.UID},
		First:  eventTime(e.First), Last: eventTime(e.Last),
	}
	if rec.First.IsZero() && !r.Time.IsZero() {
		rec.First, rec.Floating = eventTime(r.Time), r.Floating
	}
	if rec.Object.Kind == "" && aboutPod(e.Reason) {
		rec.Object.Kind = "Pod"
	}
	o := phrase.Event(rec)
	o.Source = model.Source{Kind: model.SourceEvent, Line: r.Line}
	return []model.Observation{o}
}

// eventTime is an Event's time: cut to a whole second, unless it has microseconds.
func eventTime(t time.Time) model.Moment {
	if t.IsZero() {
		return model.Moment{}
	}
	if t.Nanosecond() == 0 {
		return model.WholeSecond(t)
	}
	return model.Exactly(t)
}

// aboutPod recognises the reasons that only Events of pods have, for exporters that leave out the kind of the object.
func aboutPod(reason string) bool {
	switch reason {
	case "FailedAttachVolume", "SuccessfulAttachVolume", "FailedMount", "FailedMapVolume", "FailedScheduling", "Scheduled", "Killing":
		return true
	}
	return false
}
