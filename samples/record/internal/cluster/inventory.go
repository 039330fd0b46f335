package cluster

import (
	"os"
	"path/filepath"
	"strings"
)

// inventory lists the instances for the cloud.
func (c *Cluster) inventory() error {
	var b strings.Builder
	for _, n := range c.Nodes {
		b.WriteString(n.Name + " " + n.Zone + "\n")
	}
	return os.WriteFile(filepath.Join(c.Dir, "cloud", "instances"), []byte(b.String()), 0o644)
}
