package lanes_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"slices"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/lanes"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// life is a VolumeAttachment as the API server saw it.
type life struct {
	PV, Node                          string
	Created, Attached, Deletion, Gone *time.Time
}

// TestStatesAgreeWithTheAPIServer asks each lane of an attachment, second by second, for what the API server saw. It may not know; it may
// not say otherwise. Three seconds around each change are free: sources are cut to a second.
func TestStatesAgreeWithTheAPIServer(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) { agrees(t, s.Name, samples.Bundle, samples.Truth) })
	}
	for _, name := range recordings.Names(recordings.Played) {
		t.Run("played "+name, func(t *testing.T) { agrees(t, name, recordings.Bundle, recordings.Truth) })
	}
}

func agrees(t *testing.T, name string, bundleOf func(string) (fs.FS, error), truthOf func(string) ([]byte, error)) {
	t.Helper()
	bundle, err := bundleOf(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := truthOf(name)
	if err != nil {
		t.Fatal(err)
	}
	var truth struct {
		SnapshotAt        time.Time
		VolumeAttachments []life
	}
	if err := json.Unmarshal(text, &truth); err != nil {
		t.Fatal(err)
	}
	opened := ingest.OpenFS(bundle, name)
	defer opened.Close()
	snapshot, err := ingest.Read(context.Background(), opened, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked, wrong := 0, 0
	for _, c := range cases.Waits(facts.NewWorld(snapshot)) {
		for _, l := range lanes.Written(lanes.Of(c), new(evidence.Ledger)) {
			if l.Object.Kind != "VolumeAttachment" || l.Node == "" {
				continue
			}
			lives := slices.DeleteFunc(slices.Clone(truth.VolumeAttachments), func(v life) bool {
				return v.PV != c.Volume.PersistentVolume || v.Node != l.Node
			})
			for at := c.Span.From.At; at.Before(truth.SnapshotAt); at = at.Add(time.Second) {
				i := l.At(at)
				if len(lives) == 0 || i < 0 || changes(lives, at) {
					continue
				}
				if asked++; !fits(l.States[i].Word, lives, at) {
					if wrong++; wrong < 3 {
						t.Errorf("%s: the attachment to %s is %q", at, l.Node, l.States[i].Word)
					}
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d seconds disagree", wrong, asked)
	}
}

const slack = 3 * time.Second

func changes(lives []life, at time.Time) bool {
	for _, v := range lives {
		for _, c := range []*time.Time{v.Created, v.Attached, v.Deletion, v.Gone} {
			if c != nil && at.Sub(*c).Abs() <= slack {
				return true
			}
		}
	}
	return false
}

// fits reports that a word is true of the lives of an attachment.
func fits(word model.StateWord, lives []life, at time.Time) bool {
	since := func(t *time.Time) bool { return t != nil && !at.Before(*t) }
	is := model.StateGone
	for _, v := range lives {
		if !since(v.Created) && v.Created != nil || since(v.Gone) {
			continue
		}
		switch {
		case since(v.Deletion):
			is = model.StateDetaching
		case since(v.Attached):
			is = model.StateAttached
		default:
			is = model.StateAttaching
		}
	}
	return word == is || word == model.StateBlocking && is == model.StateAttached
}
