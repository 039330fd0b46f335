package cluster

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Kubectl runs kubectl as the administrator and returns what it printed.
func (c *Cluster) Kubectl(args ...string) (string, error) { return c.kubectl("", args...) }

// Apply creates what a manifest describes.
func (c *Cluster) Apply(manifest string) error {
	out, err := c.kubectl(manifest, "apply", "-f", "-")
	if err != nil {
		return &os.PathError{Op: "apply", Path: out, Err: err}
	}
	return nil
}

func (c *Cluster) kubectl(stdin string, args ...string) (string, error) {
	file := filepath.Join(c.Dir, "admin.kubeconfig")
	if err := os.WriteFile(file, kubeconfig("admin", "127.0.0.1", filepath.Join(c.Dir, "ca.crt")), 0o600); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Command("kubectl"), append([]string{"--kubeconfig=" + file}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+c.Dir)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}
