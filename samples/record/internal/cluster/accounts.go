package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/rest"
)

// driverNamespace is where the CSI driver's pods are.
const driverNamespace = "gce-pd-csi-driver"

// accounts writes the API server's static tokens, with each component's real name, which audit logs and managedFields show.
func (c *Cluster) accounts() error {
	c.users = map[string]string{
		"admin":    `kubernetes-admin,admin,"system:masters"`,
		"recorder": `recorder,recorder,"system:masters"`,
		"kcm":      `system:kube-controller-manager,kcm,"system:authenticated"`,
		"sched":    `system:kube-scheduler,sched,"system:authenticated"`,
		"ksm":      `system:serviceaccount:monitoring:kube-state-metrics,ksm,"system:serviceaccounts"`,
		"csi":      `system:serviceaccount:` + driverNamespace + `:csi-gce-pd-controller-sa,csi,"system:serviceaccounts"`,
	}
	for _, n := range c.Nodes {
		c.users["node-"+n.Name] = fmt.Sprintf(`system:node:%s,%s,"system:nodes"`, n.Name, n.Name)
	}
	var b strings.Builder
	for user, who := range c.users {
		fmt.Fprintf(&b, "tok-%s,%s\n", user, who)
	}
	return os.WriteFile(filepath.Join(c.Dir, "tokens.csv"), []byte(b.String()), 0o600)
}

func (c *Cluster) config(user, agent string) *rest.Config {
	return &rest.Config{Host: "https://127.0.0.1:" + apiPort, BearerToken: "tok-" + user, UserAgent: agent, QPS: 200, Burst: 400,
		TLSClientConfig: rest.TLSClientConfig{CAFile: filepath.Join(c.Dir, "ca.crt")}}
}

// kubeconfig returns the file that a component on a node gets to know the API server by.
func kubeconfig(user, host, ca string) []byte {
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters: [{name: lab, cluster: {server: "https://%s:%s", certificate-authority: %s}}]
users: [{name: me, user: {token: tok-%s}}]
contexts: [{name: lab, context: {cluster: lab, user: me}}]
current-context: lab
`, host, apiPort, ca, user)
}
