package main

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/ingest"
)

// TestInTime: work that takes longer than --max-time ends with what it was doing; without a limit, and in time, it is what it is. A panic
// comes out where it can be told.
func TestInTime(t *testing.T) {
	never := make(chan struct{})
	err := inTime(ingest.Limits{Time: time.Millisecond}, "writing the html report", func() error { <-never; return nil })
	if err == nil || !strings.Contains(err.Error(), "writing the html report took longer than the limit of 1ms (--max-time)") {
		t.Errorf("%v", err)
	}
	for _, l := range []ingest.Limits{{}, {Time: time.Hour}} {
		if err := inTime(l, "", func() error { return nil }); err != nil {
			t.Error(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a panic is lost")
				}
			}()
			_ = inTime(l, "", func() error { panic("x") })
		}()
	}
}
