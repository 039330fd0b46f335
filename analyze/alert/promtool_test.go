package alert

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/volpost/volpost/samples/recordings"
)

// setups are all that the rules differ for.
func setups() []Setup {
	return []Setup{{}, {TargetLabels: true}, {ClusterLabel: "cluster"}, {TargetLabels: true, ClusterLabel: "k8s_cluster"}}
}

// promtool is the program. A short run, such as that of a mutant, does without it: it takes more time than all other tests of the package.
func promtool(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil || testing.Short() {
		t.Skip("needs promtool (Debian: apt-get install prometheus), and time")
	}
	return path
}

// TestPromtool has promtool check the rules of every set-up and run their tests.
func TestPromtool(t *testing.T) {
	promtool := promtool(t)
	for _, s := range recordings.Sweep(setups()) {
		t.Run(s.String(), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, RuleFile), PlainRules(s))
			write(t, filepath.Join(dir, "tests.yaml"), testsFor(s))
			for _, args := range [][]string{{"check", "rules", RuleFile}, {"test", "rules", "tests.yaml"}} {
				c := exec.Command(promtool, args...)
				c.Dir = dir
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("promtool %v: %v\n%s\n%s", args, err, out, PlainRules(s))
				}
			}
		})
	}
}

// TestPromtoolSeesWrongRules: the test file fails for rules that do not do what it says.
func TestPromtoolSeesWrongRules(t *testing.T) {
	promtool := promtool(t)
	var current Setup
	for _, other := range []Setup{{TargetLabels: true}, {ClusterLabel: "k8s_cluster"}} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, RuleFile), PlainRules(current))
		write(t, filepath.Join(dir, "tests.yaml"), testsFor(other))
		c := exec.Command(promtool, "test", "rules", "tests.yaml")
		c.Dir = dir
		if c.Run() == nil {
			t.Errorf("the rules for %s pass the tests for %s", current, other)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
