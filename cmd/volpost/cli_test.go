package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/volpost/volpost/samples"
)

// cliCases are run in a directory that holds an empty directory, a directory and files that are no bundle, and nothing
// else. What they print is in testdata/cli.
var cliCases = []struct {
	name string
	args []string
	code int
}{
	{"help", nil, exitOK},
	{"help-flag", []string{"--help"}, exitOK},
	{"help-analyze", []string{"analyze", "--help"}, exitOK},
	{"help-inspect", []string{"help", "inspect"}, exitOK},
	{"help-gather", []string{"help", "gather"}, exitOK},
	{"help-limits", []string{"help", "limits"}, exitOK},
	{"version-flag", []string{"--version"}, exitOK},
	{"version-short", []string{"-v"}, exitOK},
	{"help-unknown", []string{"help", "nothing"}, exitUsage},

	{"unknown-command", []string{"analyse-this"}, exitUsage},
	{"mistyped-command", []string{"analyse"}, exitUsage},
	{"path-as-command", []string{"./must-gather"}, exitUsage},
	{"unknown-flag", []string{"analyze", "--colour"}, exitUsage},
	{"no-bundle", []string{"analyze"}, exitUsage},
	{"two-bundles", []string{"analyze", "a", "b"}, exitFailed},
	{"sample-and-bundle", []string{"analyze", "sample:handover", "notes"}, exitUsage},
	{"two-pipes", []string{"analyze", "-", "-"}, exitUsage},
	{"limit-zero", []string{"inspect", "notes", "--max-incidents", "0"}, exitUsage},
	{"limit-no-size", []string{"inspect", "notes", "--max-total-bytes", "4 apples"}, exitUsage},
	{"collected-at-no-zone", []string{"inspect", "notes", "--collected-at", "2026-11-21 06:13:40"}, exitUsage},
	{"collected-at-year", []string{"analyze", "notes", "--collected-at", "1026-11-21T06:13:40Z"}, exitUsage},
	{"collected-at-refused", []string{"inspect", "sample:handover", "--collected-at", "2026-11-30T06:13:40Z"}, exitOK},
	{"year-no-year", []string{"whatif", "sample:node-deleted", "--apply", "delete-node", "--year", "26"}, exitUsage},
	{"log-zone-no-zone", []string{"replay", "notes", "--log-zone", "CET+1"}, exitUsage},
	{"diff-collected-at-once", []string{"diff", "notes", "noise.bin", "--collected-at", "2026-11-21T06:13:40Z"}, exitUsage},
	{"diff-collected-at-no-time", []string{"diff", "notes", "noise.bin", "--collected-at", "2026-11-21T06:13:40Z", "--collected-at", "noon"},
		exitUsage},
	{"inspect-two", []string{"inspect", "notes", "noise.bin"}, exitOK},
	{"unknown-format", []string{"analyze", "sample:handover", "-o", "pdf"}, exitUsage},
	{"mistyped-format", []string{"analyze", "sample:handover", "-o", "jsn"}, exitUsage},
	{"output-without-file", []string{"analyze", "sample:handover", "-o", "html="}, exitUsage},
	{"two-on-stdout", []string{"analyze", "sample:handover", "-o", "json", "-o", "text"}, exitUsage},
	{"two-in-one-file", []string{"analyze", "sample:handover", "-o", "json=x", "-o", "text=./x"}, exitUsage},
	{"unknown-fail-on", []string{"analyze", "sample:handover", "--fail-on", "anything"}, exitUsage},
	{"samples-argument", []string{"samples", "handover"}, exitUsage},
	{"inspect-format", []string{"inspect", "sample:handover", "-o", "yaml"}, exitUsage},
	{"unknown-cause", []string{"explain", "gremlins"}, exitUsage},
	{"mistyped-cause", []string{"explain", "rolout-surge"}, exitUsage},

	{"help-graph", []string{"graph", "--help"}, exitOK},
	{"graph", []string{"graph", "sample:statefulset", "--pvc", "shop/data-kafka-1"}, exitOK},
	{"graph-all", []string{"graph", "sample:shared-claim"}, exitOK},
	{"graph-dot", []string{"graph", "sample:clean", "--pvc", "backoffice/reports-data", "-o", "dot"}, exitOK},
	{"graph-missing", []string{"graph", "sample:clean", "--pod", "shop/nope"}, exitFailed},
	{"graph-both", []string{"graph", "notes", "--pod", "shop/a", "--pvc", "shop/b"}, exitUsage},
	{"graph-no-namespace", []string{"graph", "notes", "--pod", "a"}, exitUsage},
	{"graph-format", []string{"graph", "notes", "-o", "png"}, exitUsage},

	{"help-verify", []string{"verify", "--help"}, exitOK},
	{"help-unredact", []string{"unredact", "--help"}, exitOK},
	{"verify-nothing", []string{"verify", "notes"}, exitUsage},
	{"verify-no-report", []string{"verify", "notes", "empty"}, exitFailed},
	{"unredact-no-key", []string{"unredact", "notes"}, exitUsage},
	{"unredact-other-key", []string{"unredact", "notes", "--redact-map", "notes"}, exitFailed},
	{"redact-map-alone", []string{"analyze", "sample:handover", "--redact-map", "names.json"}, exitUsage},
	{"redact-map-taken", []string{"analyze", "sample:handover", "--redact", "--redact-map", "noise.bin"}, exitFailed},
	{"redact-map-is-directory", []string{"analyze", "sample:handover", "--redact", "--redact-map", "empty"}, exitFailed},

	{"help-whatif", []string{"whatif", "--help"}, exitOK},
	{"whatif", []string{"whatif", "sample:node-deleted", "--apply", "out-of-service-taint@09:17:20"}, exitOK},
	{"whatif-together", []string{"whatif", "sample:out-of-service", "--apply", "force-delete-pod-and-volume-attachment@+10s", "--set",
		"node-monitor-grace-period=20s,tolerationSeconds=30"}, exitOK},
	{"whatif-two", []string{"whatif", "sample:out-of-service", "--apply", "delete-node", "--apply", "force-delete-pod"}, exitUsage},
	{"whatif-race", []string{"whatif", "sample:node-deleted", "--apply", "delete-volume-attachment@+2s"}, exitOK},
	{"whatif-justified", []string{"whatif", "sample:rollout-surge", "--apply", "delete-old-pod", "--reaction", "1m"}, exitOK},
	{"whatif-before", []string{"whatif", "stuck", "--apply", "force-delete-pod@09:45:00"}, exitOK},
	{"whatif-misfit", []string{"whatif", "sample:rollout-surge", "--apply", "out-of-service-taint@+1m"}, exitOK},
	{"whatif-undecidable", []string{"whatif", "sample:controller-failover", "--apply", "graceful-node-shutdown"}, exitOK},
	{"whatif-nothing", []string{"whatif", "sample:node-deleted"}, exitUsage},
	{"whatif-mistyped", []string{"whatif", "sample:node-deleted", "--apply", "out-of-servise-taint@+1m"}, exitUsage},
	{"whatif-no-time", []string{"whatif", "sample:node-deleted", "--apply", "delete-node@noon"}, exitUsage},
	{"whatif-no-setting", []string{"whatif", "sample:node-deleted", "--set", "toleration=30"}, exitUsage},
	{"whatif-no-value", []string{"whatif", "sample:node-deleted", "--set", "tolerationSeconds=-1"}, exitUsage},
	{"whatif-format", []string{"whatif", "sample:node-deleted", "--apply", "delete-node", "-o", "html"}, exitUsage},
	{"whatif-outside", []string{"whatif", "sample:node-deleted", "--apply", "delete-node@23:00:00"}, exitFailed},
	{"whatif-preventive-time", []string{"whatif", "sample:node-deleted", "--apply", "shorten-tolerations@+1m"}, exitFailed},
	{"whatif-which", []string{"whatif", "sample:two-incidents", "--apply", "delete-node"}, exitFailed},
	{"whatif-no-incident", []string{"whatif", "notes", "--apply", "delete-node"}, exitFailed},
	{"reaction-negative", []string{"analyze", "sample:handover", "--reaction", "-1s"}, exitUsage},

	{"unknown-sample", []string{"analyze", "sample:nothing"}, exitFailed},
	{"mistyped-sample", []string{"analyze", "sample:handovr"}, exitFailed},
	{"sample-outside", []string{"analyze", "sample:../handover"}, exitFailed},
	{"missing-path", []string{"analyze", "no-such-directory"}, exitFailed},
	{"hostile-path", []string{"analyze", "no\x1b[31m\u202esuch\xff"}, exitFailed},
	{"empty-directory", []string{"analyze", "empty"}, exitFailed},
	{"unwritable-output", []string{"analyze", "sample:handover", "-o", "json=no-such-directory/report.json"}, exitFailed},
	{"output-is-directory", []string{"analyze", "sample:handover", "-o", "json=empty"}, exitFailed},

	{"help-diff", []string{"diff", "--help"}, exitOK},
	{"diff", []string{"diff", "sample:node-deleted", "sample:node-deleted"}, exitOK},
	{"diff-same-cluster", []string{"diff", "sample:unmount-stuck", "sample:handover", "--same-cluster"}, exitOK},
	{"diff-two-clusters", []string{"diff", "sample:out-of-service", "sample:unmount-stuck"}, exitFailed},
	{"diff-one", []string{"diff", "sample:node-deleted"}, exitUsage},
	{"diff-format", []string{"diff", "notes", "notes", "-o", "html"}, exitUsage},
	{"diff-two-pipes", []string{"diff", "-", "-"}, exitUsage},
	{"diff-missing", []string{"diff", "no-such", "notes"}, exitFailed},
	{"help-fleet", []string{"fleet", "--help"}, exitOK},
	{"fleet-of-nothing", []string{"fleet", "empty"}, exitFailed},
	{"fleet-of-notes", []string{"fleet", "notes/todo.txt"}, exitFailed},
	{"fleet-missing", []string{"fleet", "no-such"}, exitFailed},
	{"fleet-format", []string{"fleet", "notes", "-o", "pdf"}, exitUsage},
	{"help-report", []string{"report", "--help"}, exitOK},
	{"report-of-nothing", []string{"report"}, exitUsage},
	{"report-missing", []string{"report", "no-such.json"}, exitFailed},
	{"report-directory", []string{"report", "notes"}, exitFailed},
	{"report-of-notes", []string{"report", "notes/todo.txt"}, exitFailed},
	{"report-empty", []string{"report", "notes/empty.txt"}, exitFailed},
	{"report-format", []string{"report", "notes/todo.txt", "-o", "jira,jsn"}, exitUsage},

	{"samples", []string{"samples"}, exitOK},
	{"help-samples", []string{"samples", "--help"}, exitOK},
	{"help-extract", []string{"samples", "extract", "--help"}, exitOK},
	{"extract", []string{"samples", "extract", "clean", "lesson"}, exitOK},
	{"extract-empty", []string{"samples", "extract", "sample:handover", "empty"}, exitOK},
	{"extract-full", []string{"samples", "extract", "clean", "notes"}, exitFailed},
	{"extract-file", []string{"samples", "extract", "clean", "noise.bin"}, exitFailed},
	{"extract-unknown", []string{"samples", "extract", "nothing", "lesson"}, exitFailed},
	{"extract-mistyped", []string{"samples", "extract", "shared-clam", "lesson"}, exitFailed},
	{"extract-nowhere", []string{"samples", "extract", "clean"}, exitUsage},
	{"help-replay", []string{"replay", "--help"}, exitOK},
	{"replay", []string{"replay", "sample:rollout-surge"}, exitOK},
	{"replay-whatif", []string{"replay", "sample:node-deleted", "--plain", "--speed", "max", "--what-if", "out-of-service-taint@09:17:20"},
		exitOK},
	{"replay-one-of-many", []string{"replay", "sample:two-incidents", "--incident", "2", "--speed", "1000000x"}, exitOK},
	{"replay-which", []string{"replay", "sample:two-incidents"}, exitOK},
	{"replay-claim", []string{"replay", "sample:two-incidents", "--incident", "billing-db-data"}, exitOK},
	{"replay-which-whatif", []string{"replay", "sample:two-incidents", "--what-if", "force-delete-pod"}, exitOK},
	{"replay-clean-whatif", []string{"replay", "sample:clean", "--what-if", "force-delete-pod"}, exitFailed},
	{"whatif-claim", []string{"whatif", "sample:two-incidents", "--apply", "force-delete-pod", "--incident", "shop/orders-db-data"}, exitOK},
	{"replay-no-such-incident", []string{"replay", "sample:two-incidents", "--incident", "99"}, exitFailed},
	{"replay-before", []string{"replay", "stuck"}, exitOK},
	{"replay-clean", []string{"replay", "sample:clean"}, exitOK},
	{"replay-speed", []string{"replay", "sample:rollout-surge", "--speed", "fast"}, exitUsage},
	{"replay-mistyped-remedy", []string{"replay", "sample:node-deleted", "--what-if", "out-of-servise-taint@+1m"}, exitUsage},
	{"replay-whatif-outside", []string{"replay", "sample:node-deleted", "--what-if", "delete-node@23:00:00"}, exitFailed},
	{"replay-unknown-sample", []string{"replay", "sample:nothing"}, exitFailed},
	{"version", []string{"version"}, exitOK},
	{"causes", []string{"causes"}, exitOK},
	{"explain-all", []string{"explain"}, exitOK},
	{"checks", []string{"checks"}, exitOK},
	{"alerts", []string{"alerts"}, exitOK},
	{"alerts-sample", []string{"alerts", "sample:node-deleted", "--plain"}, exitOK},
	{"alerts-openshift", []string{"alerts", "--openshift", "--label", "team=storage", "--honor-labels=false", "--cluster-label", "k8s_cluster"}, exitOK},
	{"alerts-no-label", []string{"alerts", "--label", "release"}, exitUsage},
	{"alerts-no-cluster-label", []string{"alerts", "--cluster-label", "a-b"}, exitUsage},
	{"help-alerts", []string{"help", "alerts"}, exitOK},
	{"remedies", []string{"remedies"}, exitOK},
	{"explain-remedy", []string{"explain", "automate-out-of-service"}, exitOK},
	{"explain", []string{"explain", "rollout-surge"}, exitOK},
	{"explain-check", []string{"explain", "claim-not-provisioned"}, exitOK},
	{"inspect", []string{"inspect", "sample:node-deleted"}, exitOK},
	{"inspect-no-bundle", []string{"inspect", "notes"}, exitOK},
	{"inspect-binary", []string{"inspect", "noise.bin"}, exitFailed},
	{"fail-on-incident", []string{"analyze", "sample:rollout-surge", "-o", "text=report.txt", "--fail-on", "incident"}, exitIncident},
	{"fail-on-before", []string{"analyze", "stuck", "-o", "text", "--fail-on", "incident"}, exitIncident},
	{"fail-on-open", []string{"analyze", "sample:rollout-surge", "-o", "text=report.txt", "--fail-on", "insufficient", "--fail-on", "open"},
		exitIncident},
	{"fail-on-open-ended", []string{"analyze", "sample:handover", "-o", "text=report.txt", "--fail-on", "open", "--fail-on", "insufficient"},
		exitOK},
	{"fail-on-insufficient", []string{"analyze", "notes", "-o", "text=report.txt", "--fail-on", "insufficient"}, exitIncident},
	{"fail-on-incident-insufficient", []string{"analyze", "notes", "-o", "text=report.txt", "--fail-on", "incident"}, exitOK},
	{"fail-on-handover", []string{"analyze", "sample:handover", "-o", "text=report.txt", "--fail-on", "incident"}, exitOK},
}

func TestCommandLine(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cliCases {
		if seen[c.name] {
			t.Fatalf("two cases are called %s", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			file, err := filepath.Abs(filepath.Join("testdata", "cli", c.name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(cliDirectory(t))
			got := volpost(c.args...)
			if got.code != c.code {
				t.Errorf("exit code %d, want %d\n%s", got.code, c.code, got.stderr)
			}
			if (got.code == exitFailed || got.code == exitUsage) &&
				(got.stdout != "" || !strings.HasPrefix(got.stderr, "volpost: ") || !strings.Contains(got.stderr, "\nhint: ")) {
				t.Errorf("an error has a volpost: line and a hint: line, both on standard error, and nothing else:\n%s%s", got.stdout, got.stderr)
			}
			compareGolden(t, file, golden(c.args, got))
		})
	}
}

// stuck is a case of the analysis that the command line has, too: a node was lost, and nobody acts.
const stuck = "analyze/testdata/story/before-multi-attach-statefulset.txtar"

// cliDirectory is a working directory with inputs that are no bundle, and one that is.
func cliDirectory(t *testing.T) string {
	dir := t.TempDir()
	files := map[string]string{
		"notes/todo.txt":  "call the storage team\n",
		"notes/empty.txt": "",
		"noise.bin":       "\x7fELF\x00\x01\x02\x03" + strings.Repeat("\x00\xff\xfe\x80", 2000),
	}
	archive, err := txtar.ParseFile(filepath.Join(moduleRoot(t), stuck))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		if f.Name != "want" {
			files["stuck/"+f.Name] = string(f.Data)
		}
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// golden is a run as a text file. The line that names the Go release and the platform is the only one that may differ.
func golden(args []string, o outcome) []byte {
	platform := fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return txtar.Format(&txtar.Archive{
		Comment: fmt.Appendf(nil, "$ volpost %s\nexit code %d\n", clean(strings.Join(args, " ")), o.code),
		Files: []txtar.File{
			{Name: "stdout", Data: []byte(strings.ReplaceAll(o.stdout, platform, "GO PLATFORM"))},
			{Name: "stderr", Data: []byte(o.stderr)},
		},
	})
}

// compareGolden compares with a golden file, or rewrites it with -update.
func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; go test ./cmd/volpost -update writes it", err)
	}
	if string(got) != string(want) {
		t.Errorf("differs from %s (go test ./cmd/volpost -update rewrites it):\n%s", file, firstDifference(string(want), string(got)))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) {
			return fmt.Sprintf("line %d is missing: %s", i+1, w[i])
		}
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\n-%s\n+%s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("line %d is new: %s", len(w)+1, g[len(w)])
}

// TestSampleGoldens keeps what volpost makes of each recording.
func TestSampleGoldens(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			got := volpost("analyze", samplePrefix+s.Name, "-o", "text")
			if got.code != exitOK || got.stderr != "" {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			compareGolden(t, filepath.Join(root, "samples", s.Name, "golden", "report.txt"), []byte(got.stdout))
		})
	}
}
