package series

import (
	"testing"
	"time"
)

// An export of VictoriaMetrics gives its series; values that are no numbers and lines that break off are left out.
func TestExport(t *testing.T) {
	const text = `{"metric":{"__name__":"kube_volumeattachment_status_attached","volumeattachment":"csi-1"},"values":[1,null,"Infinity",0],"timestamps":[1714557600000,1714557630000,1714557640000,1714557660000]}
{"metric":{"__name__":"kube_pod_info","pod":"db-0"},"timestamps":[1714557600000],"values":[1]}
{"metric":{"__name__":"kube_pod_info","pod":"db-1"},"values":[1,1],"timest`
	if !IsExport([]byte(text)) {
		t.Fatal("not recognised")
	}
	m, warnings, err := ReadExport([]byte(text))
	if err != nil || m.Series() != 2 || len(warnings) != 1 {
		t.Fatalf("%d series, %q, %v", m.Series(), warnings, err)
	}
	from, to := m.Span()
	if want := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC); !from.Equal(want) || !to.Equal(want.Add(time.Minute)) {
		t.Errorf("%s to %s", from, to)
	}
}

// Other JSON with lines of its own is none.
func TestExportNot(t *testing.T) {
	for _, text := range []string{
		`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up"},"values":[]}]}}`,
		`{"metric":"cpu","values":[1],"timestamps":[1]}`, `{"metric":{"job":"x"},"values":[1]}`, `{"log":"metric"}`, ``,
	} {
		if IsExport([]byte(text)) {
			t.Errorf("%s is taken for an export", text)
		}
	}
}
