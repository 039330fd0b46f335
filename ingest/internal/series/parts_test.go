package series

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

// TestParseLine: a line of an exposition or of a dump, and what is none.
func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		text, labels, stamp string
		value               float64
		dumped              bool
	}{
		{`m 1`, `m{}`, "", 1, false},
		{`m{} 1`, `m{}`, "", 1, false},
		{`m9:_Z{a="b"} 1 5`, `m9:_Z{a="b"}`, "5", 1, false},
		{`m{a="b",c="d",} -1.5 5.5`, `m{a="b",c="d"}`, "5.5", -1.5, false},
		{`m{ c = "d" , a="b" } 1`, `m{a="b",c="d"}`, "", 1, false},
		{`m{a="b"} 1 5 # {t="x"} 1`, `m{a="b"}`, "5", 1, false},
		{`m{a="b"} 1 # {t="x"} 1 2`, `m{a="b"}`, "", 1, false},
		{`{__name__="m",a="b"} 1 5`, `m{a="b"}`, "5", 1, true},
		{`m{a="x\\y\"z\nw"} 1`, `m{a="x\\y\"z\nw"}`, "", 1, false},
		{`m{a="b"} 1 5 6`, "", "", 0, false},
		{`m{a="b"}`, "", "", 0, false},
		{`m{a="b"} one`, "", "", 0, false},
		{`m{a="b"} 1 now`, "", "", 0, false},
		{`{a="b"} 1`, "", "", 0, false},
		{`9m 1`, "", "", 0, false},
		{`m{a="b" 1`, "", "", 0, false},
		{`m{a="b} 1`, "", "", 0, false},
		{`m{a="b\"} 1`, "", "", 0, false},
		{`m{a="b\`, "", "", 0, false},
		{`m{a} 1`, "", "", 0, false},
		{`m{a='b'} 1`, "", "", 0, false},
		{`m{{a="b"} 1`, "", "", 0, false},
	} {
		l, dumped, err := parseLine(c.text)
		if c.labels == "" {
			if err == nil {
				t.Errorf("%s is read: %+v", c.text, l)
			}
			continue
		}
		if err != nil || l.labels.String() != c.labels || l.stamp != c.stamp || l.value != c.value || dumped != c.dumped {
			t.Errorf("%s: %s %v %q %t, %v", c.text, l.labels, l.value, l.stamp, dumped, err)
		}
	}
}

// TestParseResult: a line of the result of an expression, as a page or promtool prints it.
func TestParseResult(t *testing.T) {
	for text, want := range map[string]string{
		`{a="b"} 1`:                                      `{a="b"} 1 `,
		`{a="b"} => 1 @[1785581130]`:                     `{a="b"} 1 1785581130`,
		`{a="b"} 1 @[1785581130.5]`:                      `{a="b"} 1 1785581130.5`,
		`ALERTS{alertname="A",alertstate="firing"} => 1`: `{__name__="ALERTS",alertname="A",alertstate="firing"} 1 `,
		`{a="b"} 1 @[1785581130`:                         "",
		`{a="b"} 1]`:                                     "",
		`{} => 1`:                                        "",
		`up{a="b"} => 1`:                                 "",
		`1`:                                              "",
	} {
		l, err := parseResult(text)
		got := ""
		if err == nil {
			var parts []string
			for _, v := range l.labels {
				parts = append(parts, fmt.Sprintf("%s=%q", v.Name, v.Value))
			}
			got = fmt.Sprintf("{%s} %v %s", strings.Join(parts, ","), l.value, l.stamp)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	l, _ := parseResult(`{a="b"} 2 @[1785581130]`)
	if u := l.unnamed(); u.Value != 2 || u.At != instant(1785581130000) {
		t.Errorf("%+v", u)
	}
	if l, _ = parseResult(`{a="b"} 2`); !l.unnamed().At.IsZero() {
		t.Errorf("%+v", l.unnamed())
	}
}

// TestStamps: a time with a point is seconds; a whole number is milliseconds from 1973 on, in milliseconds.
func TestStamps(t *testing.T) {
	for _, c := range []struct {
		text    string
		ms      int64
		seconds bool
		ok      bool
	}{
		{"1785581130", 1785581130000, true, true},
		{"1785581130.1234", 1785581130123, true, true},
		{"1785581130123", 1785581130123, false, true},
		{"99999999999", 99999999999000, true, true},
		{"100000000000", 100000000000, false, true},
		{"0", 0, true, true},
		{"-1", 0, false, false},
		{"NaN", 0, false, false},
		{"soon", 0, false, false},
		{"253402300799000", 253402300799000, false, true},
		{"253402300799001", 0, false, false},
		{"253402300800.0", 253402300800000, true, false},
		{"253402300799.0", 253402300799000, true, true},
	} {
		ms, seconds, ok := stampOf(c.text)
		if ms != c.ms || seconds != c.seconds || ok != c.ok {
			t.Errorf("%s: %d %t %t", c.text, ms, seconds, ok)
		}
	}
}

// TestHeads: the head of a file is metrics when its samples are, one of them with labels; a last line that the head cuts does not count.
func TestHeads(t *testing.T) {
	for text, want := range map[string]bool{
		"m{a=\"b\"} 1":                              true,
		"m{a=\"b\"} 1\nm{a=\"c":                     true,
		"m{a=\"c":                                   false,
		"# HELP m it\n\nm{a=\"b\"} 1\n":             true,
		"m 1\nm 2\nm 3\nm 4\nm{a=\"b\"} 5\n":        true,
		"m 1\nm 2\nm 3\nm 4\nm 5\nm{a=\"b\"} 6\n":   false,
		"m{a=\"b\"} 1\nm 2\nm 3\nm 4\nm 5\nwords\n": true,
		"m{a=\"b\"} 1\nm 2\nm 3\nm 4\nwords\n":      false,
		"kube_pod_info == 1\n{a=\"b\"} => 1\n":      true,
		"my query\n{a=\"b\"} => 1\n":                false,
		"kube_pod_info == 1\n":                      false,
	} {
		if got := IsText([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestTextParts: what of a text counts as samples, what is skipped and what is said of it.
func TestTextParts(t *testing.T) {
	for _, c := range []struct {
		what, text                string
		samples, skipped, unnamed int
		form                      model.MetricForm
		warned                    string
	}{
		{"a word", "m{a=\"b\"} 1 1785581130000\nwords\n", 1, 1, 0, model.MetricExposition, ""},
		{"without a time beside those with one", "m{a=\"b\"} 1 1785581130000\nm{a=\"c\"} 1\n", 1, 1, 0, model.MetricExposition, "1 samples have no time"},
		{"all without a time", "m{a=\"b\"} 1\nm{a=\"c\"} 1\n", 2, 0, 0, model.MetricExposition, ""},
		{"all without a time, and one that has none that is known", "m{a=\"b\"} 1\nm{a=\"c\"} 1 -5\n", 0, 2, 0, model.MetricExposition, "2 samples have no time"},
		{"a result", "{a=\"b\"} => 1 @[1785581130]\nwords\n", 0, 1, 1, model.MetricExposition, ""},
		{"alerts of a page", "ALERTS{alertname=\"A\",alertstate=\"firing\"} 1\n", 0, 0, 1, model.MetricExposition, ""},
		{"alerts that are recorded", "ALERTS{alertname=\"A\",alertstate=\"firing\"} 1 1785581130000\n", 1, 0, 0, model.MetricExposition, ""},
		{"several samples of one series", "m{a=\"b\"} 1 1785581130000\nm{a=\"b\"} 1 1785581160000\n", 2, 0, 0, model.MetricDump, ""},
		{"with a type", "# TYPE m gauge\nm{a=\"b\"} 1 1785581130000\nm{a=\"b\"} 1 1785581160000\n", 2, 0, 0, model.MetricExposition, ""},
		{"seconds in a dump", "{__name__=\"m\"} 1 1785581130\n", 1, 0, 0, model.MetricDump, ""},
		{"seconds", "m{a=\"b\"} 1 1785581130\n", 1, 0, 0, model.MetricOpenMetrics, "ends without # EOF"},
		{"an end", "m{a=\"b\"} 1 1785581130000\n# EOF\n", 1, 0, 0, model.MetricOpenMetrics, ""},
		{"a long line", "m{a=\"" + strings.Repeat("b", lineLimit) + "\"} 1 1785581130000\nm{a=\"b\"} 1 1785581130000\n", 1, 1, 0, model.MetricExposition, ""},
	} {
		read, err := ReadText(strings.NewReader(c.text))
		warned := strings.Join(read.Warnings, "; ")
		if err != nil || read.Samples != c.samples || read.Skipped != c.skipped || len(read.Unnamed) != c.unnamed || read.Form != c.form ||
			!strings.HasPrefix(warned, c.warned) || (c.warned == "") != (warned == "") {
			t.Errorf("%s: %d samples, %d skipped, %d unnamed, %s, %q, %v", c.what, read.Samples, read.Skipped, len(read.Unnamed), read.Form, warned, err)
		}
	}
	stale, _ := ReadText(strings.NewReader("kube_m{a=\"b\"} NaN 1785581130000\n{__name__=\"m\"} NaN 1785581130000\n"))
	if k := stale.list; !k[0].samples[0].Stale || k[0].samples[0].Value != 0 || k[1].samples[0].Stale || !math.IsNaN(k[1].samples[0].Value) {
		t.Errorf("%+v", k)
	}
	many, _ := ReadText(strings.NewReader(strings.Repeat("{a=\"b\"} 1\n", maxUnnamed+1)))
	if len(many.Unnamed) != maxUnnamed || many.Skipped != 1 {
		t.Errorf("%d results, %d skipped", len(many.Unnamed), many.Skipped)
	}
}

// TestExporterLabels: the labels of the exporter are restored, and those of its target go.
func TestExporterLabels(t *testing.T) {
	for raw, want := range map[string]string{
		`up{namespace="m",pod="p"}`:                                             `up{namespace="m",pod="p"}`,
		`kube_pod_info{namespace="n",pod="p",container="c",job="j"}`:            `kube_pod_info{job="j",namespace="n",pod="p"}`,
		`kube_pod_info{exported_pod="p",pod="ksm",exported_x="y"}`:              `kube_pod_info{exported_x="y",pod="p"}`,
		`kube_pod_container_info{container="c",service="s"}`:                    `kube_pod_container_info{container="c"}`,
		`kube_node_info{node="a",pod="ksm",namespace="m"}`:                      `kube_node_info{node="a"}`,
		`kube_persistentvolumeclaim_info{namespace="n",pod="ksm"}`:              `kube_persistentvolumeclaim_info{namespace="n"}`,
		`kube_persistentvolume_info{namespace="n",persistentvolume="pv"}`:       `kube_persistentvolume_info{persistentvolume="pv"}`,
		`kube_volumeattachment_info{nodeName="a",pod="ksm"}`:                    `kube_volumeattachment_info{node="a"}`,
		`kube_volumeattachment_created{node="a"}`:                               `kube_volumeattachment_created{}`,
		`kube_other{nodeName="a",pod="p",exported_pod="q"}`:                     `kube_other{nodeName="a",pod="q"}`,
		`kube_other{pod="p"}`:                                                   `kube_other{pod="p"}`,
		`kubelet_volume_stats_used_bytes{exported_namespace="n",namespace="m"}`: `kubelet_volume_stats_used_bytes{namespace="n"}`,
	} {
		l, _, err := parseLine(raw + " 1")
		if err != nil {
			t.Fatal(err)
		}
		if got := exporterLabels(l.labels).String(); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
	l := model.Labels{{Name: "b", Value: "1"}, {Name: "a", Value: "2"}, {Name: "b", Value: "3"}}
	if got := sorted(l).String(); got != `{a="2",b="1"}` {
		t.Error(got)
	}
	if got := with(model.Labels{{Name: "a", Value: "1"}}, model.Labels{{Name: "a", Value: "2"}, {Name: "c", Value: "3"}}).String(); got != `{a="1",c="3"}` {
		t.Error(got)
	}
	for name, want := range map[string]bool{"node": true, "nodeName": true, "job": false} {
		if relabelled(name) != want {
			t.Errorf("%s", name)
		}
	}
	for _, m := range []model.Matcher{{Name: "a", Type: "~~", Value: "b"}, {Name: "a", Type: model.MatchRegexp, Value: "("}} {
		if _, err := compile([]model.Matcher{m}); err == nil {
			t.Errorf("%v is compiled", m)
		}
	}
}

// TestMemory: samples are given in order, each time once, from a time to another with both.
func TestMemory(t *testing.T) {
	m := NewMemory(model.MetricDump)
	at := func(seconds ...int) (out []model.Sample) {
		for _, s := range seconds {
			out = append(out, model.Sample{At: instant(int64(s) * 1000), Value: float64(s)})
		}
		return out
	}
	up := func(job string) model.Labels {
		return model.Labels{{Name: "job", Value: job}, {Name: model.MetricName, Value: "up"}}
	}
	if from, to := m.Span(); !from.IsZero() || !to.IsZero() {
		t.Errorf("from %s to %s", from, to)
	}
	m.add(up("b"), at(30, 10, 20)...)
	m.add(up("a"), at(20, 40)...)
	other := NewMemory(model.MetricDump)
	other.add(up("a"), at(40, 50)...)
	if !m.Join(other) || m.Samples != 7 || m.Series() != 2 {
		t.Errorf("%d samples of %d series", m.Samples, m.Series())
	}
	src := m.Source("p", "i")
	if src.From != instant(10_000) || src.To != instant(50_000) {
		t.Errorf("from %s to %s", src.From, src.To)
	}
	for _, c := range []struct {
		from, to int64
		want     string
	}{
		{0, 0, `up{job="a"} 3 to 50; up{job="b"} 3 to 30`},
		{20, 30, `up{job="a"} 1 to 20; up{job="b"} 2 to 30`},
		{21, 29, ""},
		{40, 0, `up{job="a"} 2 to 50`},
		{0, 10, `up{job="b"} 1 to 10`},
	} {
		var from, to time.Time
		if c.from > 0 {
			from = instant(c.from * 1000)
		}
		if c.to > 0 {
			to = instant(c.to * 1000)
		}
		got, err := dump(src, from, to)
		if got = strings.ReplaceAll(strings.TrimSpace(got), "\n", "; "); err != nil || got != c.want {
			t.Errorf("from %d to %d: %s, %v, want %s", c.from, c.to, got, err, c.want)
		}
	}
	full := NewMemory(model.MetricDump)
	full.Samples = maxSamples - 1
	if !full.add(up("a"), at(1)...) || full.add(up("a"), at(2)...) {
		t.Errorf("%d samples", full.Samples)
	}
}

// TestUnnamed: the results of an expression, with their newest values; a metric of a name is none of them, but for alerts of now.
func TestUnnamed(t *testing.T) {
	answer := func(result string) []byte {
		return []byte(`{"status":"success","data":{"resultType":"matrix","result":[` + result + `]}}`)
	}
	for result, want := range map[string]string{
		`{"metric":{"b":"1","a":"2"},"values":[[1785581100,"1"],[1785581115,"3"]]}`: `{a="2",b="1"} 3 1785581115`,
		`{"metric":{"a":"2"},"value":[1785581100,"1"]}`:                             `{a="2"} 1 1785581100`,
		`{"metric":{"__name__":"up"},"value":[1785581100,"1"]}`:                     "",
		`{"metric":{"__name__":"ALERTS","a":"b"},"value":[1785581100,"1"]}`:         `ALERTS{a="b"} 1 1785581100`,
		`{"metric":{"__name__":"ALERTS"},"values":[[1785581100,"1"]]}`:              "",
		`{"metric":{"a":"b"}}`: "",
	} {
		var got []string
		read, err := ReadAPI(answer(result))
		if err != nil {
			t.Error(err)
		}
		for _, u := range read.Unnamed {
			got = append(got, fmt.Sprintf("%s %v %d", u.Labels, u.Value, u.At.Unix()))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %v, want %s", result, got, want)
		}
	}
	one := `{"metric":{"a":"b"},"value":[1785581100,"1"]}`
	if m, err := ReadAPI(answer(one + strings.Repeat(","+one, maxUnnamed))); err != nil || len(m.Unnamed) != maxUnnamed {
		t.Errorf("%d results, %v", len(m.Unnamed), err)
	}
	m, err := ReadAPI([]byte(`{"status":"success","warnings":["slow"],"data":{"resultType":"scalar","result":[1,"2"]}}`))
	if err != nil || m.Series() != 0 || len(m.Warnings) != 1 {
		t.Errorf("%d series, %v, %v", m.Series(), m.Warnings, err)
	}
	m, err = ReadAPI(answer(`{"metric":{"__name__":"m"},"values":[[253402300799,"1"],[253402300798,"1"],[-253402300799,"1"]]}`))
	if err != nil || m.Samples != 1 {
		t.Errorf("%d samples, %v", m.Samples, err)
	}
}

// TestWholeChunks: the segments of a block are numbered from one on without a gap; other files are none.
func TestWholeChunks(t *testing.T) {
	for names, want := range map[string]string{"000001 000002 notes": "6", "000001 000003": "lacks chunks/000002", "000002": "lacks chunks/000001", "": "0"} {
		dir := t.TempDir()
		for name := range strings.FieldsSeq(names) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("abc"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		bytes, err := wholeChunks(dir)
		got := fmt.Sprint(bytes)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
	if _, err := wholeChunks(filepath.Join(t.TempDir(), "none")); err == nil || strings.Contains(err.Error(), "/") {
		t.Errorf("%v", err)
	}
}
