package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// inRepository reads a file of the repository.
func inRepository(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{moduleRoot(t)}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReleaseTargets: what is released is what every change is built for.
func TestReleaseTargets(t *testing.T) {
	var config struct {
		Builds []struct{ Targets []string }
	}
	if err := yaml.Unmarshal([]byte(inRepository(t, ".goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^targets="(.*)"$`).FindStringSubmatch(inRepository(t, ".ci", "cross"))
	if len(config.Builds) != 1 || list == nil {
		t.Fatalf("%d builds, targets %q", len(config.Builds), list)
	}
	built := strings.Fields(strings.ReplaceAll(list[1], "/", "_"))
	released := slices.Clone(config.Builds[0].Targets)
	slices.Sort(built)
	slices.Sort(released)
	if !slices.Equal(built, released) || len(built) < 8 {
		t.Errorf("built %v, released %v", built, released)
	}
}

// TestWorkflows: actions are pinned to a version, the permissions are named, and tools have the version that the
// Makefile has.
func TestWorkflows(t *testing.T) {
	action := regexp.MustCompile(`uses: (\S+)`)
	pinned := regexp.MustCompile(`@(v\d+\.\d+\.\d+|[0-9a-f]{40})$`)
	for _, name := range []string{"ci.yml", "release.yml"} {
		text := inRepository(t, ".github", "workflows", name)
		if !strings.Contains(text, "\npermissions:\n  contents: read\n") {
			t.Errorf("%s does not begin with read permission only", name)
		}
		used := action.FindAllStringSubmatch(text, -1)
		if len(used) == 0 {
			t.Errorf("%s uses no action", name)
		}
		for _, a := range used {
			if !pinned.MatchString(a[1]) {
				t.Errorf("%s: %s is not pinned to a version", name, a[1])
			}
		}
	}
	version := regexp.MustCompile(`goreleaser/v2@(v\S+)`).FindStringSubmatch(inRepository(t, "Makefile"))
	if version == nil || !strings.Contains(inRepository(t, ".github", "workflows", "release.yml"), "version: "+version[1]+"\n") {
		t.Errorf("the release workflow has another GoReleaser than the Makefile: %v", version)
	}
}

// TestCompletionOffersNames: samples, causes, remedies, checks and formats are completed, not only commands and flags.
func TestCompletionOffersNames(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"__complete", ""}, "analyze\t"},
		{[]string{"__complete", "analyze", "sample:node"}, "sample:node-deleted"},
		{[]string{"__complete", "whatif", "sample:node"}, "sample:node-deleted"},
		{[]string{"__complete", "inspect", "s"}, "sample:node-deleted"},
		{[]string{"__complete", "explain", ""}, "rollout-surge"},
		{[]string{"__complete", "explain", ""}, "out-of-service-taint"},
		{[]string{"__complete", "explain", ""}, "claim-not-provisioned"},
		{[]string{"__complete", "analyze", "-o", ""}, "html\t"},
		{[]string{"__complete", "whatif", "x", "--apply", ""}, "out-of-service-taint"},
		{[]string{"__complete", "help", "wha"}, "whatif\t"},
		{[]string{"__complete", "samples", "extract", ""}, "node-deleted"},
		{[]string{"__complete", "analyze", "x", "--fail-on", ""}, "incident"},
	} {
		got := volpost(c.args...)
		found := false
		for line := range strings.Lines(got.stdout) {
			found = found || strings.HasPrefix(line, c.want)
		}
		if !found {
			t.Errorf("%q does not offer %s:\n%s", c.args, c.want, got.stdout)
		}
	}
}

// TestChangelogHasVersion: .ci/release-notes finds sections by their headings.
func TestChangelogHasVersion(t *testing.T) {
	text := inRepository(t, "CHANGELOG.md")
	if !regexp.MustCompile(`(?m)^## \[(Unreleased|\d+\.\d+\.\d+)\]`).MatchString(text) || !strings.Contains(text, "volpost/report/v1") {
		t.Errorf("the change log has no version:\n%s", text)
	}
}
