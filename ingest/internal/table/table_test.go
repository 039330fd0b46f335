package table

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples/recordings"
)

func TestParseAge(t *testing.T) {
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	for _, c := range []struct {
		text     string
		min, max float64
	}{
		{"0s", 0, 1},
		{"33s", 32, 34},
		{"119s", 118, 120},
		{"7m22s", 7*minute + 21, 7*minute + 23},
		{"5m", 5*minute - 1, 6 * minute},
		{"179m", 179*minute - 1, 180 * minute},
		{"3h4m", 3*hour + 4*minute - 1, 3*hour + 5*minute},
		{"47h", 47*hour - 1, 48 * hour},
		{"3d4h", 3*day + 4*hour - 1, 3*day + 5*hour},
		{"212d", 212*day - 1, 213 * day},
		{"2y10d", 740*day - 1, 741 * day},
		{"8y", 8*365*day - 1, 9 * 365 * day},
	} {
		got := parseAge(c.text)
		if got == nil || got.Min != c.min || got.Max != c.max || got.Best < got.Min || got.Best > got.Max {
			t.Errorf("%s: %+v", c.text, got)
		}
	}
	for _, text := range []string{"", "<unknown>", "<invalid>", "5", "m5", "-5s", "5s3m", "1w", "5m 3s", "1.5h", "99999999999999999999s"} {
		if got := parseAge(text); got != nil {
			t.Errorf("%q is no age: %+v", text, got)
		}
	}
}

func TestParseSeen(t *testing.T) {
	s, ok := parseSeen("33s (x4 over 5m)")
	if !ok || s.count != 4 || s.last.Max != 34 || s.first.Max != 360 {
		t.Errorf("%+v %t", s, ok)
	}
	if s, ok := parseSeen("<unknown>"); !ok || s.first != nil || s.last != nil || s.count != 1 {
		t.Errorf("%+v %t", s, ok)
	}
	for _, text := range []string{"33s (x4 over 5m) more", "33s (4)", "x4", "now"} {
		if _, ok := parseSeen(text); ok {
			t.Errorf("%q was read", text)
		}
	}
}

func TestParseCommand(t *testing.T) {
	for _, c := range []struct {
		text string
		want command
	}{
		{"$ kubectl get pods", command{verb: "get", kind: "Pod"}},
		{"kubectl describe pod db-0 -n shop", command{verb: "describe", kind: "Pod", name: "db-0", namespace: "shop", filtered: true}},
		{"[root@host SIT]# kubectl -n=shop describe pod/db-0",
			command{verb: "describe", kind: "Pod", name: "db-0", namespace: "shop", filtered: true}},
		{"user@host:~$ oc describe pvc data --namespace shop",
			command{verb: "describe", kind: "PersistentVolumeClaim", name: "data", namespace: "shop", filtered: true}},
		{`PS C:\Users\me> kubectl get volumeattachments.storage.k8s.io -o wide | findstr pvc-1`,
			command{verb: "get", kind: "VolumeAttachment", filtered: true}},
		{"# k get po -nshop", command{verb: "get", kind: "Pod", namespace: "shop"}},
		{"kubectl describe pod <pod>", command{verb: "describe", kind: "Pod"}},
		{"kubectl describe pod $POD", command{verb: "describe", kind: "Pod", filtered: true}},
		{"kubectl describe pods a b", command{verb: "describe", kind: "Pod", filtered: true}},
		{"kubectl delete pod db-0", command{acts: "kubectl delete pod db-0", target: model.Ref{Kind: "Pod", Name: "db-0"}}},
		{"Every 2.0s: kubectl get nodes", command{verb: "get", kind: "Node"}},
		{"$ watch -n 5 kubectl get events -A", command{verb: "get", kind: "Event"}},
		{"sudo k3s kubectl get pv pv-1", command{verb: "get", kind: "PersistentVolume", name: "pv-1", filtered: true}},
	} {
		got, ok := parseCommand(c.text)
		if !ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
	}
	for _, text := range []string{"we ran kubectl get pods", "Kubectl is a tool", "message=kubectl get pods", "kubectl", "kubectl --help"} {
		if got, ok := parseCommand(text); ok {
			t.Errorf("%q is no command line: %+v", text, got)
		}
	}
}

// An instant is as wide as the collection and the age are together; what has an instant already keeps it.
func TestPlace(t *testing.T) {
	began := time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)
	exact := model.Exactly(began.Add(-time.Hour))
	list := []model.Observation{
		{Age: &model.Range{Best: 90, Min: 59, Max: 120}, LastAge: &model.Range{Best: 33, Min: 32, Max: 34}},
		{At: exact, Last: exact, Age: &model.Range{Best: 1, Min: 1, Max: 1}, LastAge: &model.Range{Best: 1, Min: 1, Max: 1}},
		{},
	}
	Place(list, model.Moment{})
	if !list[0].At.IsZero() {
		t.Errorf("without a collection: %+v", list[0].At)
	}
	Place(list, model.Between(began, began.Add(10*time.Second)))
	first := list[0]
	if first.At.Earliest != began.Add(-120*time.Second) || first.At.Latest != began.Add(10*time.Second-59*time.Second) ||
		first.At.Basis != model.Derived {
		t.Errorf("first %+v", first.At)
	}
	if first.Last.Earliest != began.Add(-34*time.Second) || first.Last.Latest != began.Add(-22*time.Second) {
		t.Errorf("last %+v", first.Last)
	}
	if list[1].At.At != exact.At || list[1].Last.At != exact.At || !list[2].At.IsZero() {
		t.Errorf("%+v %+v", list[1].At, list[2].At)
	}
}

// The hint's collection places every age of the file, and its window then covers them.
func TestReadPlaces(t *testing.T) {
	at := model.Exactly(time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC))
	text := "7m20s   Warning   FailedAttachVolume   pod/db-0   Multi-Attach error for volume \"pv\" Volume is already used by pod(s) a\n"
	res := Read(strings.NewReader(text), "e.txt", Hint{CollectedAt: &at, Namespace: "shop"})
	if len(res.Observations) != 1 || res.Observations[0].Pod.Namespace != "shop" {
		t.Fatalf("%+v", res)
	}
	want := at.At.Add(-440 * time.Second)
	if got := res.Observations[0].At; got.At != want || got.Earliest != want.Add(-time.Second) || res.Input.From == nil ||
		*res.Input.From != want {
		t.Errorf("%+v, window from %v", got, res.Input.From)
	}
}

// Long lines, endless descriptions and binary noise cost no more than their bounds.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine) + "\n" +
		`Warning  FailedAttachVolume  71s  attachdetach-controller  Multi-Attach error for volume "pv" Volume is already used by pod(s) a` + "\n"
	res := Read(strings.NewReader(long), "l.txt", Hint{})
	if len(res.Observations) != 1 || res.Observations[0].Source.Line != 2 || res.Input.Bytes != int64(len(long)) {
		t.Errorf("after a long line: %+v", res)
	}
	if len(res.Problems) == 0 || !strings.Contains(res.Problems[0].Message, "1 line is longer than 64 KiB") || res.Problems[0].Line != 1 {
		t.Errorf("problems %+v", res.Problems)
	}
	endless := "Name: n\nRoles: <none>\n" + strings.Repeat("Key: value\n", 3*maxFields)
	res = Read(strings.NewReader(endless), "d.txt", Hint{})
	if res.Input.Records != 1 || len(res.Problems) == 0 || !strings.Contains(res.Problems[0].Message, "4096 lines") {
		t.Errorf("endless description: %+v", res)
	}
	row := "7m20s  Warning  FailedMount  pod/db-0  MountVolume.SetUp failed for volume \"pv\" : " + strings.Repeat("x", maxLine-200) + "\n"
	rd := newReader("m.txt", Hint{})
	rd.budget = 1 << 20
	many := rd.budget/len(row) + 10
	res = rd.read(strings.NewReader(strings.Repeat(row, many)))
	if len(res.Observations) >= many || res.Input.Used != many || len(res.Problems) != 1 ||
		!strings.Contains(res.Problems[0].Message, "not kept") {
		t.Errorf("%d of %d statements kept, %+v", len(res.Observations), many, res.Problems)
	}
	if Sniff([]byte("csi\x00\x01Warning  FailedMount  5s  kubelet  x"), Hint{Path: "b"}) {
		t.Error("binary was recognised")
	}
	if res := Read(strings.NewReader(""), "e", Hint{}); res.Input.Kind != model.InputEmpty || len(res.Problems) > 0 {
		t.Errorf("empty: %+v", res)
	}
}

// TestFormatExamples reads each example of pasted text as what it is.
func TestFormatExamples(t *testing.T) {
	const pv = "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01"
	for _, c := range []struct {
		file    string
		records int
		want    []model.Kind
		from    string // first instant; none where there are ages only, and nothing proves when they were printed
		to      string
	}{
		{"kubectl-describe-pod.txt", 4, []model.Kind{model.PodScheduled, model.MultiAttach, model.MountFailed, model.PodScheduled,
			model.PodUses, model.PodNotReady},
			"2026-11-21T05:48:10Z", "2026-11-21T05:54:59Z"},
		{"kubectl-describe-volumeattachment.txt", 1,
			[]model.Kind{model.AttachmentCreated, model.AttachmentDeletionRequested, model.AttachmentAttached, model.AttachmentDetachError},
			"2026-03-14T09:26:53Z", "2026-03-14T09:33:01Z"},
		{"kubectl-events-A.txt", 3, []model.Kind{model.PodScheduled, model.MultiAttach, model.MountFailed}, "", ""},
		{"kubectl-get-events-A.txt", 3, []model.Kind{model.PodScheduled, model.MultiAttach, model.MountFailed}, "", ""},
		{"kubectl-get-events-wide.txt", 3, []model.Kind{model.PodScheduled, model.MultiAttach, model.MountFailed}, "", ""},
		{"kubectl-get-events.txt", 3, []model.Kind{model.PodScheduled, model.MultiAttach, model.MountFailed}, "", ""},
		{"kubectl-get-volumeattachment.txt", 2, []model.Kind{model.AttachmentCreated, model.AttachmentAttached, model.AttachmentCreated,
			model.AttachmentPending}, "", ""},
		{"odf-events_get-custom-columns.txt", 2, []model.Kind{model.MultiAttach, model.PodScheduled}, "2026-03-14T09:26:53Z",
			"2026-03-14T09:26:53Z"},
		{"powershell-utf16-get-events.txt", 1, []model.Kind{model.MultiAttach}, "", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			text := example(t, c.file)
			if !Sniff(text, Hint{Path: c.file}) {
				t.Fatal("not recognised")
			}
			res := Read(bytes.NewReader(text), c.file, Hint{})
			if res.Input.Records != c.records || res.Input.Used != c.records || len(res.Problems) > 0 {
				t.Errorf("%+v %+v", res.Input, res.Problems)
			}
			var kinds []model.Kind
			for _, o := range res.Observations {
				kinds = append(kinds, o.Kind)
				if (o.Kind == model.MultiAttach || o.Kind == model.AttachmentAttached) && o.Volume.PersistentVolume != pv {
					t.Errorf("%s of %q", o.Kind, o.Volume.PersistentVolume)
				}
			}
			if strings.Join(names(kinds), " ") != strings.Join(names(c.want), " ") {
				t.Errorf("got %v", kinds)
			}
			if got := stamp(res.Input.From); got != c.from {
				t.Errorf("from %s", got)
			}
			if got := stamp(res.Input.To); got != c.to {
				t.Errorf("to %s", got)
			}
		})
	}
}

func names(kinds []model.Kind) []string {
	var out []string
	for _, k := range kinds {
		out = append(out, string(k))
	}
	return out
}

func stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

// example is an example file as the door gives it: without UTF-16.
func example(t *testing.T, name string) []byte {
	t.Helper()
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(forms, "text/"+name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(text, []byte{0xff, 0xfe}) {
		return text
	}
	var units []uint16
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i])|uint16(text[i+1])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

// TestTakenInJSON: the message of a log's record in JSON is no second report, and one of an object that no log reader took is one.
func TestTakenInJSON(t *testing.T) {
	const text = `{"ts":1773482400400.0,"caller":"reconciler/reconciler.go:388","msg":"Multi-Attach error for volume \"pvc-1\" ` +
		`(UniqueName: \"kubernetes.io/csi/d^h\") from node \"node-b\" Volume is already used by pods prod/web-0 on node node-a\n","v":0}` + "\n"
	for taken, want := range map[bool]int{true: 0, false: 1} {
		res := Read(strings.NewReader(text), "log", Hint{Prose: true, Taken: func(string) bool { return taken }})
		if got := len(res.Observations); got != want {
			t.Errorf("taken %t: %d observations, want %d", taken, got, want)
		}
	}
}
