package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// TestSameBytes runs each sample again, and with its files met in another order.
func TestSameBytes(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			whole := sampleFiles(t, s.Name)
			first, _ := ofSample(t, s.Name)
			for n := range 2 {
				if again, _ := explained(t, whole, samplePrefix+s.Name); !bytes.Equal(first, again) {
					t.Fatal("two runs differ: " + firstDifference(string(first), string(again)))
				}
				if n == 0 && !recordings.Long {
					break
				}
			}
			if other, _ := explained(t, backwards{whole}, samplePrefix+s.Name); !bytes.Equal(first, other) {
				t.Fatal("the order of files matters: " + firstDifference(string(first), string(other)))
			}
		})
	}
}

// backwards lists directories in the wrong order.
type backwards struct{ fs.FS }

func (b backwards) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(b.FS, name)
	slices.Reverse(entries)
	return entries, err
}

// TestQuotesAreFound looks each piece of evidence up at the place that it names.
func TestQuotesAreFound(t *testing.T) {
	for _, s := range samples.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			whole := sampleFiles(t, s.Name)
			_, r := ofSample(t, s.Name)
			if len(r.Evidence) == 0 {
				t.Fatal("no evidence")
			}
			for _, e := range r.Evidence {
				if why := quoted(whole, e); why != "" {
					t.Errorf("%s %s:%d: %s: %.120q", e.ID, e.Source.Path, e.Source.Line, why, e.Text)
				}
			}
		})
	}
}

// quoted says what is wrong with a quote, or "". Leading blanks of a manifest's line may be left out. A block of Prometheus is a directory
// without lines; a quote from it begins with a series, whose metric is a word of the index.
func quoted(bundle fstest.MapFS, e model.Evidence) string {
	file, ok := bundle[e.Source.Path]
	if index, block := bundle[e.Source.Path+"/index"]; block && e.Source.Line == 0 {
		metric, _, found := strings.Cut(e.Text, "{")
		if !found || metric == "" || !bytes.Contains(index.Data, []byte(metric)) {
			return "the block has no such series"
		}
		return ""
	}
	switch {
	case !ok:
		return "there is no such file"
	case e.Text == "":
		return "the quote is empty"
	case e.Source.Line == 0:
		return "there is no line"
	}
	rest := file.Data
	for range e.Source.Line - 1 {
		_, after, found := bytes.Cut(rest, []byte("\n"))
		if !found {
			return "the file has fewer lines"
		}
		rest = after
	}
	text := []byte(e.Text)
	if !bytes.HasPrefix(rest, text) && !bytes.HasPrefix(bytes.TrimLeft(rest, " "), text) && !maskedPrefix(rest, e.Text) {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		return "the line is another: " + string(line[:min(len(line), 120)])
	}
	return ""
}

// maskedPrefix reports that a text begins with a quote of which secrets are masked.
func maskedPrefix(rest []byte, quote string) bool {
	end := 0
	for range strings.Count(quote, "\n") + 1 {
		next := bytes.IndexByte(rest[end:], '\n')
		if next < 0 {
			end = len(rest)
			break
		}
		end += next + 1
	}
	return strings.HasPrefix(mask.Text(strings.TrimLeft(string(rest[:end]), " ")), quote)
}

// TestClaimsNameEvidence follows every identifier of evidence in a report.
func TestClaimsNameEvidence(t *testing.T) {
	for _, s := range recordings.Sweep(samples.List()) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			text, r := ofSample(t, s.Name)
			known := map[string]bool{}
			for _, e := range r.Evidence {
				if known[e.ID] {
					t.Errorf("two quotes are called %s", e.ID)
				}
				known[e.ID] = true
			}
			var tree any
			if err := json.Unmarshal(text, &tree); err != nil {
				t.Fatal(err)
			}
			claims := 0
			eachEvidenceList(tree, func(id string) {
				claims++
				if !known[id] {
					t.Errorf("evidence %s does not exist", id)
				}
			})
			if claims == 0 {
				t.Error("no claim names evidence")
			}
		})
	}
}

// eachEvidenceList visits the identifiers in all lists called evidence, except the appendix itself, whose members are
// objects.
func eachEvidenceList(tree any, visit func(string)) {
	switch node := tree.(type) {
	case []any:
		for _, child := range node {
			eachEvidenceList(child, visit)
		}
	case map[string]any:
		for key, child := range node {
			list, isList := child.([]any)
			for _, id := range list {
				if text, isText := id.(string); isText && key == "evidence" {
					visit(text)
				}
			}
			if !isList || key != "evidence" || len(list) == 0 {
				eachEvidenceList(child, visit)
			}
		}
	}
}

// klogHeader is severity, month and day, and time of a klog line.
var klogHeader = regexp.MustCompile(`(?m)^([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d{6})`)

// TestShiftedLog moves all times of a lone log by hours: every time of the report moves with it.
func TestShiftedLog(t *testing.T) {
	t.Parallel()
	for _, sample := range []string{"node-deleted", "controller-failover", "unmount-stuck-v1.23"} {
		t.Run(sample, func(t *testing.T) {
			log := bareControllerLog(t, sample)
			_, before := explained(t, fstest.MapFS{"kcm.log": {Data: log}}, "log")
			if len(before.Incidents) == 0 {
				t.Fatal("the log alone shows no incident")
			}
			const delta = 7*time.Hour + 13*time.Minute
			_, after := explained(t, fstest.MapFS{"kcm.log": {Data: shifted(log, delta)}}, "log")
			was, is := instants(before), instants(after)
			if len(was) != len(is) {
				t.Fatalf("%d times before, %d after", len(was), len(is))
			}
			for n := range was {
				if !was[n].Add(delta).Equal(is[n]) {
					t.Fatalf("time %d: %s has become %s", n, was[n], is[n])
				}
			}
		})
	}
}

// bareControllerLog is the leading controller's log as the process wrote it: without the times that the collector put
// in front of the lines.
func bareControllerLog(t *testing.T, sample string) []byte {
	t.Helper()
	var log []byte
	for path, file := range playedFiles(t, sample) {
		if strings.Contains(path, "/kube-controller-manager/logs/current.log") && len(file.Data) > len(log) {
			log = file.Data
		}
	}
	prefix := regexp.MustCompile(`(?m)^\d{4}-\d\d-\d\dT\S+ (std(out|err) [FP] )?`)
	return prefix.ReplaceAll(log, nil)
}

func shifted(log []byte, delta time.Duration) []byte {
	const layout = "0102 15:04:05.000000"
	return klogHeader.ReplaceAllFunc(log, func(header []byte) []byte {
		at, err := time.Parse(layout, string(header[1:]))
		if err != nil {
			return header
		}
		return append([]byte{header[0]}, at.Add(delta).Format(layout)...)
	})
}

// instants are the times of a report, in its order.
func instants(r *model.Report) []time.Time {
	var out []time.Time
	add := func(moments ...*model.Moment) {
		for _, m := range moments {
			if m != nil {
				out = append(out, m.At, m.Earliest, m.Latest)
			}
		}
	}
	for _, i := range r.Incidents {
		b := i.BlockingAttachment
		add(&i.MultiAttach.Began, i.MultiAttach.Ended, b.CreatedAt, b.DeletionRequestedAt, b.GoneAt, &i.Span.From, &i.Span.To)
		for _, p := range i.Phases {
			add(&p.From, &p.To)
		}
		for _, o := range i.WhyNotDetached {
			add(o.Since, o.Until)
		}
	}
	for _, item := range r.Timeline {
		add(&item.At)
	}
	return out
}

// hostileBundle has names and texts that break out of careless outputs.
func hostileBundle() fstest.MapFS {
	const name = `<script>alert(1)</script>"];x->y;\n]]>`
	pod := func(n string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + strconv.Quote(n) + "\n  namespace: " + strconv.Quote("ns"+name) +
			"\n  uid: u-" + strconv.Itoa(len(n)) +
			"\nspec:\n  nodeName: " + strconv.Quote("node"+name) + "\n  volumes:\n  - name: d\n    persistentVolumeClaim:\n      claimName: " +
			strconv.Quote("claim"+name) + "\n"
	}
	event := "apiVersion: v1\nkind: Event\nmetadata:\n  name: e\n  namespace: x\n  uid: e1\ninvolvedObject:\n  kind: Pod\n  name: " +
		strconv.Quote("new"+name) +
		"\n  namespace: " + strconv.Quote("ns"+name) + "\nreason: FailedAttachVolume\ntype: Warning\nmessage: " +
		strconv.Quote(`Multi-Attach error for volume "pv`+name+`" Volume is already used by pod(s) old`+name) +
		"\nfirstTimestamp: \"2026-11-21T06:12:40Z\"\nlastTimestamp: \"2026-11-21T06:12:40Z\"\ncount: 1\n"
	log := `I1121 06:12:40.090000       1 reconciler.go:375] "Multi-Attach error: volume is already used by pods" pods=["ns/old` + "\u202e" +
		`"] attachedTo=["node\x00<b>"] volume={"VolumeName":"kubernetes.io/csi/d^<img src=x onerror=alert(1)>","NodeName":"n2"}` + "\n"
	return fstest.MapFS{
		"pods/old.yaml":                 {Data: []byte(pod("old" + name))},
		"pods/new.yaml":                 {Data: []byte(pod("new" + name))},
		"events.yaml":                   {Data: []byte(event)},
		"kcm\x1b[31m\u202e<script>.log": {Data: []byte(log)},
		"long.log": {Data: []byte("I1121 06:12:41.000000       1 reconciler.go:1] " + strings.Repeat("x", 400_000) +
			"\n")},
		"noise.log": {Data: bytes.Repeat([]byte{0, 0xff, 0x80, '\n'}, 20_000)},
		"torn.yaml": {Data: []byte("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  " +
			"metadata:\n    name: \"torn")},
		"bomb.yaml":                         {Data: aliasBomb()},
		"deep.json":                         {Data: []byte(strings.Repeat(`{"kind":`, 100_000))},
		"lying.yaml":                        {Data: []byte("\x1f\x8b\x08\x00not really gzip")},
		"empty.log":                         {Data: nil},
		"nul.yaml":                          {Data: []byte("apiVersion: v1\nkind: Node\nmetadata:\n  name: a\x00b\n")},
		"carriage.yaml":                     {Data: []byte("apiVersion: v1\r\nkind: Node\r\nmetadata:\r\n  name: crlf\r\n")},
		strings.Repeat("d/", 60) + "a.yaml": {Data: []byte("kind: Node\napiVersion: v1\nmetadata: {name: deep}\n")},
	}
}

// aliasBomb is a few hundred bytes that stand for 9^9 nodes.
func aliasBomb() []byte {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Node\nmetadata:\n  name: bomb\na0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for n := 1; n < 9; n++ {
		alias := "*a" + strconv.Itoa(n-1)
		b.WriteString("a" + strconv.Itoa(n) + ": &a" + strconv.Itoa(n) + " [" + strings.TrimSuffix(strings.Repeat(alias+",", 9), ",") + "]\n")
	}
	return []byte(b.String())
}

// TestHostileBundle wants every file accounted for and no name to break out of an output.
func TestHostileBundle(t *testing.T) {
	bundle := hostileBundle()
	_, r := explained(t, bundle, "hostile")
	accounted := map[string]int{}
	for _, in := range r.Bundle.Inputs {
		accounted[in.Path]++
		if in.Used+in.Skipped != in.Records {
			t.Errorf("%q: %d used and %d skipped are not %d", in.Path, in.Used, in.Skipped, in.Records)
		}
	}
	if len(accounted) != len(bundle) {
		t.Errorf("%d files, %d inputs", len(bundle), len(accounted))
	}
	for path, n := range accounted {
		if n != 1 {
			t.Errorf("%q is accounted for %d times", path, n)
		}
	}
	for _, path := range []string{"noise.log", "torn.yaml", "bomb.yaml", "lying.yaml"} {
		if !slices.ContainsFunc(r.Bundle.Problems, func(p model.Problem) bool { return p.Path == path }) {
			t.Errorf("nothing is said about %s", path)
		}
	}
	for _, format := range []string{"html", "svg", "dot", "text"} {
		var out bytes.Buffer
		render(t, &out, format, r)
		for _, bad := range []string{"<script>alert", "<img src=x", "\x1b", "\x00", "\u202e"} {
			if format != "dot" && bytes.Contains(out.Bytes(), []byte(bad)) && (format != "text" || bad[0] != '<') {
				t.Errorf("%s holds %q", format, bad)
			}
		}
	}
}
