package bundle

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// journals writes the kubelets' logs: the masters' where must-gather has them, the workers' as `oc adm node-logs` would, lost nodes' too.
func (b *collector) journals() error {
	var masters []byte
	for _, n := range b.Nodes {
		log, err := os.ReadFile(filepath.Join(n.Dir(), "kubelet.log"))
		if err != nil {
			return err
		}
		j := journal(log, n.Name)
		if n.Master {
			masters = append(masters, j...)
			continue
		}
		if err := b.write(j, "nodes", n.Name, n.Name+"_logs_kubelet.log"); err != nil {
			return err
		}
	}
	return b.write(masters, "host_service_logs", "masters", "kubelet_service.log")
}

// noise are lines that only the lab causes: kubelets share a machine, so each cAdvisor complains of others' containers and of cgroups.
var noise = []string{"Error while processing event", "Failed to process watch event", "cgroups of kubelet",
	"the kubelet's cgroup", "Failed to set rlimit"}

// journal prefixes each line as `journalctl -o short-precise` does. A line without a header belongs to the one before.
func journal(log []byte, host string) []byte {
	var out bytes.Buffer
	s := bufio.NewScanner(bytes.NewReader(log))
	s.Buffer(nil, 1<<26)
	prefix, drop := "", false
	for s.Scan() {
		line := s.Text()
		if t, pid, ok := header(line); ok {
			prefix = fmt.Sprintf("%s %s kubelet[%s]: ", t.Format("Jan 02 15:04:05.000000"), host, pid)
			drop = isNoise(line)
		}
		if prefix != "" && !drop {
			out.WriteString(prefix + line + "\n")
		}
	}
	return out.Bytes()
}

func isNoise(line string) bool {
	return slices.ContainsFunc(noise, func(n string) bool { return strings.Contains(line, n) })
}

// header reads time and process of klog's header.
func header(line string) (time.Time, string, bool) {
	if len(line) < 30 || !strings.ContainsRune("IWEF", rune(line[0])) {
		return time.Time{}, "", false
	}
	t, err := time.Parse("0102 15:04:05.000000", line[1:21])
	if err != nil {
		return time.Time{}, "", false
	}
	f := strings.Fields(line[21:])
	return t, f[0], true
}
