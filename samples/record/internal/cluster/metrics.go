package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// measured are the objects of which kube-state-metrics tells: those of an incident.
const measured = "nodes,pods,persistentvolumes,persistentvolumeclaims,volumeattachments,deployments,replicasets,statefulsets,daemonsets"

const prometheusConfig = `global: {scrape_interval: 15s}
scrape_configs:
- job_name: kube-state-metrics
  honor_labels: true
  static_configs: [{targets: ["127.0.0.1:8080"]}]
- job_name: kube-controller-manager
  scheme: https
  authorization: {credentials: tok-admin}
  tls_config: {insecure_skip_verify: true}
  metric_relabel_configs:
  - source_labels: [__name__]
    regex: ".*attachdetach_controller_.*|storage_operation_duration_seconds_(count|sum)|node_collector_unhealthy_nodes_in_zone"
    action: keep
  static_configs: [{targets: [%[1]s]}]
- job_name: external-attacher
  metric_relabel_configs:
  - source_labels: [__name__]
    regex: "csi_sidecar_operations_seconds_(count|sum)|leader_election_master_status"
    action: keep
  static_configs: [{targets: ["%[2]s:22012"]}]
`

// metrics starts kube-state-metrics and Prometheus beside the cluster, where a scenario wants them.
func (c *Cluster) metrics() error {
	if !c.Metrics {
		return nil
	}
	kubeconf, config := filepath.Join(c.Dir, "ksm.kubeconfig"), filepath.Join(c.Dir, "prometheus.yml")
	if err := os.WriteFile(kubeconf, kubeconfig("ksm", "127.0.0.1", filepath.Join(c.Dir, "ca.crt")), 0o600); err != nil {
		return err
	}
	var masters []string
	for _, n := range c.Nodes {
		if n.Master {
			masters = append(masters, `"`+n.IP+`:10257"`)
		}
	}
	text := fmt.Sprintf(prometheusConfig, strings.Join(masters, ", "), c.Nodes[0].IP)
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		return err
	}
	if err := c.run("kube-state-metrics", filepath.Join(c.Bin, "kube-state-metrics"), "--kubeconfig="+kubeconf, "--resources="+measured,
		"--host=127.0.0.1", "--port=8080", "--telemetry-host=127.0.0.1", "--telemetry-port=8081"); err != nil {
		return err
	}
	return c.run("prometheus", "prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(c.Dir, "prometheus"),
		"--web.listen-address=127.0.0.1:9090", "--web.enable-admin-api")
}

// Snapshot makes Prometheus write what it has as blocks, and returns their directory; "" without Prometheus.
func (c *Cluster) Snapshot() (string, error) {
	if !c.Metrics {
		return "", nil
	}
	r, err := http.Post("http://127.0.0.1:9090/api/v1/admin/tsdb/snapshot", "", nil)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	var answer struct {
		Error string
		Data  struct{ Name string }
	}
	if err := json.NewDecoder(r.Body).Decode(&answer); err != nil {
		return "", err
	}
	if answer.Data.Name == "" {
		return "", fmt.Errorf("Prometheus makes no snapshot: %s", answer.Error)
	}
	return filepath.Join(c.Dir, "prometheus", "snapshots", answer.Data.Name), nil
}
