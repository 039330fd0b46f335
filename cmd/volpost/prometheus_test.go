//go:build long

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// realCase is a set-up of a real server that scrapes an incident as it is played.
type realCase struct {
	name   string
	sample string
	factor float64
	before time.Duration // of the recording, until its first instant
	length time.Duration // of the play
	target map[string]string
	scrape string   // more of the scrape configuration
	alerts []string // flags of volpost alerts
	acts   []act
	blind  bool // the server is down when the attachment goes: its answers go on with it for five minutes
	// other is a sample that another cluster plays, and stays as it was.
	other string
}

// act is done to a server or its exporter at an instant of the first wait, counted from its beginning as a part of it.
type act struct {
	part float64
	do   func(*realServer, *testing.T)
}

var realCases = []realCase{
	{name: "plain", sample: "force-delete", factor: 14, before: 56 * time.Second, length: 42 * time.Second, scrape: "honor_labels: true",
		target: map[string]string{"namespace": "monitoring", "pod": "ksm-0", "node": "worker-1"}},
	{name: "labels of the target win", sample: "force-delete", factor: 14, before: 56 * time.Second, length: 42 * time.Second,
		scrape: "honor_labels: false",
		target: map[string]string{"namespace": "monitoring", "pod": "ksm-0", "node": "worker-1"}, alerts: []string{"--honor-labels=false"}},
	{name: "created dropped", sample: "node-returns", factor: 8, before: 40 * time.Second, length: 36 * time.Second,
		alerts: []string{"--openshift"},
		scrape: "honor_labels: true\n    metric_relabel_configs: [{source_labels: [__name__], regex: '^kube_.+_created$', action: drop}]"},
	{name: "two clusters", sample: "force-delete", factor: 14, before: 56 * time.Second, length: 42 * time.Second,
		scrape: "honor_labels: true",
		target: map[string]string{"cluster": "a"}, other: "slow-stop", alerts: []string{"--cluster-label=cluster"}},
	{name: "exporter moves", sample: "node-returns", factor: 8, before: 40 * time.Second, length: 36 * time.Second,
		scrape: "honor_labels: true",
		target: map[string]string{"pod": "ksm-0"}, acts: []act{{0.1, (*realServer).removeExporter}, {0.4, (*realServer).otherExporter}}},
	{name: "server restarts in a hand-over", sample: "handover", factor: 1, before: 8 * time.Second, length: 40 * time.Second,
		scrape: "honor_labels: true",
		acts:   []act{{0.75, (*realServer).stop}, {1.05, (*realServer).start}}, blind: true},
}

// TestRealServer has a real Prometheus scrape recorded incidents at speed, and reads its data directory, its snapshot and its answers:
// each tells the wait that was played, and no deletion that was not. The rules that volpost prints run in the server, and those that
// fire there are those that the report says to fire.
func TestRealServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers and waits for them")
	}
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("needs prometheus (Debian: apt-get install prometheus)")
	}
	var servers []*realServer
	for _, c := range realCases {
		servers = append(servers, newRealServer(t, program, c))
	}
	playAll(t, servers)
	for _, s := range servers {
		t.Run(s.name, func(t *testing.T) {
			said := s.compare(t)
			if len(said) > 0 { // on a busy machine a server misses evaluations: once more, alone
				t.Logf("played again, because %q", said)
				again := newRealServer(t, program, s.realCase)
				playAll(t, []*realServer{again})
				said = again.compare(t)
			}
			for _, text := range said {
				t.Error(text)
			}
		})
	}
}

// playAll plays the incidents side by side, to their ends.
func playAll(t *testing.T, servers []*realServer) {
	t.Helper()
	type event struct {
		at time.Time
		do func(*testing.T)
	}
	var events []event
	for _, s := range servers {
		s.incident.start()
		times := s.incident.truth.Affected[0].Times
		began, ended := s.incident.real(*times["multiAttachFirstEvent"]), s.incident.real(*times["newVAAttached"])
		for _, a := range s.acts {
			events = append(events, event{began.Add(time.Duration(float64(ended.Sub(began)) * a.part)), func(t *testing.T) { a.do(s, t) }})
		}
		events = append(events, event{s.end(), s.ask})
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.at.Compare(b.at) })
	for _, e := range events {
		time.Sleep(time.Until(e.at))
		e.do(t)
	}
}

// end is when the play ends.
func (s *realServer) end() time.Time { return time.Unix(0, s.incident.started.Load()).Add(s.length) }

// ask takes from the server what it tells, and stops it.
func (s *realServer) ask(t *testing.T) {
	s.answers, s.fired, s.snapshot = s.askAll(t), s.askFired(t), s.askSnapshot(t)
	s.stop(t)
}

// compare reads all that the server left, and says what is wrong.
func (s *realServer) compare(t *testing.T) []string {
	for _, form := range []struct{ name, path string }{{"data directory", s.data}, {"snapshot", s.snapshot}, {"answers", s.answers}} {
		got := volpost("analyze", form.path, "--rules", s.rules, "-o", "json")
		if got.code != 0 {
			t.Fatalf("%s: exit %d: %s", form.name, got.code, got.stderr)
		}
		r := decoded(t, []byte(got.stdout))
		s.toldRight(form.name, r)
		s.firedAlike(form.name, r)
	}
	if len(s.acts) == 0 {
		s.firedAsDocumented(t)
	}
	return s.said
}

func (s *realServer) wrong(format string, args ...any) {
	s.said = append(s.said, fmt.Sprintf(format, args...))
}

// realServer is a Prometheus on the loopback interface.
type realServer struct {
	realCase
	program, data, rules, config, targets string
	port                                  int
	incident                              *incidentPlayed
	command                               *exec.Cmd
	log                                   *bytes.Buffer
	answers, snapshot                     string // directories
	fired                                 map[string]time.Time
	said                                  []string // what of the reports is wrong
}

func newRealServer(t *testing.T, program string, c realCase) *realServer {
	t.Helper()
	dir := t.TempDir()
	s := &realServer{realCase: c, program: program, data: filepath.Join(dir, "data"), rules: filepath.Join(dir, "rules.yaml"),
		config: filepath.Join(dir, "prometheus.yaml"), targets: filepath.Join(dir, "targets.json"), port: freePort(t), log: &bytes.Buffer{}}
	s.incident = play(t, c.sample, c.before, c.factor)
	rules := volpost(append([]string{"alerts", "--plain"}, c.alerts...)...)
	if rules.code != 0 {
		t.Fatal(rules.stderr)
	}
	write(t, s.rules, []byte(faster(rules.stdout, c.factor)))
	write(t, s.config, fmt.Appendf(nil, `global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
rule_files: [%s]
scrape_configs:
  - job_name: kube-state-metrics
    file_sd_configs: [{files: [%s], refresh_interval: 1s}]
    %s
`, s.rules, s.targets, c.scrape))
	targets := []map[string]any{s.oneTarget(exporter(t, s.incident), c.target)}
	if c.other != "" {
		other := play(t, c.other, c.before, 1)
		other.frozen = true
		other.start()
		targets = append(targets, s.oneTarget(exporter(t, other), map[string]string{"cluster": "b"}))
	}
	s.writeTargets(t, targets)
	s.start(t)
	return s
}

func (s *realServer) oneTarget(address string, labels map[string]string) map[string]any {
	return map[string]any{"targets": []string{address}, "labels": labels}
}

func (s *realServer) writeTargets(t *testing.T, targets any) {
	t.Helper()
	text, err := json.Marshal(targets)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s.targets+".new", text)
	if err := os.Rename(s.targets+".new", s.targets); err != nil {
		t.Fatal(err)
	}
}

func exporter(t *testing.T, h http.Handler) string {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// faster are rules whose durations are as much shorter as the incident is, evaluated at each scrape. The thresholds inside of their
// expressions stay.
func faster(rules string, factor float64) string {
	rules = regexp.MustCompile(`(?m)^(\s+)for: (\d+)m$`).ReplaceAllStringFunc(rules, func(line string) string {
		at := strings.LastIndex(line, " ") + 1
		minutes, _ := strconv.Atoi(strings.TrimSuffix(line[at:], "m")) // the expression saw to it
		return line[:at] + strconv.Itoa(max(1, int(float64(minutes*60)/factor))) + "s"
	})
	return regexp.MustCompile(`(?m)^- name: \S+$`).ReplaceAllString(rules, "$0\n  interval: 1s")
}

func (s *realServer) start(t *testing.T) {
	t.Helper()
	s.command = exec.Command(s.program, "--config.file="+s.config, "--storage.tsdb.path="+s.data, "--web.enable-admin-api",
		"--web.listen-address=127.0.0.1:"+strconv.Itoa(s.port), "--log.level=warn")
	s.command.Stdout, s.command.Stderr = s.log, s.log
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	running := s.command
	t.Cleanup(func() {
		if running.ProcessState == nil {
			_ = running.Process.Kill() // the test failed before it stopped it
			_ = running.Wait()
		}
	})
	for range 300 {
		if r, err := http.Get(s.url("/-/ready", nil)); err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the server does not get ready: %s", s.log)
}

// stop ends the server as its service manager does.
func (s *realServer) stop(t *testing.T) {
	t.Helper()
	if err := s.command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.command.Wait(); err != nil {
		t.Fatalf("%v: %s", err, s.log)
	}
}

// removeExporter takes the exporter away, and otherExporter brings another one of it, as when its pod is replaced.
func (s *realServer) removeExporter(t *testing.T) { s.writeTargets(t, []int{}) }

func (s *realServer) otherExporter(t *testing.T) {
	s.writeTargets(t, []any{s.oneTarget(exporter(t, s.incident), map[string]string{"pod": "ksm-1"})})
}

func (s *realServer) url(path string, query url.Values) string {
	u := url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(s.port), Path: path, RawQuery: query.Encode()}
	return u.String()
}

func (s *realServer) get(t *testing.T, path string, query url.Values) []byte {
	t.Helper()
	r, err := http.Get(s.url(path, query))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v %s", path, r.Status, err, text)
	}
	return text
}

// askAll asks what volpost gather asks, every second.
func (s *realServer) askAll(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	end := time.Now()
	for i, query := range gatherQueries() {
		text := s.get(t, "/api/v1/query_range", url.Values{"query": {query}, "step": {"1"},
			"start": {strconv.FormatInt(end.Add(-s.length-5*time.Second).Unix(), 10)}, "end": {strconv.FormatInt(end.Unix(), 10)}})
		write(t, filepath.Join(dir, strconv.Itoa(i)+".json"), text)
	}
	return dir
}

// askSnapshot has the server make a snapshot.
func (s *realServer) askSnapshot(t *testing.T) string {
	t.Helper()
	r, err := http.Post(s.url("/api/v1/admin/tsdb/snapshot", nil), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var made struct{ Data struct{ Name string } }
	if err := json.NewDecoder(r.Body).Decode(&made); err != nil || made.Data.Name == "" {
		t.Fatalf("no snapshot: %v %s", err, r.Status)
	}
	to := filepath.Join(t.TempDir(), "snapshot")
	if err := os.Rename(filepath.Join(s.data, "snapshots", made.Data.Name), to); err != nil {
		t.Fatal(err)
	}
	return to
}

// askFired is when each alert first fired in the server.
func (s *realServer) askFired(t *testing.T) map[string]time.Time {
	t.Helper()
	var answer struct {
		Data struct {
			Result []struct {
				Metric map[string]string
				Values [][2]any
			}
		}
	}
	if err := json.Unmarshal(s.get(t, "/api/v1/query", url.Values{"query": {`ALERTS{alertstate="firing"}[5m]`}}), &answer); err != nil {
		t.Fatal(err)
	}
	out := map[string]time.Time{}
	for _, series := range answer.Data.Result {
		name, at := series.Metric["alertname"], time.UnixMilli(int64(series.Values[0][0].(float64)*1000))
		if was, ok := out[name]; !ok || at.Before(was) {
			out[name] = at
		}
	}
	return out
}

// toldRight compares a report with what was played.
func (s *realServer) toldRight(form string, r *model.Report) {
	if r.Verdict.Status == "clean" {
		s.wrong("%s: it says clean: %s", form, r.Verdict.Headline)
	}
	for _, a := range s.incident.truth.Affected {
		if a.Times["newVAAttached"] == nil || s.incident.real(*a.Times["newPodScheduled"]).After(s.end()) {
			continue // not played
		}
		began, ended := s.incident.real(*a.Times["newPodScheduled"]), s.incident.real(*a.Times["newVAAttached"])
		i := slices.IndexFunc(r.Incidents, func(i model.Incident) bool {
			return i.Volume.PersistentVolume == a.PV && contains(&i.MultiAttach.Began, began)
		})
		if i < 0 {
			s.wrong("%s: the wait for %s from %s is not found in %s", form, a.PV, began, incidents(r))
			continue
		}
		s.incidentRight(form, &r.Incidents[i], a.affected, began, ended)
	}
	if len(r.Incidents) > len(s.incident.truth.Affected) {
		s.wrong("%s: %d waits, of which %d were played: %s", form, len(r.Incidents), len(s.incident.truth.Affected), incidents(r))
	}
	for _, item := range r.Timeline {
		if item.Kind == model.NodeDeleted {
			s.wrong("%s: a node that was deleted: %s", form, item.Text)
		}
	}
}

// evaluatedSlack is by how much later the report can say that a rule fired: it evaluates every five seconds at most, so that a condition
// begins and lasts long enough up to so much later each.
const evaluatedSlack = 12 * time.Second

// playedSlack is what a scrape can come late on a machine that does other work.
const playedSlack = 2 * time.Second

func contains(m *model.Moment, at time.Time) bool {
	return !at.Before(m.Earliest.Add(-playedSlack)) && !at.After(m.Latest.Add(playedSlack))
}

func (s *realServer) incidentRight(form string, i *model.Incident, a affected, began, ended time.Time) {
	name := ""
	if i.BlockingAttachment.Name != nil {
		name = *i.BlockingAttachment.Name
	}
	for _, c := range []struct{ what, got, want string }{
		{"old node", i.From.Node, *a.OldNode}, {"new node", i.To.Node, *a.NewNode}, {"blocking attachment", name, *a.BlockingVA},
		{"workload", i.Workload.Name, *a.Workload},
	} {
		if c.got != c.want {
			s.wrong("%s: %s is %q, want %q", form, c.what, c.got, c.want)
		}
	}
	within := func(what string, m *model.Moment, want time.Time) {
		switch {
		case m == nil:
			s.wrong("%s: %s is not told, want %s", form, what, want)
		case !contains(m, want):
			s.wrong("%s: %s is %s to %s, want %s", form, what, m.Earliest, m.Latest, want)
		}
	}
	within("its beginning", &i.MultiAttach.Began, began)
	within("its end", i.MultiAttach.Ended, ended)
	if at := a.Times["oldVAGone"]; at != nil && !(s.blind && form == "answers") {
		gone := i.BlockingAttachment.GoneAt
		if lives := i.BlockingAttachment.Lives; gone == nil && len(lives) > 0 {
			gone = lives[len(lives)-1].GoneAt // of answers the bounds can be wide
		}
		within("the end of the attachment", gone, s.incident.real(*at))
	}
	for _, c := range i.Causes {
		if c.Verdict == model.Confirmed && (c.ID == "node-gone" || c.ID == "attachment-lost") {
			s.wrong("%s: %s is %s", form, c.ID, c.Verdict)
		}
	}
}

// firedAlike compares what fired in the server with what the report says of the same rules over the same series.
func (s *realServer) firedAlike(form string, r *model.Report) {
	said := map[string]time.Time{}
	for _, a := range r.Alerts {
		if a.Line == 0 {
			continue // not of the file
		}
		for _, f := range a.Firings {
			if was, ok := said[a.Name]; !ok || f.From.Before(was) {
				said[a.Name] = f.From
			}
		}
	}
	for name, at := range s.fired {
		if was, ok := said[name]; !ok || was.Sub(at).Abs() > evaluatedSlack {
			s.wrong("%s: %s fired at %s; the report says %s", form, name, at.UTC(), was)
		}
	}
	for name, at := range said {
		if _, ok := s.fired[name]; !ok {
			s.wrong("%s: %s fired at %s by the report, and not in the server", form, name, at)
		}
	}
}

// firedAsDocumented compares what fired in a server that nothing happened to with what docs/alerts.md says of the sample.
func (s *realServer) firedAsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	table := string(page[bytes.LastIndex(page, []byte("### Corrected")):])
	var names []string
	documented := map[string]bool{}
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if cells[0] == "recording" {
			names = cells
		}
		if cells[0] != s.sample {
			continue
		}
		for i, cell := range cells {
			if strings.HasSuffix(cell, " s") {
				name, _, _ := strings.Cut(names[i], "/")
				documented[name] = true
			}
		}
	}
	for name := range s.fired {
		if !documented[name] {
			s.wrong("%s fired, and docs/alerts.md does not say it of %s", name, s.sample)
		}
	}
	for name := range documented {
		if _, ok := s.fired[name]; !ok {
			s.wrong("%s did not fire, and docs/alerts.md says it of %s", name, s.sample)
		}
	}
	if len(documented) == 0 {
		s.wrong("docs/alerts.md says of no alert that it fires for %s", s.sample)
	}
}
