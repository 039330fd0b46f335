package replay_test

import (
	"context"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// seconds is how long after the first report an act of the test comes.
const seconds = 90.0

// plans are the ways in which every case is replayed.
func plans(done replay.Plan) map[string]replay.Plan {
	short := 20.0
	out := map[string]replay.Plan{"as-it-was": done, "without-acts": {}}
	for _, k := range []replay.ActKind{
		replay.TaintOutOfService, replay.DeleteNode, replay.ForceDeletePod, replay.DeletePod, replay.DeleteAttachment, replay.RemoveFinalizer,
		replay.ScaleDown, replay.RestartAttacher, replay.RestartKubelet, replay.EndHolder, replay.HealBackend,
	} {
		out[string(k)] = replay.Plan{}.With(replay.Act{Kind: k, At: seconds, Early: 5, Late: 10})
	}
	for name, set := range map[string]replay.Settings{
		"grace": {Grace: &short}, "toleration": {Toleration: &short}, "graceful-shutdown": {GracefulShutdown: true}, "recreate": {Recreate: true},
		"no-forced-detach": {NoForcedDetach: true}, "keep-timer": {KeepTimer: true},
		"awaits-detach": {AwaitsDetach: true}, "shared": {Shared: true}, "quick-mount": {QuickMount: true},
		"asks-health": {AsksHealth: true}, "out-of-service": {OutOfService: true}, "retry-max": {RetryMax: &short},
	} {
		out[name] = replay.Plan{Acts: done.Acts, Set: set}
	}
	return out
}

// TestCases: the scenario of every case, a golden for each of its fields, and its replays, one for each plan.
func TestCases(t *testing.T) {
	scenarios, replays := cases.Open(t, "scenario"), cases.Open(t, "replay")
	for _, b := range bundles() {
		if strings.HasPrefix(b.Name, "check/") {
			continue
		}
		w := facts.NewWorld(b.Snapshot)
		all := cases.Waits(w)
		m := replay.NewModel(w, all)
		for n, c := range all {
			s, done := m.Scenario(c)
			v := reflect.ValueOf(*s)
			for f := range v.NumField() {
				if field := v.Type().Field(f); field.IsExported() && field.Name != "Actions" && field.Name != "Version" {
					scenarios.Add(field.Name, b, n+1, cases.Text(v.Field(f).Interface()))
				}
			}
			scenarios.Add("Done", b, n+1, cases.Text(done))
			if len(done.Acts) > 0 {
				before := m.Before(s, done, c, s.Time(done.Acts[0].At))
				scenarios.Add("Before", b, n+1, cases.Text([]model.Range{before.Detach, before.Attach, before.Mount, before.Terminate}))
			}
			asis := s.Predict(done)
			for plan, p := range plans(done) {
				if line := predicted(s, asis, s.Predict(p)); plan == "as-it-was" || line != predicted(s, asis, asis) {
					replays.Add(plan, b, n+1, line)
				}
			}
		}
	}
	scenarios.Close()
	replays.Close()
}

// predicted writes a prediction: what it says, its steps, and how much sooner it comes than the replay as it was.
func predicted(s *replay.Scenario, asis, p replay.Prediction) string {
	phases := s.Phases(p.Typic, "")
	p.Typic.Ready, p.Typic.Why = 0, ""
	out := cases.Text(p)
	for _, phase := range phases {
		if p.Ready.Known() && phase.ID != model.PhaseMount {
			out += fmt.Sprintf(" %s=%.3g", phase.ID, phase.Seconds.Best)
		}
	}
	if p.Ready.Known() && asis.Ready.Known() {
		out += " sooner by " + cases.Text(p.Less(asis))
	}
	return strings.ReplaceAll(out, "Typic=", "")
}
