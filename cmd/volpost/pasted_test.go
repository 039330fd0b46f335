package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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
	{"new wording", `Waiting for detach for volume "` + pastedVolume + `" Volume is already exclusively attached to one node, waiting on detach before it can be attached to another node`, "", "unknown", pastedVolume},
	{"refused by EBS", refusedBy(`Could not attach volume "vol-0a1b2c3d4e5f60718" to node "i-0b1c2d3e4f5a69788": operation error EC2: AttachVolume, https response error StatusCode: 400, RequestID: 9d2f, api error VolumeInUse: vol-0a1b2c3d4e5f60718 is already attached to an instance`), model.KindStorageRefuses, "storage-disagrees", "storage"},
	{"refused by Azure Disk", refusedBy(`Attach volume /subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d to instance worker-2 failed with disk(/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d) already attached to node(/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/worker-1), could not be attached to node(worker-2)`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by GCE PD", refusedBy(`Failed to Attach: failed cloud service attach disk call: googleapi: Error 400: RESOURCE_IN_USE_BY_ANOTHER_RESOURCE - The disk resource 'projects/p/zones/z/disks/d' is already being used by 'projects/p/zones/z/instances/worker-1'`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by Cinder", refusedBy(`[ControllerPublishVolume] Attach Volume failed with error disk 7c1e is attached to a different instance (worker-1)`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by vSphere", refusedBy(`failed to attach disk: "d23d" with node: "worker-2" err failed to attach cns volume: "d23d". fault: The resource 'volume' is in use.`), model.KindStorageRefuses, "storage-disagrees", "storage"},
	{"refused by Longhorn", refusedBy(`The volume ` + pastedVolume + ` cannot be attached to the node worker-2 since it is already attached to the node worker-1`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by LINSTOR", refusedBy(`ControllerPublishVolume failed: resource is still mounted on node worker-1`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by Hetzner", refusedBy(`failed to publish volume: volume is published at another node: worker-1`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by Portworx", refusedBy(`Non-shared volume is already attached on another node worker-1`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by Linode", refusedBy(`[400] Volume 7781 is already attached to Linode worker-1`), model.KindStorageRefuses, "storage-disagrees", pastedHolder},
	{"refused by a driver", strings.Replace(refusedBy(`volume 17 in use by node worker-1`), "Internal", "FailedPrecondition", 1), model.KindStorageRefuses, "storage-disagrees", "storage"},
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// describedPod is a description of the waiting pod with the message as its event.
func describedPod(message string) string {
	return "Name:             " + pastedPod + "\nNamespace:        books\nPriority:         0\nNode:             worker-2/10.0.0.2\nStatus:           Pending\n" +
		"Events:\n  Type     Reason              Age   From                     Message\n  ----     ------              ----  ----                     -------\n" +
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
		return "LAST SEEN   TYPE      REASON               OBJECT                        MESSAGE\n71s         Warning   FailedAttachVolume   pod/" + pastedPod + "   " + m + "\n"
	}},
	{"get events -w", true, func(m string) string {
		return "$ kubectl get events -n books -w\nLAST SEEN   TYPE      REASON               OBJECT                        MESSAGE\n0s          Warning   FailedAttachVolume   pod/" + pastedPod + "   " + m + "\n0s          Normal    Pulled               pod/other-0   Container image pulled\n"
	}},
	{"zap", true, func(m string) string {
		return "1.7723016e+09\tDEBUG\tevents\tWarning\t{\"object\": {\"kind\":\"Pod\",\"namespace\":\"books\",\"name\":\"" + pastedPod + "\"}, \"reason\": \"FailedAttachVolume\", \"message\": " + quotedJSON(m) + "}\n"
	}},
	{"event as json", true, func(m string) string {
		return `{"apiVersion":"v1","kind":"Event","metadata":{"name":"x.1","namespace":"books"},"involvedObject":{"kind":"Pod","namespace":"books","name":"` + pastedPod + `"},"reason":"FailedAttachVolume","type":"Warning","firstTimestamp":"2026-03-02T10:00:00Z","lastTimestamp":"2026-03-02T10:00:00Z","count":1,"message":` + quotedJSON(m) + "}\n"
	}},
	{"event as yaml, cut", true, func(m string) string {
		return "apiVersion: v1\nkind: Event\nmetadata:\n  name: x.1\n  namespace: books\ninvolvedObject:\n  kind: Pod\n  namespace: books\n  name: " + pastedPod + "\nreason: FailedAttachVolume\ntype: Warning\ncount: 1\nfirstTimestamp: \"2026-03-02T10:00:00Z\"\nlastTimestamp: \"2026-03-02T10:00:00Z\"\nmessage: '" + strings.ReplaceAll(m, "'", "''") + "'\nsource:\n  component: 'attachdetach-contr\n"
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
	case !strings.Contains(r.Verdict.Headline, s.named):
		return "the first sentence does not name " + s.named
	case pod && (len(i.To.Pods) == 0 || i.To.Pods[0].Name != pastedPod):
		return fmt.Sprintf("waiting pods %v", i.To.Pods)
	case len(i.Next) == 0:
		return "no next command"
	}
	return ""
}

// TestPastedScreen: the answer to each of them fits one screen.
func TestPastedScreen(t *testing.T) {
	for _, s := range situations {
		for _, f := range pastedForms {
			_, r := explained(t, fstest.MapFS{"paste.txt": {Data: []byte(f.text(s.message))}}, "paste")
			var out bytes.Buffer
			if err := report.WriteWith(&out, "text", r, report.Options{Screen: true}); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if len(lines) > 40 {
				t.Errorf("%s, %s: %d lines", s.name, f.name, len(lines))
			}
			for _, l := range lines {
				if n := len([]rune(l)); n > 80 {
					t.Errorf("%s, %s: %d columns: %s", s.name, f.name, n, l)
				}
			}
		}
	}
}
