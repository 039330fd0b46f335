package ingest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/ingest/internal/kubestate"
	"github.com/volpost/volpost/model"
)

// collectedSet is what the bundle has, for the checks below.
type collectedSet struct {
	*model.Snapshot
	audit, metrics bool
	tool           string // oc or kubectl, as the bundle was made
}

// notCollected names what the bundle lacks that an analysis would use, by weight. refused says that some metrics are not used.
func notCollected(s *model.Snapshot, audit, refused bool) []model.NotCollected {
	if len(s.Clusters) < 2 {
		return lacking(s, audit, hasMetrics(s, refused))
	}
	unclear := hasMetrics(s.OfCluster(""), refused)
	// What one cluster's collection holds says nothing of another's.
	var missing []model.NotCollected
	of := map[string][]string{} // what → the clusters without it
	for _, cluster := range s.Clusters {
		part := s.OfCluster(cluster)
		audited := slices.ContainsFunc(part.Inputs, func(in model.Input) bool { return in.Kind == model.InputAudit })
		for _, m := range lacking(part, audited, unclear || hasMetrics(part, refused)) {
			if len(of[m.What]) == 0 {
				missing = append(missing, m)
			}
			of[m.What] = append(of[m.What], cluster)
		}
	}
	for i := range missing {
		if without := of[missing[i].What]; len(without) < len(s.Clusters) {
			missing[i].What += " (of " + strings.Join(without, ", ") + ")"
		}
	}
	return missing
}

// lacking names what the collections of one cluster lack.
func lacking(s *model.Snapshot, audit, metrics bool) []model.NotCollected {
	c := collectedSet{Snapshot: s, audit: audit, metrics: metrics, tool: toolOf(s)}
	var missing []model.NotCollected
	for _, l := range []struct {
		check func(collectedSet) (model.NotCollected, bool)
		holds string // as an unreadable path promises it
	}{
		{noList("VolumeAttachment",
			"which attachment blocks is derived from names, and whether its deletion was requested or its detach failed stays open",
			"volumeattachments -o yaml --show-managed-fields > volumeattachments.yaml",
			"a table shows neither whether the deletion of an attachment was requested nor the error of its attach or detach"), "VolumeAttachment"},
		{noControllerLog, "kube-controller-manager"}, {noAttacherLog, "external-attacher"}, {noKubeletLog, "kubelet"},
		{noList("Node", "whether the old node was ready, tainted or still using the volume is known only as far as logs and events tell",
			"nodes -o yaml --show-managed-fields > nodes.yaml",
			"a table shows neither since when a node is not Ready, nor its taints, nor the volumes that it uses"), "Node"},
		{noLeases, "Lease"},
		{noList("PersistentVolume",
			"a volume known by name has no handle and no driver, so that the name of its VolumeAttachment cannot be derived or checked",
			"persistentvolumes -o yaml > persistentvolumes.yaml",
			"a table shows neither the handle nor the driver, so that the name of the VolumeAttachment cannot be checked"), "PersistentVolume"},
		{noUserNamespaces, ""}, {noAudit, model.HoldsAudit}, {noMetrics, model.HoldsMetrics},
	} {
		if m, ok := l.check(c); ok {
			missing = append(missing, c.couldNotRead(m, l.holds))
		}
	}
	return missing
}

func toolOf(s *model.Snapshot) string {
	if slices.Contains(s.Layouts, "must-gather") || slices.Contains(s.Layouts, "inspect") {
		return "oc"
	}
	return "kubectl"
}

func (c collectedSet) lists(kind, namespace string) bool {
	return slices.ContainsFunc(c.Lists, func(l model.Listed) bool { return l.Kind == kind && (l.Namespace == "" || l.Namespace == namespace) })
}

func (c collectedSet) logOf(component string) bool {
	return slices.ContainsFunc(c.Inputs, func(in model.Input) bool { return in.Component == component && in.Records > 0 })
}

// noList is the check for all objects of a kind. get is what asks for them; beyond is what an object says beyond a row of kubectl get, which
// is not asked for again.
func noList(kind, consequence, get, beyond string) func(collectedSet) (model.NotCollected, bool) {
	return func(c collectedSet) (model.NotCollected, bool) {
		m := model.NotCollected{What: "no list of " + kind + "s", Consequence: consequence, Command: c.tool + " get " + get}
		if c.tabled(kind) {
			m.What, m.Consequence = "no YAML of "+kind+"s", beyond
		}
		return m, !c.lists(kind, "")
	}
}

// tabled reports that a pasted table shows objects of a kind.
func (c collectedSet) tabled(kind string) bool {
	return slices.ContainsFunc(c.Observations, func(o model.Observation) bool {
		return o.Source.Kind == model.SourceText && o.Object.Kind == kind && o.Source.Field == ""
	})
}

// noLeases: the gather script asks for the Leases of nodes from 4.19.0 on, and from late releases of 4.16 to 4.18
// (openshift/must-gather, fixed 2024-12-16, 2025-08-18 and 2025-11-27); before, the command was malformed.
func noLeases(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What:        "no node Leases",
		Consequence: "when a kubelet was last alive is known to five minutes only, from the node's conditions",
		Command:     c.tool + " get leases -n kube-node-lease -o yaml > node-leases.yaml",
	}
	if slices.Contains(c.Layouts, "must-gather") {
		m.Consequence += "; a must-gather holds them from 4.19 on, and from the last releases of 4.16 to 4.18"
	}
	return m, !c.lists("Lease", "kube-node-lease")
}

func noControllerLog(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What:        "no log of kube-controller-manager",
		Consequence: "why the attach/detach controller did not detach, and when it forced a detach, is not known: no event records either",
	}
	if from := providerOf(c.Snapshot); c.tool == "oc" {
		m.Command = "oc adm inspect ns/openshift-kube-controller-manager"
	} else {
		m.Command = controllerLogs[from]
		m.Consequence += from.controllerLogNote()
	}
	return m, !c.logOf("kube-controller-manager")
}

func noAttacherLog(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What:        "no log of an external-attacher",
		Consequence: "how long the storage back end took, and what it answered before the last error, stays open",
		Command:     "kubectl -n NAMESPACE-OF-THE-DRIVER logs deployment/CSI-CONTROLLER -c csi-attacher --timestamps > csi-attacher.log",
	}
	if c.tool == "oc" {
		m.Command = "oc adm inspect ns/openshift-cluster-csi-drivers"
	}
	return m, !c.logOf("external-attacher")
}

func noAudit(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What:        "no audit log",
		Consequence: "who deleted a pod, a node or a VolumeAttachment stays open",
		Command:     auditLogs[providerOf(c.Snapshot)],
	}
	if c.tool == "oc" {
		m.Command = "oc adm must-gather -- /usr/bin/gather_audit_logs"
	}
	return m, !c.audit
}

func noMetrics(c collectedSet) (model.NotCollected, bool) {
	m := model.NotCollected{
		What:        "no metrics",
		Consequence: "objects that were gone at collection have no state over time, and alerts cannot be checked",
	}
	selected := fmt.Sprintf("--min-time=%s --max-time=%s --match='%s'", model.StartMillis, model.EndMillis, kubestate.Selector)
	query := fmt.Sprintf("curl -fsSG PROMETHEUS-URL/api/v1/query_range --data-urlencode 'query=%s' -d start=%s -d end=%s -d "+
		"step=%s > query_range.json",
		kubestate.Selector, model.StartTime, model.EndTime, model.StepSeconds)
	if c.tool == "oc" {
		m.Command = "oc adm must-gather -- /usr/bin/gather_metrics " + selected
		m.Also = []string{query}
	} else {
		m.Command = "kubectl -n NAMESPACE-OF-PROMETHEUS exec PROMETHEUS-POD -c prometheus -- promtool tsdb dump-openmetrics " +
			"--sandbox-dir-root=/prometheus " + selected + " /prometheus > metrics.openmetrics"
		m.Also = []string{
			"curl -fsS -X POST PROMETHEUS-URL/api/v1/admin/tsdb/snapshot && kubectl -n NAMESPACE-OF-PROMETHEUS cp -c prometheus " +
				"PROMETHEUS-POD:/prometheus/snapshots snapshots",
			query,
		}
	}
	return m, !c.metrics
}

// fewOf joins the first of some names.
func fewOf(names []string) string {
	if n := len(names) - shownNames; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shownNames], ", "), n)
	}
	return strings.Join(names, ", ")
}

// noUserNamespaces names the namespaces of the bundle's volumes and reports without pods or events: a default must-gather has none.
func noUserNamespaces(c collectedSet) (model.NotCollected, bool) {
	set := map[string]bool{}
	for _, pv := range c.PersistentVolumes {
		if ref := pv.Value().Spec.ClaimRef; ref != nil && pv.Value().Spec.CSI != nil {
			set[ref.Namespace] = true
		}
	}
	for _, o := range c.Observations {
		if o.Kind == model.MultiAttach {
			set[o.Pod.Namespace] = true
		}
	}
	var namespaces []string
	for ns := range set {
		if ns != "" && (!c.lists("Pod", ns) || !c.lists("Event", ns)) {
			namespaces = append(namespaces, ns)
		}
	}
	if len(namespaces) == 0 {
		return model.NotCollected{}, false
	}
	slices.Sort(namespaces)
	what := "no pods or no events of " + fewOf(namespaces)
	namespaces = namespaces[:min(len(namespaces), shownNames)]
	for i := range namespaces {
		namespaces[i] = forShell(namespaces[i], "NAMESPACE")
	}
	m := model.NotCollected{
		What:        what,
		Consequence: "when the pods that use the volumes were created, deleted and ready is known only as far as controller logs tell",
		Command:     "kubectl get pods,events,persistentvolumeclaims -n " + namespaces[0] + " -o yaml > " + namespaces[0] + ".yaml",
	}
	if c.tool == "oc" {
		m.Command = "oc adm inspect ns/" + strings.Join(namespaces, " ns/")
	}
	return m, true
}
