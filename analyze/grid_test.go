package analyze_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
)

// grid is a list of n pods that name n claims each, every one for one node.
func grid(n int) string {
	var b, volumes strings.Builder
	b.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	for i := range n {
		fmt.Fprintf(&volumes, `{"name":"v%d","persistentVolumeClaim":{"claimName":"c%d"}},`, i, i)
		fmt.Fprintf(&b, `{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c%d","namespace":"d"},"spec":{"volumeName":"pv%d",`+
			`"accessModes":["ReadWriteOnce"]},"status":{"phase":"Bound"}},`, i, i)
		fmt.Fprintf(&b, `{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pv%d"},"spec":{"accessModes":["ReadWriteOnce"],`+
			`"csi":{"driver":"disk.example.com","volumeHandle":"vol-%d"},"claimRef":{"namespace":"d","name":"c%d"}}},`, i, i, i)
	}
	list := strings.TrimSuffix(volumes.String(), ",")
	for i := range n {
		fmt.Fprintf(&b, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p%d","namespace":"d"},"spec":{"nodeName":"n%d","volumes":[%s],`+
			`"containers":[{"name":"a","image":"b"}]},"status":{"phase":"Running"}},`, i, i%7, list)
	}
	return strings.TrimSuffix(b.String(), ",") + "]}"
}

// TestPodsTimesClaims wants pods that all name the same claims to cost what their text does: four times the text, at most seven times the memory
// in all. Unpacking each pod for each of the claims made it thirty-seven times.
func TestPodsTimesClaims(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what was unpacked does not stay for long, as in a program with little memory
	cost := func(n int) float64 {
		bundle := ingest.OpenFS(fstest.MapFS{"all.json": {Data: []byte(grid(n))}}, "grid")
		defer bundle.Close()
		s, err := ingest.Read(t.Context(), bundle, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := analyze.Run(t.Context(), s, analyze.Options{})
		runtime.ReadMemStats(&after)
		if len(r.Findings) == 0 {
			t.Error("nothing was found")
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if small, large := cost(30), cost(60); large > 7*small {
		t.Errorf("30 pods and claims take %.0f bytes, 60 take %.1f times as many", small, large/small)
	}
}
