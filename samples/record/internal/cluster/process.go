package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// process is a child whose output goes to a file.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

func (c *Cluster) run(name, bin string, args ...string) error {
	f, err := os.Create(filepath.Join(c.Logs, name+".log"))
	if err != nil {
		return err
	}
	cmd := exec.Command(bin, args...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = f, f, c.Dir
	// A process group of its own: an interrupt reaches the recorder only, which then stops the rest in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() { cmd.Wait(); f.Close(); close(p.done) }()
	c.procs = append(c.procs, p)
	return nil
}

// stop asks first; the API server would wait for its watchers for a minute.
func (p *process) stop(patience time.Duration) {
	p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.cmd.Process.Kill()
		<-p.done
	}
}

func shell(script string, args ...any) (string, error) {
	s := fmt.Sprintf(script, args...)
	out, err := exec.Command("bash", "-c", s).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", s, err, out)
	}
	return strings.TrimSpace(string(out)), nil
}
