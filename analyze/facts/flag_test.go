package facts_test

import (
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
)

func TestFlag(t *testing.T) {
	const grace = "--node-monitor-grace-period"
	flag := func(kind model.SourceKind, second int, detail string) model.Observation {
		o := model.Observation{Kind: model.ProcessFlag, Component: facts.ControllerManager, Detail: detail, Source: model.Source{Kind: kind},
			Quote: mask.Quote(detail), Object: model.Ref{Kind: "Pod"}}
		if kind == model.SourceLog {
			o.At = model.Exactly(time.Date(2026, 3, 14, 9, 0, second, 0, time.UTC))
		}
		return o
	}
	manifest, log := model.SourceManifest, model.SourceLog
	configured := func(detail string) model.Observation {
		o := flag(manifest, 0, detail)
		o.Object = model.Ref{Kind: "ConfigMap", Namespace: "kube-system", Name: "kubeadm-config"}
		return o
	}
	for _, c := range []struct {
		name string
		list []model.Observation
		want string
	}{
		{"nothing", nil, ""},
		{"a pod's command line", []model.Observation{flag(manifest, 0, grace+"=20s")}, "20s"},
		{"three pods that agree", []model.Observation{flag(manifest, 0, grace+"=20s"), flag(manifest, 0, grace+"=20s"),
			flag(manifest, 0, grace+"=20s")}, "20s"},
		{"pods that differ", []model.Observation{flag(manifest, 0, grace+"=20s"), flag(manifest, 0, grace+"=40s")}, ""},
		{"the log wins", []model.Observation{flag(manifest, 0, grace+"=20s"), flag(manifest, 0, grace+"=30s"), flag(log, 1, grace+`="40s"`)},
			"40s"},
		{"the newest of two logs", []model.Observation{flag(log, 1, grace+"=20s"), flag(log, 2, grace+"=40s")}, "40s"},
		{"a configuration", []model.Observation{configured(grace + "=20s")}, "20s"},
		{"configurations that differ", []model.Observation{configured(grace + "=20s"), configured(grace + "=30s")}, ""},
		{"a pod before configurations that differ", []model.Observation{configured(grace + "=20s"), flag(manifest, 0, grace+"=40s"),
			configured(grace + "=30s")}, "40s"},
		{"pods that differ before a configuration", []model.Observation{configured(grace + "=20s"), flag(manifest, 0, grace+"=20s"),
			flag(manifest, 0, grace+"=40s")}, ""},
		{"a log before a configuration", []model.Observation{configured(grace + "=20s"), flag(log, 1, grace+"=40s")}, "40s"},
		{"another flag of the same beginning", []model.Observation{flag(manifest, 0, grace+"-x=20s")}, ""},
	} {
		w := facts.NewWorld(&model.Snapshot{Observations: c.list})
		if got, source := w.Flag(facts.ControllerManager, grace); got != c.want || (source == nil) != (c.want == "") {
			t.Errorf("%s: %q from %v, want %q", c.name, got, source, c.want)
		}
		if _, source := w.Flag(facts.ControllerManager, grace); source != nil && (wait.FlagBasis(source) == model.Derived) != wait.Configured(source) {
			t.Errorf("%s: basis %s", c.name, wait.FlagBasis(source))
		}
		if got, _ := w.Flag(facts.Attacher, grace); got != "" {
			t.Errorf("%s: of another component %q", c.name, got)
		}
	}
}
