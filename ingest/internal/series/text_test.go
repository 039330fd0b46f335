package series

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/model"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		form       model.MetricForm
		warned     bool
		want       string
	}{
		{"openmetrics", "m{a=\"b\"} 1 1785581130.000\nm{a=\"b\"} 2 1785581145.500\n# EOF\n", model.MetricOpenMetrics, false, `m{a="b"} 2 to 2`},
		{"cut", "m{a=\"b\"} 1 1785581130.000\nm{a=\"b\"} 2 1785581145.500\n", model.MetricOpenMetrics, true, `m{a="b"} 2 to 2`},
		{"stale", "kube_m{a=\"b\"} 1 1785581130.000\nkube_m{a=\"b\"} NaN 1785581145.500\n# EOF\n", model.MetricOpenMetrics, false,
			`kube_m{a="b"} 2 to 0`},
		{"dump", "{__name__=\"m\", a=\"b}\\\"\\\\\\n\"} 1 1785581130000\n", model.MetricDump, false, `m{a="b}\"\\\n"} 1 to 1`},
		{"federate", "# TYPE m untyped\nm{a=\"b\",instance=\"i\"} 3 1785581130000\n", model.MetricExposition, false,
			`m{a="b",instance="i"} 1 to 3`},
		{"scrape", "# TYPE m gauge\nm{a=\"b\"} 3\n", model.MetricExposition, false, `m{a="b"} 1 to 3`},
	} {
		if !IsText([]byte(c.text)) {
			t.Errorf("%s: not recognised", c.name)
		}
		text, err := ReadText(strings.NewReader(c.text))
		if err != nil || text.Form != c.form || c.warned != (len(text.Warnings) > 0) {
			t.Errorf("%s: %v %s %v", c.name, err, text.Form, text.Warnings)
		}
		got, err := dump(text.Source("p", "p"), time.Time{}, time.Time{})
		if err != nil || strings.TrimSpace(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, text := range []string{"", "hello world\n", "a 1\nb 2\n", "I0314 09:26:53.841223 1 x.go:1] m{a=\"b\"} 1\n",
		"apiVersion: v1\nkind: Pod\n", "m{a=\"b\"} 1\nNAME READY\n", "m{a=b} 1\n", "m{a=\"b} 1\n"} {
		if IsText([]byte(text)) {
			t.Errorf("%q is taken for metrics", text)
		}
	}
}

// TestMoved: what an exporter told before and after it moved is one series, and two as scraped.
func TestMoved(t *testing.T) {
	text, err := ReadText(strings.NewReader("{__name__=\"kube_node_info\", node=\"a\", pod=\"ksm-2\"} 2 " +
		"1785581160000\n{__name__=\"kube_node_info\", node=\"a\", pod=\"ksm-3\"} 1 1785581130000\n"))
	if err != nil {
		t.Fatal(err)
	}
	src := text.Source("p", "p")
	if got, err := dump(src, time.Time{}, time.Time{}); err != nil || got != `kube_node_info{node="a"} 2 to 2`+"\n" {
		t.Errorf("got %q, %v", got, err)
	}
	src.Select = src.Scraped
	if got, err := dump(src, time.Time{}, time.Time{}); err != nil ||
		got != `kube_node_info{node="a",pod="ksm-2"} 1 to 2`+"\n"+`kube_node_info{node="a",pod="ksm-3"} 1 to 1`+"\n" {
		t.Errorf("as scraped: %q, %v", got, err)
	}
}

func TestAPI(t *testing.T) {
	const whole = `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"m","a":"b"},"values":[[1785581100,` +
		`"1"],[1785581115.5,"+Inf"]]},{"metric":{},"values":[[1785581100,"1"]]}]}}`
	if !IsAPI([]byte(whole)) || IsAPI([]byte(`{"status":"success","kind":"Pod"}`)) {
		t.Error("recognised wrongly")
	}
	m, err := ReadAPI([]byte(whole))
	if err != nil || len(m.Warnings) != 1 || len(m.Unnamed) != 1 {
		t.Fatalf("%v, %q, %v", err, m.Warnings, m.Unnamed)
	}
	src := m.Source("p", "p")
	if got, err := dump(src, instant(1785581101000), time.Time{}); err != nil || got != "m{a=\"b\"} 1 to +Inf\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if src.From.Unix() != 1785581100 || src.To.UnixMilli() != 1785581115500 {
		t.Errorf("from %s to %s", src.From, src.To)
	}
	m, err = ReadAPI([]byte(`{"status":"success","data":{"resultType":"vector","result":[{"metric":{"__name__":"m"},` +
		`"value":[1785581100.25,"7"]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := dump(m.Source("p", "p"), time.Time{}, time.Time{}); got != "m{} 1 to 7\n" {
		t.Errorf("got %q", got)
	}
	for _, bad := range []string{whole[:len(whole)-9], `{"status":"error","errorType":"bad_data","error":"parse error"}`,
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"m"},"values":[[1,2]]}]}}`} {
		if _, err := ReadAPI([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("m{a=\"b\"} 1 1785581130.000\n# EOF\n")
	f.Add("{__name__=\"m\", a=\"b\"} {count:3, sum:3} 1785581130000\n")
	f.Fuzz(func(t *testing.T, text string) {
		IsText([]byte(text))
		read, err := ReadText(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dump(read.Source("p", "p"), time.Time{}, time.Time{}); err != nil {
			t.Fatal(err)
		}
		IsAPI([]byte(text))
		_, _ = ReadAPI([]byte(text)) // must not panic
	})
}
