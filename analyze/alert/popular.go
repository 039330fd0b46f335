package alert

import (
	"time"

	"github.com/volpost/volpost/model"
)

// tested is a rule that is run over series.
type tested struct {
	name, origin string
	severity     string // as its label says
	line         int    // of the rule in the file that origin names; 0 for one that no file brings
	expr         string
	hold, keep   string // for and keep_firing_for, as Prometheus writes durations; "" for none
	labels       []model.Label
	interval     time.Duration // of its group; 0 for ruleInterval
	corrected    string        // the expression that replaces it
	flaw         string        // why it cannot fire, where that is so in every set-up
}

// Origins of rules that no file brings.
const (
	Builtin = "builtin"
	seed    = "seed"
)

// popular are rules as they circulate, word for word, by the name of the rule that replaces each.
var popular = []tested{
	{name: "PodStuckContainerCreating", hold: "5m", expr: `min_over_time(
  kube_pod_container_status_waiting_reason{reason="ContainerCreating"}[5m]
) == 1`},
	{name: "NodeNotReadyWithStatefulSet", hold: "1m", expr: `count by (node) (
  kube_pod_info{created_by_kind="StatefulSet"}
    * on(node) group_left()
    (kube_node_status_condition{condition="Ready", status="true"} == 0)
) > 0`},
	{name: "VolumeStuckOnNotReadyNode", hold: "2m", expr: `(
  kube_volumeattachment_status_attached == 1
    * on(volumeattachment) group_left(volumename)
    kube_volumeattachment_spec_source_persistentvolume
)
  * on(node) group_left()
  (kube_node_status_condition{condition="Ready", status="true"} == 0)`,
		flaw: "It does not parse, because * binds tighter than ==. With parentheses it would still see nothing: " +
			"kube_volumeattachment_status_attached has no label node."},
	{name: "VolumeAttachedTwice", expr: `count by (volumename) (
  kube_volumeattachment_spec_source_persistentvolume
    * on(volumeattachment) group_left()
    (kube_volumeattachment_status_attached == 1)
) > 1`},
	{name: "VolumeAttachmentStuck", expr: `(time() - kube_volumeattachment_created) > 300
and kube_volumeattachment_status_attached == 0`},
	{name: "PodStuckTerminating", expr: `kube_pod_deletion_timestamp > 0
and (time() - kube_pod_deletion_timestamp) > 600`},
}

// listed are the rules to run in a set-up, and as the report lists them before that.
func listed(s Setup, more given, over string) (rules []tested, out []model.Alert) {
	rules = append(catalogue(s), more.alerts...)
	for _, r := range rules {
		out = append(out, model.Alert{
			Name: r.name, Origin: r.origin, Severity: r.severity, Line: r.line, Expr: r.expr,
			For: r.hold, KeepFiringFor: r.keep, Over: over,
		})
	}
	return rules, out
}

// catalogue are the recommended rules for a set-up, then the popular ones.
func catalogue(s Setup) []tested {
	var out []tested
	replaced := map[string]string{}
	for _, r := range Rules(s) {
		out = append(out, tested{name: r.Name, origin: Builtin, severity: r.Severity, expr: r.Expr, hold: r.For})
		if replaced[r.Name] == "" {
			replaced[r.Name] = r.Expr
		}
	}
	for _, p := range popular {
		p.origin, p.corrected = seed, replaced[p.name]
		if p.name == "VolumeAttachmentStuck" && s.OpenShift {
			p.flaw = "OpenShift's monitoring drops kube_volumeattachment_created."
		}
		out = append(out, p)
	}
	return out
}
