package tables

import (
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestInstants writes an instant as far as it is known, and counts it from where it can be.
func TestInstants(t *testing.T) {
	for _, c := range []struct {
		at     time.Time
		text   string
		micros int64
	}{
		{time.Date(2026, 11, 21, 6, 6, 51, 686_000_000, time.UTC), "2026-11-21T06:06:51.686000+00:00", 1795241211686000},
		{model.T.Add(90 * time.Second), "T+1m30s", 90_000_000},
	} {
		if text, micros := isoText(c.at), micros(c.at); text != c.text || micros != c.micros {
			t.Errorf("%v: %s, %d", c.at, text, micros)
		}
	}
}
