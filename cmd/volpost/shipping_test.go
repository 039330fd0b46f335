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

// TestWorkflows: actions are pinned by the hash of a commit, whose version stands beside it, and by one hash everywhere; the
// permissions are named; tools have the version that the Makefile has.
func TestWorkflows(t *testing.T) {
	action := regexp.MustCompile(`uses: (.+)`)
	pinned := regexp.MustCompile(`^(\S+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$`)
	hashes := map[string]string{}
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
			part := pinned.FindStringSubmatch(a[1])
			if part == nil {
				t.Errorf("%s: %s is not pinned by a hash with its version", name, a[1])
				continue
			}
			if other := hashes[part[1]]; other != "" && other != part[2] {
				t.Errorf("%s is pinned to %s and to %s", part[1], other, part[2])
			}
			hashes[part[1]] = part[2]
		}
	}
	version := regexp.MustCompile(`goreleaser/v2@(v\S+)`).FindStringSubmatch(inRepository(t, "Makefile"))
	if version == nil || !strings.Contains(inRepository(t, ".github", "workflows", "release.yml"), "version: "+version[1]+"\n") {
		t.Errorf("the release workflow has another GoReleaser than the Makefile: %v", version)
	}
}

// TestImageHasNoBase: nothing is in the image but what this repository makes.
func TestImageHasNoBase(t *testing.T) {
	for _, from := range regexp.MustCompile(`(?m)^FROM .*`).FindAllString(inRepository(t, "Dockerfile"), -1) {
		if from != "FROM scratch" {
			t.Errorf("the image is built %s", from)
		}
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

// TestAttacksAreThere: each test that the page on security names is in the package that it names, and each promise has figures.
func TestAttacksAreThere(t *testing.T) {
	t.Parallel()
	rows := regexp.MustCompile("(?m)^\\|.*`Test.*$").FindAllString(inRepository(t, "docs", "security.md"), -1)
	word, pack, declared := regexp.MustCompile("`[^`]+`"), "", ""
	for _, row := range rows {
		cells := strings.Split(row, "|")
		if len(cells) != 8 || !regexp.MustCompile(`^ \d+ [\d.]+ s \d+ MB $`).MatchString(cells[3]+cells[4][1:]+cells[5][1:]) {
			t.Errorf("no figures in %s", row)
			continue
		}
		for _, name := range word.FindAllString(cells[6], -1) {
			if name = strings.Trim(name, "`"); !strings.HasPrefix(name, "Test") {
				pack, declared = name, ""
				files, err := filepath.Glob(filepath.Join(moduleRoot(t), pack, "*_test.go"))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range files {
					declared += inRepository(t, pack, filepath.Base(f))
				}
			} else if !strings.Contains(declared, "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("%s has no %s", pack, name)
			}
		}
	}
	if len(rows) < 10 {
		t.Errorf("%d promises", len(rows))
	}
}
