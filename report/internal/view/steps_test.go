package view

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// An incident has one length, its span, a hand-over too: in the chip as in the headline.
func TestLasted(t *testing.T) {
	at := func(s int) model.Moment { return model.Exactly(time.Date(2026, 3, 14, 10, 0, s, 0, time.UTC)) }
	ended := at(20)
	in := model.Incident{Causes: []model.Cause{{ID: "handover"}}}
	in.MultiAttach.Began, in.MultiAttach.Ended = at(10), &ended
	in.Span.StartsAt, in.Span.Seconds.Best = "deletion", 17
	for cause, want := range map[string]string{"handover": "17 s", "node-down": "17 s"} {
		in.Causes[0].ID = cause
		if got := LastedText(in); got != want {
			t.Errorf("%s: %s, want %s", cause, got, want)
		}
	}
}
