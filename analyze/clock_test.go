package analyze

import (
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// TestLeapDay: a log without year that has lines of a 29 February was written in a year that has one.
func TestLeapDay(t *testing.T) {
	floating := func(month time.Month, day int) time.Time { return time.Date(0, month, day, 12, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		name string
		day  time.Time
		want string
	}{
		{"29 February", floating(time.February, 29), "2024-02-29"},
		{"28 February", floating(time.February, 28), "2026-02-28"},
		{"1 March", floating(time.March, 1), "2026-03-01"},
	} {
		from, to := floating(time.February, 27), floating(time.March, 2)
		at := model.Exactly(tt.day)
		newest := model.Exactly(time.Date(2026, time.March, 14, 9, 0, 0, 0, time.UTC))
		axis := reconstruct.Clocks(&model.Snapshot{
			Inputs: []model.Input{{Path: "kcm.log", Kind: model.InputLog, Floating: true, From: &from, To: &to}},
			Observations: []model.Observation{
				{Kind: model.DetachStarted, Floating: true, At: at, Last: at, Count: 1, Input: "kcm.log"},
				{Kind: model.NodeReady, At: newest, Last: newest, Count: 1, Input: "nodes.yaml"},
			},
		})
		if got := axis.Observations[0].At.At.Format(time.DateOnly); got != tt.want {
			t.Errorf("%s: placed on %s, want %s", tt.name, got, tt.want)
		}
	}
}
