package series

import (
	"strings"
	"testing"
	"time"
)

func TestFrames(t *testing.T) {
	column := func(labels, values string) string {
		return `{"schema":{"refId":"A","meta":{"type":"timeseries-multi","custom":{"resultType":"matrix"}},"fields":[{"name":"Time",` +
			`"type":"time","typeInfo":{"frame":"time.Time"},"config":{"interval":15000}},` +
			`{"name":"Value","type":"number","typeInfo":{"frame":"float64"},"labels":{` + labels +
			`}}]},"data":{"values":[[1785500000000,1785500015000,1785500030000],` + values + `]}}`
	}
	node := column(`"__name__":"kube_node_info","node":"a"`, `[1,null,1]`)
	for _, c := range []struct{ name, text, want, warning string }{
		{"an answer", `{"results":{"A":{"status":200,"frames":[` + node + `]}}}`, `kube_node_info{node="a"} 2 to 1`, ""},
		{"what the inspector saves", "[\n  " + node + "]", `kube_node_info{node="a"} 2 to 1`, ""},
		{"an expression", `{"results":{"A":{"status":200,"frames":[` + column(`"node":"a"`, `[1,1,1]`) + `]}}}`, "",
			"1 series are the result of an expression"},
		{"an error beside an answer", `{"results":{"A":{"error":"bad_data: parse error","status":400,"frames":[]},"B":{"frames":[` + node +
			`]}}}`, `kube_node_info{node="a"} 2 to 1`, "query A is an error: bad_data"},
		{"before version 8", `{"results":{"A":{"refId":"A","series":[{"name":"up","points":[[1,1785500000000]]}]}}}`, "",
			"from before version 8"},
		{"fewer values than times", `{"results":{"A":{"frames":[` + column(`"__name__":"up"`, `[1]`) + `]}}}`, "",
			"1 frames have no column of times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !IsFrames([]byte(c.text)) || IsAPI([]byte(c.text)) || IsExport([]byte(c.text)) {
				t.Error("is not known")
			}
			m, warnings, err := ReadFrames([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			got, err := dump(m.Source("f", "f"), time.Time{}, time.Time{})
			if err != nil || strings.TrimSpace(got) != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
			if told := strings.Join(warnings, "; "); (c.warning == "") != (told == "") || !strings.Contains(told, c.warning) {
				t.Errorf("told %q, want %q", told, c.warning)
			}
		})
	}
	for _, text := range []string{`{"results":[{"frames":1}]}`, `{"kind":"PodList","items":[]}`, `[{"schema":"x"}]`} {
		if IsFrames([]byte(text)) {
			t.Errorf("%s is taken for frames", text)
		}
	}
	if _, _, err := ReadFrames([]byte(`{"results":{"A":{"frames":[{`)); err == nil {
		t.Error("half an answer has no error")
	}
}
