package logfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// plainLine is one line of a process with the time at which a container runtime took it.
type plainLine struct {
	at   time.Time
	text string
}

// linesOf reads what kubectl logs --timestamps wrote.
func linesOf(t testing.TB, log string) []plainLine {
	t.Helper()
	var out []plainLine
	for line := range strings.Lines(log) {
		stamp, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		at, err := time.Parse(time.RFC3339Nano, stamp)
		if !ok || err != nil {
			t.Fatalf("not a line with a time stamp: %q", line)
		}
		out = append(out, plainLine{at, text})
	}
	return out
}

// transport writes the lines of a log as a tool or a service does.
type transport struct {
	name     string
	floating bool // there is neither year nor zone in it
	write    func(lines []plainLine) string
}

// perLine is a transport that writes each line for itself.
func perLine(write func(l plainLine) string) func([]plainLine) string {
	return func(lines []plainLine) string {
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(write(l))
			b.WriteByte('\n')
		}
		return b.String()
	}
}

func encode(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // maps of strings
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// document is a transport that writes one JSON document around all lines.
func document(indent string, newestFirst bool, around func([]any) any, each func(l plainLine) any) func([]plainLine) string {
	return func(lines []plainLine) string {
		var list []any
		for _, l := range lines {
			list = append(list, each(l))
		}
		if newestFirst {
			slices.Reverse(list)
		}
		return encode(around(list), indent) + "\n"
	}
}

type object = map[string]any

const (
	podName    = "kube-controller-manager-cp-0"
	container  = "kube-controller-manager"
	streamName = "kube-controller-manager-934e06efeb2e9416b02fa19f9a2d1774"
)

func rfc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000000Z07:00") }

func east(t time.Time) time.Time { return t.In(time.FixedZone("", 8*3600)) }

// withoutHeader takes klog's header off, as Google's agent does.
func withoutHeader(l plainLine) (text, file, severity string, at time.Time) {
	place, text, ok := strings.Cut(l.text, "] ")
	words := strings.Fields(place)
	if !ok || len(words) < 4 {
		return l.text, "", "DEFAULT", l.at
	}
	at, err := time.Parse("2006 0102 15:04:05.000000", fmt.Sprint(l.at.Year(), " ", words[0][1:], " ", words[1]))
	if err != nil {
		return l.text, "", "DEFAULT", l.at
	}
	file, _, _ = strings.Cut(words[3], ":")
	return text, file, map[byte]string{'I': "INFO", 'W': "WARNING", 'E': "ERROR", 'F': "CRITICAL"}[l.text[0]], at
}

// partial writes CRI's lines in pieces, with lines of the other stream in between.
func partial(lines []plainLine) string {
	var b strings.Builder
	for i, l := range lines {
		text := l.text
		for len(text) > 700 {
			fmt.Fprintf(&b, "%s stderr P %s\n", rfc(l.at), text[:700])
			text = text[700:]
			if i%3 == 0 {
				fmt.Fprintf(&b, "%s stdout F listening on port %d\n", rfc(l.at), i)
			}
		}
		fmt.Fprintf(&b, "%s stderr F %s\n", rfc(l.at), text)
	}
	return b.String()
}

// shuffled writes blocks of lines out of order, as exports to S3 are.
func shuffled(lines []plainLine) string {
	var blocks [][]plainLine
	for block := range slices.Chunk(lines, 100) {
		blocks = append(blocks, block)
	}
	for i := 0; i+1 < len(blocks); i += 2 {
		blocks[i], blocks[i+1] = blocks[i+1], blocks[i]
	}
	return perLine(func(l plainLine) string { return l.at.UTC().Format("2006-01-02T15:04:05.000Z") + " " + l.text })(slices.Concat(blocks...))
}

// transports are all that a controller's log is known to come in.
var transports = []transport{
	{"kubectl logs", true, perLine(func(l plainLine) string { return l.text })},
	{"crlf with a byte order mark", true, func(lines []plainLine) string {
		return "\ufeff" + perLine(func(l plainLine) string { return l.text + "\r" })(lines)
	}},
	{"kubectl logs --prefix", true, perLine(func(l plainLine) string { return "[pod/" + podName + "/" + container + "] " + l.text })},
	{"kubectl logs --prefix --timestamps", false, perLine(func(l plainLine) string {
		return "[pod/" + podName + "/" + container + "] " + rfc(l.at) + " " + l.text
	})},
	{"cri", false, perLine(func(l plainLine) string { return rfc(l.at) + " stderr F " + l.text })},
	{"cri with an offset", false, perLine(func(l plainLine) string { return east(l.at).Format(time.RFC3339Nano) + " stderr F " + l.text })},
	{"cri in pieces", false, partial},
	{"docker", false, perLine(func(l plainLine) string {
		return encode(struct {
			Log    string `json:"log"`
			Stream string `json:"stream"`
			Time   string `json:"time"`
		}{l.text + "\n", "stderr", rfc(l.at)}, "")
	})},
	{"grep -r over cri", false, perLine(func(l plainLine) string {
		return "logs/kube-system/" + podName + "/kcm.log:" + rfc(l.at) + " stderr F " + l.text
	})},
	{"journalctl", true, perLine(func(l plainLine) string {
		return l.at.UTC().Format("Jan _2 15:04:05") + " cp-0 kube-controller-manager[812]: " + l.text
	})},
	{"journalctl -o short-precise", true, perLine(func(l plainLine) string {
		return l.at.UTC().Format("Jan _2 15:04:05.000000") + " cp-0 kube-controller-manager[812]: " + l.text
	})},
	{"journalctl -o short-iso", false, perLine(func(l plainLine) string {
		return east(l.at).Format("2006-01-02T15:04:05-0700") + " cp-0 kube-controller-manager[812]: " + l.text
	})},
	{"journalctl -r", true, func(lines []plainLine) string {
		lines = slices.Clone(lines)
		slices.Reverse(lines)
		return perLine(func(l plainLine) string {
			return l.at.UTC().Format("Jan _2 15:04:05") + " cp-0 kube-controller-manager[812]: " + l.text
		})(lines)
	}},
	{"journalctl -o json", false, perLine(func(l plainLine) string {
		return encode(object{"__REALTIME_TIMESTAMP": fmt.Sprint(l.at.UnixMicro()), "PRIORITY": "6", "_HOSTNAME": "cp-0",
			"SYSLOG_IDENTIFIER": container, "_SYSTEMD_UNIT": container + ".service", "MESSAGE": l.text}, "")
	})},
	{"stern -t", false, perLine(func(l plainLine) string { return podName + " " + container + " " + rfc(l.at) + " " + l.text })},
	{"stern in colour", true, perLine(func(l plainLine) string {
		return "\x1b[36m" + podName + "\x1b[0m \x1b[36m" + container + "\x1b[0m " + l.text
	})},
	{"stern -o json", true, perLine(func(l plainLine) string {
		return encode(object{"message": l.text, "nodeName": "cp-0", "namespace": "kube-system", "podName": podName, "containerName": container},
			"")
	})},
	{"kail", true, perLine(func(l plainLine) string { return "kube-system/" + podName + "[" + container + "]: " + l.text })},
	{"aws logs filter-log-events", false, document("    ", false, func(e []any) any {
		return object{"events": e, "searchedLogStreams": []any{}}
	}, func(l plainLine) any {
		return object{"logStreamName": streamName, "timestamp": l.at.UnixMilli(), "message": l.text, "ingestionTime": l.at.UnixMilli() + 4000,
			"eventId": "3955"}
	})},
	{"aws logs get-log-events", false, document("", false, func(e []any) any {
		return object{"events": e, "nextForwardToken": "f/3"}
	}, func(l plainLine) any {
		return object{"timestamp": l.at.UnixMilli(), "message": l.text, "ingestionTime": l.at.UnixMilli() + 4000}
	})},
	{"cloudwatch logs insights", false, document("    ", true, func(e []any) any {
		return object{"results": e, "status": "Complete", "statistics": object{"recordsMatched": 2.0}}
	}, func(l plainLine) any {
		return []any{object{"field": "@timestamp", "value": l.at.UTC().Format("2006-01-02 15:04:05.000")},
			object{"field": "@message", "value": l.text}, object{"field": "@ptr", "value": "CmE"}}
	})},
	{"cloudwatch export to s3", false, shuffled},
	{"aws logs tail", false, perLine(func(l plainLine) string {
		return l.at.UTC().Format("2006-01-02T15:04:05.000000+00:00") + " " + streamName + " " + l.text
	})},
	{"gcloud logging read", false, document("  ", true, func(e []any) any { return e }, func(l plainLine) any {
		text, file, severity, at := withoutHeader(l)
		return object{"insertId": "abc", "logName": "projects/p/logs/container.googleapis.com%2Fcontroller-manager",
			"receiveTimestamp": rfc(l.at.Add(time.Second)),
			"resource":         object{"type": "k8s_control_plane_component", "labels": object{"component_name": "controller-manager"}},
			"jsonPayload":      object{"message": text}, "severity": severity, "timestamp": rfc(at),
			"sourceLocation": object{"file": file, "line": "12"}}
	})},
	{"azure storage account", false, perLine(func(l plainLine) string {
		return encode(object{"category": container, "operationName": "Microsoft.ContainerService/managedClusters/diagnosticLogs/Read",
			"time":       rfc(l.at.Add(time.Second)),
			"properties": object{"pod": podName, "log": l.text + "\n", "stream": "stderr", "containerID": "667b"}}, "")
	})},
	{"azure event hub", false, document("", false, func(e []any) any { return object{"records": e} }, func(l plainLine) any {
		return object{"category": container, "time": rfc(l.at.Add(time.Second)),
			"properties": object{"pod": podName, "log": l.text + "\n", "stream": "stderr"}}
	})},
	{"log analytics csv", false, func(lines []plainLine) string {
		return "TenantId,TimeGenerated [UTC],Category,Level,Message,PodName,Stream\n" + perLine(func(l plainLine) string {
			return `,"` + l.at.UTC().Format("1/2/2006, 3:04:05.000 PM") + `",` + container + `,INFO,"` + strings.ReplaceAll(l.text, `"`, `""`) +
				`",` + podName + ",stderr"
		})(lines)
	}},
	{"log analytics tables", false, document("", true, func(e []any) any {
		return object{"tables": []any{object{"name": "PrimaryResult",
			"columns": []any{object{"name": "TimeGenerated", "type": "datetime"}, object{"name": "log_s", "type": "string"}}, "rows": e}}}
	}, func(l plainLine) any { return []any{rfc(l.at), l.text + "\n"} })},
	{"logcli -o jsonl", false, perLine(func(l plainLine) string {
		return encode(object{"labels": object{"pod": podName, "container": container}, "line": l.text, "timestamp": rfc(l.at)}, "")
	})},
	{"loki query_range", false, document(" ", true, func(e []any) any {
		return object{"status": "success",
			"data": object{"resultType": "streams", "result": []any{object{"stream": object{"pod": podName, "container": container}, "values": e}}}}
	}, func(l plainLine) any { return []any{fmt.Sprint(l.at.UnixNano()), l.text} })},
	{"grafana over docker", false, document(" ", false, func(e []any) any { return e }, func(l plainLine) any {
		inner := encode(struct {
			Log    string `json:"log"`
			Stream string `json:"stream"`
			Time   string `json:"time"`
		}{l.text + "\n", "stderr", rfc(l.at)}, "")
		return object{"line": inner, "timestamp": fmt.Sprint(l.at.UnixNano()), "fields": object{"container": container, "pod": podName}}
	})},
	{"elasticsearch", false, document("", false, func(e []any) any {
		return object{"took": 3, "hits": object{"total": object{"value": 1}, "hits": e}}
	}, func(l plainLine) any {
		return object{"_index": "infra", "_id": "x",
			"_source": object{"@timestamp": rfc(l.at), "message": l.text, "level": "warning",
				"kubernetes": object{"pod_name": podName, "container_name": container}}}
	})},
	{"elasticdump over cri", false, perLine(func(l plainLine) string {
		return encode(object{"_index": "fluent-bit", "_id": "x", "_score": 1,
			"_source": object{"@timestamp": rfc(l.at), "log": rfc(l.at) + " stderr F " + l.text, "kubernetes": object{"pod_name": podName}}}, "")
	})},
	{"fluentd out_file", false, perLine(func(l plainLine) string {
		return l.at.UTC().Format("2006-01-02T15:04:05-07:00") + "\tkubernetes.var.log.containers." + podName + ".log\t" +
			encode(object{"stream": "stderr", "logtag": "F", "message": l.text}, "")
	})},
}

// told is what a statement says, but for where it stands.
type told struct {
	what     string
	at, last time.Time
}

func tell(o model.Observation) told {
	return told{at: o.At.At, last: o.Last.At,
		what: fmt.Sprintf("%s x%d %s %s by %q node %q holders %q pod %v pods %v owner %v object %v volume %v attachment %q access %v variant "+
			"%q detail %q",
			o.Kind, o.Count, o.At.At.Sub(o.At.Earliest).Round(time.Millisecond), o.At.Latest.Sub(o.At.At).Round(time.Millisecond),
			o.Component, o.Node, o.Holders, o.Pod, o.Pods, o.Owner, o.Object, o.Volume, o.Attachment, o.Access, o.Variant, o.Detail)}
}

// in puts a floating time into a year.
func (x told) in(year int) told {
	if x.at.Year() <= 0 {
		x.at, x.last = x.at.AddDate(year, 0, 0), x.last.AddDate(year, 0, 0)
	}
	return x
}

func tellAll(r Result, year int, undated bool) []told {
	var out []told
	for _, o := range r.Observations {
		if o.Kind == model.PodDeletionRequested && undated {
			o.Detail = "" // that its stamp is the time of its line only the year and the zone tell
		}
		out = append(out, tell(o).in(year))
	}
	slices.SortFunc(out, func(a, b told) int { return cmp.Or(cmp.Compare(a.what, b.what), a.at.Compare(b.at)) })
	return out
}

// same tells whether two statements say the same; their times may be a millisecond apart, as services cut them.
func same(a, b told) bool {
	return a.what == b.what && a.at.Sub(b.at).Abs() <= time.Millisecond && a.last.Sub(b.last).Abs() <= time.Millisecond
}

// sameIn checks that a log says the same in each transport.
func sameIn(t *testing.T, log string) {
	lines := linesOf(t, log)
	plain := readText(log, Hint{})
	structured := strings.HasPrefix(lines[0].text, "{") // has instants of its own
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) {
			text := tr.write(lines)
			if _, ok := Sniff([]byte(text[:min(len(text), 64<<10)])); !ok {
				t.Error("not taken for a log")
			}
			r := readText(text, Hint{})
			if r.Input.Floating != (tr.floating && !structured) || r.Input.Component != plain.Input.Component || r.Input.Used != plain.Input.Used ||
				r.Input.Bytes != int64(len(text)) {
				t.Errorf("%+v, as plain text %+v", r.Input, plain.Input)
			}
			want, got := tellAll(plain, 0, r.Input.Floating), tellAll(r, lines[0].at.Year(), r.Input.Floating)
			if len(want) != len(got) {
				t.Fatalf("%d statements, as plain text %d", len(got), len(want))
			}
			for i := range want {
				if !same(want[i], got[i]) {
					t.Fatalf("%+v, as plain text %+v", got[i], want[i])
				}
			}
			quoted(t, text, r)
		})
	}
}

// holds tells whether a line has a quote in it, all of it but what is masked.
func holds(line, quote string) bool {
	for part := range strings.SplitSeq(quote, mask.Masked) {
		at := strings.Index(line, part)
		if at < 0 {
			return false
		}
		line = line[at+len(part):]
	}
	return true
}

// quoted checks that every quote stands where its source says.
func quoted(t *testing.T, text string, r Result) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for _, o := range r.Observations {
		first, _, _ := strings.Cut(o.Quote.Text, "\n")
		if o.Source.Line < 1 || o.Source.Line > len(lines) || first == "" || !holds(lines[o.Source.Line-1], first) {
			t.Errorf("line %d does not hold %.200q", o.Source.Line, first)
			return
		}
	}
}

// servedLog is what the API server serves of a file of the container runtime: what ships logs reads either, and no
// tailer prints the runtime's own marks.
func servedLog(file string) string { return strings.ReplaceAll(file, "Z stderr F ", "Z ") }

// Each sample's controller log says the same in whatever it comes.
func TestTransports(t *testing.T) {
	n := 0
	for _, s := range recordings.Sweep(samples.List()) {
		name := s.Name
		bundle, err := samples.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(bundle, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.Contains(path, "kube-controller-manager") || filepath.Base(path) != "current.log" {
				return err
			}
			data, err := fs.ReadFile(bundle, path)
			if err != nil || len(data) < 10_000 || len(data) > 1<<20 {
				return err
			}
			n++
			t.Run(name, func(t *testing.T) { sameIn(t, servedLog(string(data))) })
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 {
		t.Error("no sample has a log to write again")
	}
}

// The same over recordings of several versions of Kubernetes.
func TestRecordedTransports(t *testing.T) {
	for _, name := range []string{"force-delete-v1.23", "slow-stop-v1.30", "unmount-stuck", "controller-failover", "attacher-down"} {
		bundle, err := recordings.Bundle(name)
		if err != nil {
			t.Fatal(err)
		}
		paths, _ := fs.Glob(bundle, "*/namespaces/*/pods/*/kube-controller-manager/kube-controller-manager/logs/current.log")
		if len(paths) == 0 {
			t.Fatal("no log of a controller")
		}
		data, err := fs.ReadFile(bundle, paths[0])
		if err != nil {
			t.Fatal(err)
		}
		if i := bytes.LastIndexByte(data[:min(len(data), 2<<20)], '\n'); i > 0 {
			data = data[:i+1]
		}
		t.Run(name, func(t *testing.T) { sameIn(t, string(data)) })
	}
}
