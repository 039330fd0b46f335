package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

const (
	pastedVolume = "pvc-5a0e7c1d-93b4-4f6e-8a21-d7c40b9e6f35"
	pastedHolder = "worker-1"
	pastedUser   = "ledger-6d4cf56db6-2xk9p"
	pastedPod    = "ledger-859cb75f69-6rkhz"
)

// situation is what a cluster's message says, and what has to be made of it.
type situation struct {
	name    string
	message string
	kind    model.IncidentKind
	cause   string // the first or second
	named   string // in the first sentence
}

func blockedBy(how string) string {
	return `Multi-Attach error for volume "` + pastedVolume + `" Volume is already ` + how
}

func refusedBy(text string) string {
	return `AttachVolume.Attach failed for volume "` + pastedVolume + `" : rpc error: code = Internal desc = ` + text
}

// situations are the messages, the refusals in the words of each back end.
var situations = []situation{
	{"one user", blockedBy("used by pod(s) " + pastedUser), "", "rollout-surge", pastedUser},
	{"two users", blockedBy("used by pod(s) " + pastedUser + ", audit-5f7b9c8d66-zz7bq"), "", "shared-claim", pastedUser},
	{"no user", blockedBy("exclusively attached to one node and can't be attached to another"), "", "unknown", pastedVolume},
	{"new wording", `Waiting for detach for volume "` + pastedVolume +
		`" Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node`, "", "unknown",
		pastedVolume},
	{"refused by EBS", refusedBy(`Could not attach volume "vol-0a1b2c3d4e5f60718" to node "i-0b1c2d3e4f5a69788": operation error EC2: ` +
		`AttachVolume, https response error StatusCode: 400, RequestID: 9d2f, api error VolumeInUse: vol-0a1b2c3d4e5f60718 is already attached ` +
		`to an instance`), model.KindStorageRefuses, "storage-disagrees", "storage"},
	{"refused by Azure Disk", refusedBy(`Attach volume /subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d to instance ` +
		`worker-2 failed with disk(/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d) already attached to ` +
		`node(/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/worker-1), could not be attached to node(worker-2)`),
		model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by GCE PD", refusedBy(`Failed to Attach: failed cloud service attach disk call: googleapi: Error 400: ` +
		`RESOURCE_IN_USE_BY_ANOTHER_RESOURCE - The disk resource 'projects/p/zones/z/disks/d' is already being used by ` +
		`'projects/p/zones/z/instances/worker-1'`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by Cinder", refusedBy(`[ControllerPublishVolume] Attach Volume failed with error disk 7c1e is attached to a different ` +
		`instance (worker-1)`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by vSphere", refusedBy(`failed to attach disk: "d23d" with node: "worker-2" err failed to attach cns volume: "d23d". fault: ` +
		`The resource 'volume' is in use.`), model.KindStorageRefuses, "storage-disagrees", "storage"},
	{"refused by Longhorn", refusedBy(`The volume ` + pastedVolume +
		` cannot be attached to the node worker-2 since it is already attached to the node worker-1`), model.KindStorageRefuses,
		"storage-disagrees", pastedHolder},
	{"refused by LINSTOR", refusedBy(`ControllerPublishVolume failed: resource is still mounted on node worker-1`), model.KindStorageRefuses,
		"storage-disagrees", pastedHolder},
	{"refused by Hetzner", refusedBy(`failed to publish volume: volume is published at another node: worker-1`), model.KindStorageRefuses,
		"storage-disagrees", pastedHolder},
	{"refused by Portworx", refusedBy(`Non-shared volume is already attached on another node worker-1`), model.KindStorageRefuses,
		"storage-disagrees", pastedHolder},
	{"refused by Linode", refusedBy(`[400] Volume 7781 is already attached to Linode worker-1`), model.KindStorageRefuses, "storage-disagrees",
		pastedHolder},
	{"refused by a driver", strings.Replace(refusedBy(`volume 17 in use by node worker-1`), "Internal", "FailedPrecondition", 1),
		model.KindStorageRefuses, "storage-disagrees", "storage"},
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// describedPod is a description of the waiting pod with the message as its event.
func describedPod(message string) string {
	return "Name:             " + pastedPod +
		"\nNamespace:        books\nPriority:         0\nNode:             worker-2/10.0.0.2\nStatus:           Pending\n" +
		"Events:\n  Type     Reason              Age   From                     Message\n  ----     ------              ----  " +
		"----                     -------\n" +
		"  Warning  FailedAttachVolume  71s   attachdetach-controller  " + message + "\n"
}

// pastedForms are the ways in which people paste a message. Those that name the pod say so.
var pastedForms = []struct {
	name string
	pod  bool
	text func(message string) string
}{
	{"alone", false, func(m string) string { return m + "\n" }},
	{"sentence", false, func(m string) string { return "Since the upgrade my pod does not start: " + m + "\n\nWhat now?\n" }},
	{"bold", false, func(m string) string { return "It says **" + m + "**\n" }},
	{"code span", false, func(m string) string { return "It says `" + m + "`, again and again.\n" }},
	{"quote", false, func(m string) string { return "> " + m + "\n\nSame here.\n" }},
	{"diff line", false, func(m string) string { return "```diff\n- all good\n+ " + m + "\n```\n" }},
	{"table cell", false, func(m string) string { return "| when | what |\n|---|---|\n| today | " + m + " |\n" }},
	{"pre", false, func(m string) string { return "<p>Hello</p><pre>" + html.EscapeString(m) + "</pre>\n" }},
	{"code", false, func(m string) string { return "<p>I get <code>" + html.EscapeString(m) + "</code> since today</p>\n" }},
	{"Error:", false, func(m string) string { return "Error: " + m + "\n" }},
	{"[reason]", false, func(m string) string { return "[FailedAttachVolume] " + m + "\n" }},
	{"smart quotes", false, func(m string) string {
		return "We see “" + strings.NewReplacer(` "`, " “", `"`, "”", "'", "’").Replace(m) + "”\n"
	}},
	{"csv", false, func(m string) string {
		return "time,reason,message\n2026-03-02T10:00:00Z,FailedAttachVolume,\"" + strings.ReplaceAll(m, `"`, `""`) + "\"\n"
	}},
	{"json fragment", false, func(m string) string { return `"reason": "FailedAttachVolume", "message": ` + quotedJSON(m) + ",\n" }},
	{"json in json", false, func(m string) string {
		return `"log": ` + quotedJSON(`{"reason":"FailedAttachVolume","message":`+quotedJSON(m)+`}`) + ",\n"
	}},
	{"borders", false, func(m string) string {
		return "│ Warning  FailedAttachVolume  71s  attachdetach-controller  " + m + " │\n"
	}},
	{"describe", true, describedPod},
	{"issue", true, func(m string) string { return "### What happened\n\n```\n" + describedPod(m) + "```\n\nThanks!\n" }},
	{"page", true, func(m string) string {
		return "<html><body><div class=\"post\"><pre><code>" + html.EscapeString(describedPod(m)) + "</code></pre></div></body></html>\n"
	}},
	{"ansible", true, func(m string) string {
		return `{"changed": false, "rc": 0, "stdout": ` + quotedJSON(describedPod(m)) + `}` + "\n"
	}},
	{"get events", true, func(m string) string {
		return "LAST SEEN   TYPE      REASON               OBJECT                        MESSAGE\n71s         Warning   FailedAttachVolume   " +
			"pod/" + pastedPod + "   " + m + "\n"
	}},
	{"get events -w", true, func(m string) string {
		return "$ kubectl get events -n books -w\nLAST SEEN   TYPE      REASON               OBJECT                        " +
			"MESSAGE\n0s          Warning   FailedAttachVolume   pod/" + pastedPod + "   " + m +
			"\n0s          Normal    Pulled               pod/other-0   Container image pulled\n"
	}},
	{"zap", true, func(m string) string {
		return "1.7723016e+09\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\",\"namespace\":\"books\",\"name\":\"" + pastedPod +
			"\"}, \"reason\": \"FailedAttachVolume\", \"message\": " + quotedJSON(m) + "}\n"
	}},
	{"event as json", true, func(m string) string {
		return `{"apiVersion":"v1","kind":"Event","metadata":{"name":"x.1","namespace":"books"},"involvedObject":{"kind":"Pod",` +
			`"namespace":"books","name":"` + pastedPod +
			`"},"reason":"FailedAttachVolume","type":"Warning","firstTimestamp":"2026-03-02T10:00:00Z","lastTimestamp":"2026-03-02T10:00:00Z",` +
			`"count":1,"message":` + quotedJSON(m) + "}\n"
	}},
	{"event as yaml, cut", true, func(m string) string {
		return "apiVersion: v1\nkind: Event\nmetadata:\n  name: x.1\n  namespace: books\ninvolvedObject:\n  kind: Pod\n  namespace: books\n  " +
			"name: " + pastedPod + "\nreason: FailedAttachVolume\ntype: Warning\ncount: 1\nfirstTimestamp: " +
			"\"2026-03-02T10:00:00Z\"\nlastTimestamp: \"2026-03-02T10:00:00Z\"\nmessage: '" + strings.ReplaceAll(m, "'", "''") +
			"'\nsource:\n  component: 'attachdetach-contr\n"
	}},
	{"wrapped at 72", true, func(m string) string { return wrappedAt(describedPod(m), 72) }},
}

// wrappedAt breaks lines as a narrow terminal does.
func wrappedAt(text string, width int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		for len(line) > width {
			out.WriteString(line[:width] + "\n")
			line = line[width:]
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// encodings are what Windows makes of a text.
var encodings = []struct {
	name   string
	encode func(string) []byte
}{
	{"plain", func(s string) []byte { return []byte(s) }},
	{"crlf", func(s string) []byte { return []byte(strings.ReplaceAll(s, "\n", "\r\n")) }},
	{"bom", func(s string) []byte { return []byte("\xef\xbb\xbf" + s) }},
	{"utf-16", func(s string) []byte {
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			out = append(out, byte(u), byte(u>>8))
		}
		return out
	}},
}

// TestPastedForms: whatever form a message is pasted in, the answer is of its kind, names the volume, the pods and the machine that
// it names and the cause that it shows, and is sure of nothing.
func TestPastedForms(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, s := range situations {
		for n, f := range pastedForms {
			e := encodings[n%len(encodings)] // each with some
			name := s.name + ", " + f.name + ", " + e.name
			_, r := explained(t, fstest.MapFS{"paste.txt": {Data: e.encode(f.text(s.message))}}, "paste")
			bad := wrongAnswer(s, f.pod, r)
			counts[map[bool]string{true: "right", false: "wrong"}[bad == ""]]++
			if bad != "" {
				t.Errorf("%s: %s\n%s", name, bad, r.Verdict.Headline)
			}
		}
	}
	t.Log(counts)
}

// wrongAnswer says what is wrong with a report; empty when nothing is.
func wrongAnswer(s situation, pod bool, r *model.Report) string {
	if len(r.Incidents) != 1 {
		return fmt.Sprintf("%d incidents, %s", len(r.Incidents), r.Verdict.Status)
	}
	i := r.Incidents[0]
	var causes []string
	for _, c := range i.Causes {
		if c.Verdict == model.Confirmed || c.Verdict == model.Likely && len(c.Missing) == 0 {
			return fmt.Sprintf("%s is %s without a step that is inferred", c.ID, c.Verdict)
		}
		causes = append(causes, c.ID)
	}
	cause := s.cause
	switch {
	case i.Kind != s.kind:
		return fmt.Sprintf("kind %q", i.Kind)
	case i.Volume.PersistentVolume != pastedVolume:
		return fmt.Sprintf("volume %q", i.Volume.PersistentVolume)
	case !slices.Contains(causes[:min(2, len(causes))], cause):
		return fmt.Sprintf("causes %v, want %s", causes, cause)
	case !strings.Contains(strings.ToLower(r.Verdict.Headline+" "+r.Verdict.Why), strings.ToLower(s.named)):
		return "the first two sentences do not name " + s.named
	case pod && (len(i.To.Pods) == 0 || i.To.Pods[0].Name != pastedPod):
		return fmt.Sprintf("waiting pods %v", i.To.Pods)
	case len(i.Next) == 0:
		return "no next command"
	}
	return ""
}

// whole is a piece of evidence of more than one message.
type whole struct {
	name, text string
	kind       model.IncidentKind
	cause      string
	named      string
}

// wholes are pieces in which the situation shows by what stands together.
func wholes() []whole {
	user, alone := blockedBy("used by pod(s) "+pastedUser), blockedBy("exclusively attached to one node and can't be attached to another")
	class := "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata:\n  name: many\nprovisioner: " +
		"cinder.csi.openstack.org\nparameters:\n  multiattach: \"True\"\n"
	klog := `W0302 10:00:00.123456       1 reconciler.go:344] Multi-Attach error for volume "` + pastedVolume +
		`" (UniqueName: "kubernetes.io/csi/d.example.com^h") from node "worker-2" Volume is already exclusively attached to node worker-1 and ` +
		`can't be attached to another`
	deleting := `AttachVolume.Attach failed for volume "` + pastedVolume + `" : volume attachment is being deleted`
	failing := func(answer string) string {
		return alone + "\n\n  Detach Error:\n    Message:  rpc error: code = Internal desc = Could not detach volume " + pastedVolume +
			" from node worker-1: " + answer + "\n    Time:     2026-03-02T10:00:00Z\n"
	}
	item := func(answer string) string {
		return "- apiVersion: storage.k8s.io/v1\n  kind: VolumeAttachment\n  metadata:\n    name: csi-x\n  spec:\n    attacher: " +
			"d.example.com\n    nodeName: worker-1\n    source:\n      persistentVolumeName: " + pastedVolume +
			"\n  status:\n    attached: true\n    detachError:\n      message: 'rpc error: code = Internal desc = " + answer + " and so o"
	}
	throttled := "operation error EC2: DetachVolume, https response error StatusCode: 503, RequestID: 1, api error RequestLimitExceeded: " +
		"Request limit exceeded."
	rows := "NAME                      READY   STATUS              RESTARTS   AGE\n" + pastedPod +
		"   0/1     ContainerCreating   0          4m47s\n" + pastedUser + "   1/1     Running             0          2d1h\n"
	describe := strings.TrimSuffix(describedPod(alone), "\n")
	late := strings.Replace(describe, "71s ", "7m10s", 1) +
		"\n  Normal   SuccessfulAttachVolume  58s   attachdetach-controller  AttachVolume.Attach succeeded for volume \"" + pastedVolume + "\"\n"
	soon := strings.Replace(describe, "71s ", "2m10s", 1) +
		"\n  Normal   SuccessfulAttachVolume  2m1s  attachdetach-controller  AttachVolume.Attach succeeded for volume \"" + pastedVolume + "\"\n"
	return []whole{
		{"rolling update, list of pods", user + "\n\n$ kubectl -n books get pod\n" + rows, "", "rollout-surge", pastedPod},
		{"rolling update, issue", "## Bug\n```\n" + user + "\n```\nand\n```\n$ kubectl -n books get pod\n" + rows + "```\n", "", "rollout-surge",
			pastedPod},
		{"access mode, StorageClass in prose", "I see\n```\n" + user + "\n```\nwith\n```\n" + class + "```\n", "", "access-mode", pastedUser},
		{"access mode, StorageClass below its command", user + "\n$ kubectl get sc many -o yaml\n" + class, "", "access-mode", pastedUser},
		{"being deleted, describe", describe + "\n  Warning  FailedAttachVolume  31s   attachdetach-controller  " + deleting + "\n", "",
			"attachment-not-finishing", pastedPod},
		{"being deleted, lines", alone + "\n" + deleting + "\n", "", "attachment-not-finishing", pastedVolume},
		{"node lost, six minutes", late, "", "node-down", pastedPod},
		{"detach failing by EBS, description", failing(throttled), "", "cloud-detach-failing", pastedHolder},
		{"detach failing by Azure, description", failing(`Retriable: true, HTTPStatusCode: 429, RawError: Code="TooManyRequests"`), "",
			"cloud-detach-failing", pastedHolder},
		{"detach failing by a driver, description", failing("the array is busy"), "", "driver-detach-error", pastedHolder},
		{"detach failing by EBS, item cut", item(throttled), model.KindFailingDetach, "cloud-detach-failing", pastedHolder},
		{"detach failing by GCE, item cut", item("googleapi: Error 503: Internal error, backendError"), model.KindFailingDetach,
			"cloud-detach-failing", pastedHolder},
		{"detach failing by a driver, item cut", item("the array is busy"), model.KindFailingDetach, "driver-detach-error", pastedHolder},
		{"controller line", klog + "\n", "", "unknown", pastedHolder},
		{"controller line, Docker", `{"log":` + quotedJSON(klog+"\n") + `,"stream":"stderr","time":"2026-03-02T10:00:00.2Z"}` + "\n", "",
			"unknown", pastedHolder},
		{"controller line, stamped Docker",
			`2026-03-02T10:00:00.3Z {"log":` + quotedJSON(klog+"\n") + `,"stream":"stderr","time":"2026-03-02T10:00:00.2Z"}` + "\n", "", "unknown",
			pastedHolder},
		{"controller line, no blanks", strings.NewReplacer(` "`, `"`, `" `, `"`).Replace(klog) + "\n", "", "unknown", pastedHolder},
		{"ordinary move", soon, "", "handover", "nothing is to be done"},
	}
}

// TestPastedWholes: what stands together decides, also in texts of Windows.
func TestPastedWholes(t *testing.T) {
	for _, w := range wholes() {
		for _, e := range encodings {
			_, r := explained(t, fstest.MapFS{"paste.txt": {Data: e.encode(w.text)}}, "paste")
			s := situation{name: w.name, kind: w.kind, cause: w.cause, named: w.named}
			if bad := wrongAnswer(s, false, r); bad != "" {
				t.Errorf("%s, %s: %s\n%s", w.name, e.name, bad, r.Verdict.Headline)
			}
		}
	}
}

// TestPastedScreen: the answer to each of them fits one screen.
func TestPastedScreen(t *testing.T) {
	t.Parallel()
	for _, s := range situations {
		for _, f := range pastedForms {
			fitsScreen(t, s.name+", "+f.name, f.text(s.message))
		}
	}
	for _, w := range wholes() {
		fitsScreen(t, w.name, w.text)
	}
}

func fitsScreen(t *testing.T, name, text string) {
	t.Helper()
	_, r := explained(t, fstest.MapFS{"paste.txt": {Data: []byte(text)}}, "paste")
	var out bytes.Buffer
	if err := report.WriteWith(&out, "text", r, report.Options{Screen: &report.Screen{Columns: 80}}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) > 40 {
		t.Errorf("%s: %d lines", name, len(lines))
	}
	for _, l := range lines {
		if n := len([]rune(l)); n > 80 {
			t.Errorf("%s: %d columns: %s", name, n, l)
		}
	}
}

// pastedWork is what the answer to a pasted text may cost beyond the start of the program, or as much as the start where a machine is slow.
const pastedWork = 100 * time.Millisecond

// TestPastedWork: the program is run for some of the forms and for its version, and the work is compared.
func TestPastedWork(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := binary(t)
	work := func(budget time.Duration, arguments ...string) time.Duration {
		best := time.Hour // on a busy machine the least of some runs is nearest to what the work is
		for n := 0; n < 3 && best > budget; n++ {
			c := exec.Command(program, arguments...)
			c.Dir = t.TempDir()
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", arguments, err, out)
			}
			best = min(best, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		}
		return best
	}
	start := work(0, "version")
	budget := max(pastedWork, start)
	for n := 0; n < len(pastedForms); n += 8 {
		f := pastedForms[n]
		path := filepath.Join(t.TempDir(), "paste.txt")
		if err := os.WriteFile(path, []byte(f.text(situations[0].message)), 0o600); err != nil {
			t.Fatal(err)
		}
		if took := work(start+budget, "analyze", path) - start; took > budget {
			t.Errorf("%s: %v of work beyond the start", f.name, took)
		}
	}
}
