package alert

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// setups are every release that the rules differ for, with nothing and with everything else that they differ for, and the
// newest one with each combination.
func setups() []Setup {
	var out []Setup
	for _, r := range []Release{Oldest, {2, 0}, {2, 1}, Newest} {
		for n := range 8 {
			if r == Newest || n == 0 || n == 7 {
				out = append(out, Setup{Release: r, OpenShift: n&1 > 0, TargetLabels: n&2 > 0, MultiCluster: n&4 > 0})
			}
		}
	}
	return out
}

// TestPromtool has promtool check the rules of every set-up and run their tests.
func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("needs promtool (Debian: apt-get install prometheus)")
	}
	for _, s := range setups() {
		t.Run(s.String(), func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, RuleFile), PlainRules(s))
			write(t, filepath.Join(dir, "tests.yaml"), TestFile(s))
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
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("needs promtool (Debian: apt-get install prometheus)")
	}
	current := DefaultSetup()
	for _, other := range []Setup{{Release: Oldest}, {Release: Newest, TargetLabels: true}, {Release: Newest, MultiCluster: true}} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, RuleFile), PlainRules(current))
		write(t, filepath.Join(dir, "tests.yaml"), TestFile(other))
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

func ExampleParseRelease() {
	r, err := ParseRelease("v2.13.0")
	fmt.Println(r, err)
	_, err = ParseRelease("latest")
	fmt.Println(err)
	// Output:
	// 2.13 <nil>
	// "latest" is no version of kube-state-metrics such as 2.13.0
}
