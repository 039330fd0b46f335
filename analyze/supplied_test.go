package analyze_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	_ "time/tzdata" // a system may have no zones

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

// saidReport explains files of which the user said something.
func saidReport(t *testing.T, files map[string]string, said model.Supplied) *model.Report {
	t.Helper()
	bundle := fstest.MapFS{}
	for name, text := range files {
		bundle[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	s, err := ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{Supplied: said})
	if err != nil {
		t.Fatal(err)
	}
	return analyze.Run(t.Context(), s, analyze.Options{Version: "v0.0.0-test"})
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

const saidLog = `I0714 11:40:00.100000       1 controllermanager.go:175] Version: v1.23.17
I0714 11:50:03.200000       1 operation_generator.go:393] AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b") from node "node-a" 
W0714 12:00:00.400000       1 reconciler.go:388] Multi-Attach error for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b") from node "node-b" Volume is already used by pods prod/web-6c5d7f9b84-xk2lp on node node-a
I0714 12:00:31.500000       1 reconciler.go:224] attacherDetacher.DetachVolume started for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b") on node "node-a" 
`

// The same report as an object, which tells the log's year and that its zone is UTC.
const saidEvent = `apiVersion: v1
kind: Event
metadata: {name: web-6c5d7f9b84-p9vqt.189cacd8cb3fc400, namespace: prod}
involvedObject: {apiVersion: v1, kind: Pod, namespace: prod, name: web-6c5d7f9b84-p9vqt, uid: u-new}
reason: FailedAttachVolume
message: 'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-6c5d7f9b84-xk2lp'
type: Warning
source: {component: attachdetach-controller}
count: 1
firstTimestamp: "2025-07-14T12:00:00Z"
lastTimestamp: "2025-07-14T12:00:00Z"
`

const saidOldPod = `apiVersion: v1
kind: Pod
metadata: {creationTimestamp: "2026-03-13T08:00:00Z", name: other, namespace: prod, uid: u-o}
spec: {nodeName: node-c}
`

const saidStamp = "2025-07-14 12:05:00.000000000 +0000 UTC\n2025-07-14 12:15:00.000000000 +0000 UTC\n"

// What the user says of a log's year and zone fills what nothing tells, and never changes what something does.
func TestSaidOfLogs(t *testing.T) {
	summer := model.Supplied{Year: 2024, LogZone: zone(t, "Europe/Berlin"), LogZoneName: "Europe/Berlin"}
	for _, tt := range []struct {
		name           string
		files          map[string]string
		said           model.Supplied
		began          string
		basis          model.Basis
		year, zone     string
		problem, spare string
	}{
		{
			name: "nothing tells", files: map[string]string{"kcm.log": saidLog}, said: summer,
			began: "2024-07-14T10:00:00.4Z", basis: model.Derived, year: "2024, set by --year", zone: "Europe/Berlin, set by --log-zone",
			spare: "neither zone nor year",
		},
		{
			name: "the year alone", files: map[string]string{"kcm.log": saidLog}, said: model.Supplied{Year: 2024},
			began: "2024-07-14T12:00:00.4Z", basis: model.Assumed, year: "2024, set by --year", zone: "UTC, assumed",
			problem: "neither zone nor year",
		},
		{
			name: "an event tells both", files: map[string]string{"kcm.log": saidLog, "event.yaml": saidEvent}, said: summer,
			began: "2025-07-14T12:00:00Z", basis: model.Observed, year: "2025, from 1 line", zone: "UTC, from the same",
			problem: "--log-zone Europe/Berlin is not used",
		},
		{
			name: "an event tells another year", said: model.Supplied{Year: 2024},
			files: map[string]string{"kcm.log": saidLog, "event.yaml": saidEvent},
			began: "2025-07-14T12:00:00Z", basis: model.Observed, year: "2025, from 1 line", zone: "UTC, from the same",
			problem: "--year 2024 is not used", spare: "--log-zone",
		},
		{
			name: "the zone alone, and dates that are far", files: map[string]string{"kcm.log": strings.ReplaceAll(saidLog, "0714", "1214"),
				"claim.yaml": saidOldPod},
			said: model.Supplied{LogZone: time.UTC,
				LogZoneName: "UTC"}, began: "2025-12-14T12:00:00.4Z", basis: model.Assumed, year: "2025, in which the log ends nearest",
			zone: "UTC, set by --log-zone", problem: "neither zone nor year",
		},
		{
			name: "the zone alone, and dates that are near", files: map[string]string{"kcm.log": strings.ReplaceAll(saidLog, "0714", "0310"),
				"claim.yaml": saidOldPod},
			said: model.Supplied{LogZone: time.UTC,
				LogZoneName: "UTC"}, began: "2026-03-10T12:00:00.4Z", basis: model.Derived, year: "2026, in which the log ends nearest",
			zone: "UTC, set by --log-zone", spare: "neither zone nor year",
		},
		{
			name: "an event tells the same", files: map[string]string{"kcm.log": saidLog, "event.yaml": saidEvent}, said: model.Supplied{Year: 2025},
			began: "2025-07-14T12:00:00Z", basis: model.Observed, year: "2025, from 1 line", zone: "UTC, from the same", spare: "--year",
		},
		{
			name: "the collection was before", said: model.Supplied{Year: 2026},
			files: map[string]string{"timestamp": saidStamp, "kcm.log": saidLog},
			began: "2025-07-14T12:00:00.4Z", basis: model.Assumed, year: "2025, the latest", zone: "UTC", problem: "--year 2026 is not used",
		},
		{
			name: "the collection was after", files: map[string]string{"timestamp": saidStamp, "kcm.log": saidLog}, said: model.Supplied{Year: 2024,
				LogZone: time.UTC, LogZoneName: "UTC"},
			began: "2024-07-14T12:00:00.4Z", basis: model.Derived, year: "2024, set by --year", zone: "UTC, set by --log-zone", spare: "--year",
		},
		{
			name: "the user dates the collection", files: map[string]string{"kcm.log": saidLog}, said: model.Supplied{CollectedAt: time.Date(2023,
				time.March, 1, 0, 0, 0, 0, time.UTC)},
			began: "2022-07-14T12:00:00.4Z", basis: model.Assumed, year: "2022, the latest", zone: "UTC",
		},
	} {
		r := saidReport(t, tt.files, tt.said)
		if len(r.Incidents) != 1 {
			t.Errorf("%s: %d incidents", tt.name, len(r.Incidents))
			continue
		}
		if began := r.Incidents[0].MultiAttach.Began; began.At.Format(time.RFC3339Nano) != tt.began || began.Basis != tt.basis {
			t.Errorf("%s: began %s (%s), want %s (%s)", tt.name, began.At.Format(time.RFC3339Nano), began.Basis, tt.began, tt.basis)
		}
		for _, in := range r.Bundle.Inputs {
			if in.Path == "kcm.log" && (!strings.HasPrefix(in.Clock.Year, tt.year) || !strings.HasPrefix(in.Clock.Zone, tt.zone)) {
				t.Errorf("%s: year %q, zone %q", tt.name, in.Clock.Year, in.Clock.Zone)
			}
		}
		told := problemsOf(r)
		if tt.problem != "" && !strings.Contains(told, tt.problem) || tt.spare != "" && strings.Contains(told, tt.spare) {
			t.Errorf("%s: problems %q", tt.name, told)
		}
	}
}

// A zone has a season: the offset is that of each line.
func TestSaidZoneHasSeasons(t *testing.T) {
	const log = `W0329 01:30:00.400000       1 reconciler.go:388] Multi-Attach error for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b") from node "node-b" Volume is already exclusively attached to node node-a and can't be attached to another
I0329 03:30:00.500000       1 reconciler.go:224] attacherDetacher.DetachVolume started for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b") on node "node-a" 
`
	r := saidReport(t, map[string]string{"kcm.log": log}, model.Supplied{Year: 2026, LogZone: zone(t, "Europe/Berlin"),
		LogZoneName: "Europe/Berlin"})
	var at []string
	for _, item := range r.Timeline {
		at = append(at, item.At.At.Format("15:04:05.0"))
	}
	if got := strings.Join(at, " "); got != "00:30:00.4 01:30:00.5" {
		t.Errorf("one hour passed between 01:30 and 03:30 in Berlin that night: %s", got)
	}
}

func problemsOf(r *model.Report) string {
	var out []string
	for _, p := range r.Bundle.Problems {
		out = append(out, p.Path+": "+p.Message)
	}
	return strings.Join(out, "\n")
}

const saidRows = `Events:
  Type     Reason              Age   From                     Message
  ----     ------              ----  ----                     -------
  Normal   Scheduled           3m    default-scheduler        Successfully assigned prod/web-0 to node-b
  Warning  FailedAttachVolume  3m    attachdetach-controller  Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another
`

// A report says what its dates stand for, once, and what T is.
func TestStandIn(t *testing.T) {
	const pending = "Events:\n  Type     Reason            Age  From               Message\n  ----     ------            ---  ----         " +
		"      -------\n" +
		"  Warning  FailedScheduling  3m   default-scheduler  0/3 nodes are available: 3 node(s) had volume node affinity conflict.\n"
	for _, tt := range []struct {
		name, file string
		said       model.Supplied
		want       string
		collected  string
	}{
		{"ages", saidRows, model.Supplied{}, "date T is the first report of a wait; nothing tells its date.", "T+3m30s"},
		{"ages without a wait", pending, model.Supplied{}, "date T is the collection; nothing tells its date.", "T+0s"},
		{"ages and a word", saidRows, model.Supplied{CollectedAt: time.Date(2026, 3, 14, 13, 20, 0, 0, time.UTC)}, "", "2026-03-14 13:20:00"},
		{"a log", saidLog, model.Supplied{}, "year Nothing tells the year; month, day and time of day are as in the logs.", "Jul 14 12:00:31"},
		{"a log and its zone", saidLog, model.Supplied{LogZone: time.FixedZone("+02:00", 7200), LogZoneName: "+02:00"},
			"year Nothing tells the year. Times are UTC.", "Jul 14 10:00:31"},
		{"a log and its year", saidLog, model.Supplied{Year: 2025}, "", "2025-07-14 12:00:31"},
	} {
		b := saidReport(t, map[string]string{"evidence.txt": tt.file}, tt.said).Bundle
		got := ""
		if s := b.StandIn; s != nil {
			got = string(s.Missing) + " " + s.Means
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if b.CapturedAt == nil || model.DateTime(b.CapturedAt.At) != tt.collected {
			t.Errorf("%s: collected %v, want %s", tt.name, b.CapturedAt, tt.collected)
		}
	}
}

const saidClaim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {creationTimestamp: "2026-03-13T08:00:00Z", name: data, namespace: prod, uid: u-c}
spec: {volumeName: pvc-1, accessModes: [ReadWriteOnce]}
status: {phase: Bound}
`

const saidClaims = `$ kubectl get pvc -n prod
NAME   STATUS   VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
data   Bound    pvc-1    10Gi       RWO            gp3            29h
`

// The time of collection that the user gives dates ages, unless something tells another one.
func TestSaidCollection(t *testing.T) {
	at := time.Date(2026, time.March, 14, 13, 20, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		files   map[string]string
		said    time.Time
		how     model.CollectedHow
		began   string // to the minute, ? when assumed
		problem string
	}{
		{"nothing tells", map[string]string{"describe.txt": saidRows}, at, model.CollectedSupplied, "2026-03-14T13:16", ""},
		{"nothing tells or says", map[string]string{"describe.txt": saidRows}, time.Time{}, model.CollectedAssumed, "T+0s?", ""},
		{"an age agrees, and is less exact", map[string]string{"describe.txt": saidRows, "claim.yaml": saidClaim, "claims.txt": saidClaims}, at,
			model.CollectedSupplied, "2026-03-14T13:16", ""},
		{"an age in the same file agrees", map[string]string{"describe.txt": saidClaims + "\n" + saidRows, "claim.yaml": saidClaim}, at,
			model.CollectedSupplied, "2026-03-14T13:16", ""},
		{"an age tells another", map[string]string{"describe.txt": saidRows, "claim.yaml": saidClaim, "claims.txt": saidClaims},
			at.Add(24 * time.Hour), model.CollectedAges, "2026-03-14T13:26",
			"claims.txt: --collected-at 2026-03-15T13:20:00Z is not used"},
		{"something is newer", map[string]string{"describe.txt": saidRows, "event.yaml": saidEvent}, at.AddDate(-2, 0, 0), model.CollectedNewest,
			"", "event.yaml: --collected-at 2024-03-14T13:20:00Z is not used"},
		{"the collector tells", map[string]string{"timestamp": saidStamp, "describe.txt": saidRows}, at, model.CollectedRecorded,
			"2025-07-14T12:06", "timestamp: --collected-at 2026-03-14T13:20:00Z is not used"},
		{"the name tells the day", map[string]string{"sosreport-cp0-2026-03-14-abcdef/describe.txt": saidRows}, at, model.CollectedSupplied,
			"2026-03-14T13:16", ""},
		{"the name tells another day", map[string]string{"sosreport-cp0-2026-01-14-abcdef/describe.txt": saidRows}, at, model.CollectedNamed,
			"2026-01-14T11:04", "is not used"},
	} {
		r := saidReport(t, tt.files, model.Supplied{CollectedAt: tt.said})
		if r.Bundle.CapturedHow != tt.how {
			t.Errorf("%s: collected %s, want %s", tt.name, r.Bundle.CapturedHow, tt.how)
		}
		for _, in := range r.Incidents {
			began := in.MultiAttach.Began
			got := began.At.Format("2006-01-02T15:04")
			if began.Missing() != "" {
				got = model.DateTime(began.At)
			}
			if began.Basis == model.Assumed {
				got += "?"
			}
			if tt.began != "" && got != tt.began {
				t.Errorf("%s: began %s, want %s", tt.name, got, tt.began)
			}
		}
		if told := problemsOf(r); !strings.Contains(told, tt.problem) || tt.problem == "" && strings.Contains(told, "is not used") {
			t.Errorf("%s: problems %q", tt.name, told)
		}
	}
}
