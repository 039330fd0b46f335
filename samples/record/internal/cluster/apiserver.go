package cluster

import (
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

//go:embed audit.yaml
var auditPolicy []byte

// controlPlane starts etcd and the API server, beside the nodes, since no recording is about losing them, and waits for them.
func (c *Cluster) controlPlane() error {
	if err := os.WriteFile(filepath.Join(c.Dir, "audit.yaml"), auditPolicy, 0o600); err != nil {
		return err
	}
	if err := c.run("etcd", filepath.Join(c.Bin, "etcd"), "--data-dir="+c.Dir+"/etcd",
		"--listen-client-urls=http://127.0.0.1:2379", "--advertise-client-urls=http://127.0.0.1:2379",
		"--listen-peer-urls=http://127.0.0.1:2380", "--initial-advertise-peer-urls=http://127.0.0.1:2380",
		"--initial-cluster=default=http://127.0.0.1:2380", "--unsafe-no-fsync", "--log-level=warn"); err != nil {
		return err
	}
	if err := c.run("kube-apiserver", c.Command("kube-apiserver"), c.apiserverArgs()...); err != nil {
		return err
	}
	return c.answers(4 * time.Minute)
}

func (c *Cluster) apiserverArgs() []string {
	tolerance := fmt.Sprint(c.Tolerance)
	return []string{
		"--etcd-servers=http://127.0.0.1:2379", "--bind-address=0.0.0.0", "--advertise-address=" + gateway, "--secure-port=" + apiPort,
		"--tls-cert-file=" + c.Dir + "/server.crt", "--tls-private-key-file=" + c.Dir + "/server.key", "--client-ca-file=" + c.Dir + "/ca.crt",
		"--service-account-key-file=" + c.Dir + "/sa.pub", "--service-account-signing-key-file=" + c.Dir + "/sa.key",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.96.0.0/16", "--endpoint-reconciler-type=none",
		"--authorization-mode=AlwaysAllow", "--token-auth-file=" + c.Dir + "/tokens.csv", "--allow-privileged=true",
		"--kubelet-preferred-address-types=InternalIP", "--profiling=false",
		"--default-not-ready-toleration-seconds=" + tolerance, "--default-unreachable-toleration-seconds=" + tolerance,
		"--audit-log-path=" + c.Logs + "/audit.log", "--audit-policy-file=" + c.Dir + "/audit.yaml", "--audit-log-maxsize=1000", "-v=1",
	}
}

// Command is the path of one of Kubernetes' programs in the cluster's version.
func (c *Cluster) Command(name string) string { return filepath.Join(c.Bin, c.Version, name) }

func (c *Cluster) answers(patience time.Duration) error {
	client := &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
		q, err := http.NewRequest("GET", "https://127.0.0.1:"+apiPort+"/readyz", nil)
		if err != nil {
			return err
		}
		q.Header.Set("Authorization", "Bearer tok-admin")
		r, err := client.Do(q)
		if err != nil {
			continue
		}
		r.Body.Close()
		if r.StatusCode == http.StatusOK {
			return nil
		}
	}
	return errors.New("the API server does not answer; see logs/kube-apiserver.log")
}
