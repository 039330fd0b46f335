package analyze

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestTimed: the commands that collect metrics have the time around all incidents; without one, that before the collection; and words
// for it where nothing dates it.
func TestTimed(t *testing.T) {
	at := func(text string) model.Moment {
		v, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return model.Moment{At: v}
	}
	span := func(from, to string) model.Incident {
		return model.Incident{Span: model.Span{From: at(from), To: at(to)}}
	}
	captured := at("2026-03-14T12:00:00Z")
	for _, c := range []struct {
		name      string
		incidents []model.Incident
		bundle    model.Bundle
		want      string
	}{
		{"two incidents", []model.Incident{span("2026-03-14T09:00:10Z", "2026-03-14T09:10:00Z"),
			span("2026-03-14T08:45:59Z", "2026-03-14T08:50:01Z")}, model.Bundle{CapturedAt: &captured},
			"2026-03-14T08:15:00Z to 2026-03-14T09:20:00Z, 1773476100000 to 1773480000000, 15"},
		{"long", []model.Incident{span("2026-03-14T00:30:00Z", "2026-03-18T00:00:00Z")}, model.Bundle{CapturedAt: &captured},
			"2026-03-14T00:00:00Z to 2026-03-18T00:10:00Z, 1773446400000 to 1773792600000, 45"},
		{"none", nil, model.Bundle{CapturedAt: &captured}, "2026-03-14T09:00:00Z to 2026-03-14T12:00:00Z, 1773478800000 to 1773489600000, 15"},
		{"nothing dates it", nil, model.Bundle{}, "START to END, START-MS to END-MS, STEP"},
		{"no date", []model.Incident{span("2026-03-14T09:00:10Z", "2026-03-14T09:10:00Z")}, model.Bundle{StandIn: &model.StandIn{}},
			"START to END, START-MS to END-MS, STEP"},
	} {
		missing := []model.NotCollected{
			{What: "no audit log", Command: "START to END"},
			{What: "no metrics", Command: "START-MS to END-MS", Also: []string{"START to END", "STEP"}},
		}
		got := timed(missing, c.incidents, c.bundle)
		if text := got[1].Also[0] + ", " + got[1].Command + ", " + got[1].Also[1]; text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
		if got[0].Command != "START to END" || !strings.Contains(missing[1].Command, "START-MS") || missing[1].Also[0] != "START to END" {
			t.Errorf("%s: %v of %v", c.name, got, missing)
		}
	}
}

// TestAttachlessMisses: where no volume can have a VolumeAttachment, neither those nor an attacher are missing; where one can, both are.
func TestAttachlessMisses(t *testing.T) {
	missing := []model.NotCollected{{What: "no list of VolumeAttachments"}, {What: "no log of an external-attacher"}, {What: "no metrics"}}
	inTree := model.Incident{BlockingAttachment: model.BlockingAttachment{NoneBecause: "in-tree"}}
	for want, list := range map[int][]model.Incident{1: {inTree, inTree}, 3: {inTree, {}}} {
		if got := timed(missing, list, model.Bundle{}); len(got) != want || len(missing) != 3 {
			t.Errorf("%d: %v", want, got)
		}
	}
	if got := timed(missing, nil, model.Bundle{}); len(got) != 3 {
		t.Error(got)
	}
}
