package readme

import (
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/samples/record/internal/scenario"
	"github.com/volpost/volpost/samples/record/internal/truth"
)

func at(second int) truth.Time {
	return truth.Time{Time: time.Date(2026, 11, 22, 9, 0, second, 0, time.UTC)}
}

func TestTable(t *testing.T) {
	ready := "orders-db-2"
	in := &truth.Truth{Version: "v1.37.2", Begin: at(0), SnapshotAt: at(50),
		Faults: []truth.Action{{At: at(1), What: "the machine is powered off", Detail: "worker-0"}},
		OperatorActions: []truth.Action{{At: at(20),
			What: "kubectl delete volumeattachment csi-147157e91e975c04df1833923b061857a236a209d3dd7a2bb5701f3f8f00f7c6 --wait=false"}},
		Affected: []*truth.Affected{{OldNode: "worker-0", NewNode: "worker-1", OldPod: "orders-db-1", NewPod: ready, RecoveredPod: &ready,
			Resolved: true,
			Message:  `Waiting for detach for volume "pvc-1" Volume is already used by pod(s) orders-db-1`,
			Times:    truth.Times{NodeNotReady: at(5), MultiAttach: at(10), Recovered: at(30)}}}}
	got := Write(&scenario.Scenario{Title: "A title", What: "what was done", Notice: "a notice", Believed: []string{"a belief"}}, in)
	want := `| 09:00:01.0 | **the machine is powered off: worker-0** |
| 09:00:05.0 | worker-0 becomes NotReady |
| 09:00:10.0 | "Waiting for detach" is reported on orders-db-2: "already used by pod(s)" |
| 09:00:20.0 | **` + "`kubectl delete volumeattachment csi-1471… --wait=false`" + `** |
| 09:00:30.0 | orders-db-2 is Ready |
| 09:00:50.0 | the bundle is collected |
`
	if !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
}
