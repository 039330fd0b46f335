package analyze

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// Metrics without a wait are clean, and not when a rule of volpost's own fires on a volume that a pod wants, nor when series are missing
// that would show one.
func TestNoCleanBesideAnAlarm(t *testing.T) {
	from := model.Exactly(time.Unix(1785600000, 0))
	told := func(kind model.Kind, detail string) *facts.World {
		return facts.NewWorld(&model.Snapshot{Observations: []model.Observation{
			{Kind: kind, Detail: detail, At: from, Last: from.Shift(time.Hour), Source: model.Source{Kind: model.SourceMetric}},
		}})
	}
	fires := func(origin, over string, labels map[string]string) []model.Alert {
		return []model.Alert{{Name: "MultiAttachWait", Origin: origin, Over: over, Firings: []model.Firing{{From: from.At, Labels: labels}}}}
	}
	waits := map[string]string{"namespace": "n", "pod": "p", "volumename": "pv"}
	covered := told(model.WaitsSampled, "")
	for _, c := range []struct {
		what   string
		world  *facts.World
		alerts []model.Alert
		want   model.Status
	}{
		{"no rule fires", covered, nil, model.StatusClean},
		{"its own", covered, fires(alert.Builtin, model.OverMetrics, waits), model.StatusInsufficient},
		{"one of a file", covered, fires("rules.yaml", model.OverMetrics, waits), model.StatusClean},
		{"over what was made up", covered, fires(alert.Builtin, model.OverSynthesised, waits), model.StatusClean},
		{"about a node", covered, fires(alert.Builtin, model.OverMetrics, map[string]string{"node": "a"}), model.StatusClean},
		{"series are missing", told(model.WaitsHidden, "kube_pod_info"), nil, model.StatusInsufficient},
		{"a pause", told(model.WaitsSampled, "10:00:00 to 10:10:00"), nil, model.StatusInsufficient},
	} {
		if got := verdict(c.world, nil, 0, &model.Report{Alerts: c.alerts}); got.Status != c.want {
			t.Errorf("%s: %s: %s", c.what, got.Status, got.Headline)
		}
	}
}

// TestPhrases: each word in braces is known.
func TestPhrases(t *testing.T) {
	for kind, text := range model.Sentences {
		if got := expand(text, &model.Observation{}); strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// TestAnother: a fault of a volume for which no wait is reported stands beside the headline, and nothing that may be of the same wait.
func TestAnother(t *testing.T) {
	const full, said = "not-multi-attach-limit", "Also, of volume pvc-2: the node takes no more"
	for _, tt := range []struct{ id, severity, kind, volume, waits, want string }{
		{full, "warning", "PersistentVolume", "pvc-2", "pvc-1", said}, {"pod-volume-fails", "warning", "PersistentVolume", "pvc-2", "pvc-1", said},
		{full, "warning", "PersistentVolume", "pvc-1", "pvc-1", ""}, {full, "info", "PersistentVolume", "pvc-2", "pvc-1", ""},
		{full, "warning", "Pod", "pvc-2", "pvc-1", ""}, {"leaked-attachment", "warning", "PersistentVolume", "pvc-2", "pvc-1", ""},
		{full, "warning", "PersistentVolume", "pvc-2", "", ""}, {full, "warning", "PersistentVolume", "pvc-2", "pvc-…", ""},
	} {
		f := model.Finding{ID: tt.id, Severity: tt.severity, Title: "The node takes no more", Objects: []model.Ref{{Kind: tt.kind, Name: tt.volume}}}
		i := model.Incident{Volume: model.IncidentVolume{PersistentVolume: tt.waits}}
		got, look := another(&model.Report{Incidents: []model.Incident{i}, Findings: []model.Finding{f}})
		if got != tt.want || (got != "") != (len(look) == 1 && strings.HasPrefix(look[0].Command, "kubectl get events -A | grep ")) {
			t.Errorf("%+v: %q, %+v", tt, got, look)
		}
	}
}

// TestSecondFault: of a lost node, what the volume waited for afterwards; what cannot be told, and the old pod, are none.
func TestSecondFault(t *testing.T) {
	c := &wait.Case{To: "node-b"}
	for _, tt := range []struct {
		id      string
		verdict model.Verdict
		want    string
	}{
		{model.CauseAttachmentNotFinishing, model.Likely, "then the detach waited for the external-attacher"},
		{model.CauseDriverDetachError, model.Confirmed, "then the detach failed"},
		{model.CauseCloudDetachFailing, model.Confirmed, "then the detach failed"},
		{model.CauseAttachFailing, model.Confirmed, "then the attach to node-b was refused"},
		{model.CauseStorageDisagrees, model.Confirmed, "then the attach to node-b was refused"},
		{model.CauseAttachFailing, model.Undecidable, ""},
		{model.CauseOldPodNotFinished, model.Likely, ""},
	} {
		if got := secondFault(c, model.Incident{Causes: []model.Cause{{ID: model.CauseNodeDown}, {ID: tt.id, Verdict: tt.verdict}}}); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.verdict, tt.id, got, tt.want)
		}
	}
}

// TestClipped: a long sentence keeps what it is about and the last clauses of its error, where these are whole.
func TestClipped(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 20))
	for text, want := range map[string]string{
		"Volume v cannot be attached: no":                                       "Volume v cannot be attached: no",
		"Volume v cannot be attached: " + long + ": in turn: the volume exists": "Volume v cannot be attached: … in turn: the volume exists",
		"Volume v cannot be attached: " + long + ` (and: a "b`:                  "Volume v cannot be attached: " + long[:19*5-1] + " …",
	} {
		if got := clipped(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
