package main

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report"
)

// Pieces of what people paste, none of which tells a date.
const (
	undatedDescribe = `Events:
  Type     Reason                  Age                  From                     Message
  ----     ------                  ----                 ----                     -------
  Normal   Scheduled               8m6s                 default-scheduler        Successfully assigned shop/db-7d9f6c5b4-x2x9k to node-b
  Warning  FailedAttachVolume      8m6s                 attachdetach-controller  Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-7d9f6c5b4-q8q8q
  Normal   SuccessfulAttachVolume  113s                 attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-1"
`
	undatedEvents = `LAST SEEN   TYPE      REASON               OBJECT          MESSAGE
26h         Normal    NodeNotReady         node/node-a     Node node-a status is now: NodeNotReady
52m         Warning   FailedAttachVolume   pod/db-0        Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can't be attached to another
46m         Normal    SuccessfulAttachVolume   pod/db-0    AttachVolume.Attach succeeded for volume "pvc-1"
2m5s        Warning   FailedAttachVolume   pod/db-1        Multi-Attach error for volume "pvc-2" Volume is already used by pod(s) db-9
30s         Warning   FailedMount          pod/db-1        Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data]: timed out waiting for the condition
`
	undatedTables = `$ kubectl get volumeattachment
NAME                                                                   ATTACHER          PV      NODE     ATTACHED   AGE
csi-0fb7284eaa7ad996e50eaee0b4876773e038e9779bb582df38f3e39dcaf2392f   ebs.csi.aws.com   pvc-1   node-a   true       5y12d
$ kubectl get nodes
NAME     STATUS     ROLES    AGE   VERSION
node-a   NotReady   <none>   11y   v1.27.3
node-b   Ready      <none>   30d   v1.27.3
$ kubectl get pods -o wide
NAME                 READY   STATUS              RESTARTS   AGE   IP         NODE     NOMINATED NODE   READINESS GATES
db-7d9f6c5b4-x2x9k   0/1     ContainerCreating   0          12m   <none>     node-b   <none>           <none>
db-7d9f6c5b4-q8q8q   1/1     Terminating         0          5d    10.0.0.1   node-a   <none>           <none>
`
	undatedLine = `Warning FailedAttachVolume pod/db-1 Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to ` +
		`one node and can't be attached to another`
	undatedProse  = `We see Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) db-0, and nothing helps.`
	undatedRefuse = `  Warning  FailedAttachVolume  71s (x8 over 9m)  attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = Internal desc = volume vol-1 is already attached to instance i-0abc
`
	undatedLog = `W1122 09:24:42.123456       1 reconciler.go:325] Multi-Attach error for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") from node "node-b" Volume is already exclusively attached to node node-a and can't be attached to another
I1122 09:22:59.000001       1 event.go:307] "Event occurred" object="node-a" fieldPath="" kind="Node" apiVersion="v1" type="Normal" reason="NodeNotReady" message="Node node-a status is now: NodeNotReady"
W1122 09:30:42.023456       1 reconciler.go:222] attacherDetacher.DetachVolume started for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") on node "node-a" This volume is not safe to detach, but maxWaitForUnmountDuration 6m0s expired, force detaching
I1122 09:30:52.123456       1 operation_generator.go:410] AttachVolume.Attach succeeded for volume "pvc-1" (UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-1") from node "node-b"
I1122 09:31:10.000001       1 leaderelection.go:260] successfully acquired lease kube-system/kube-controller-manager
`
)

// undatedTexts are bundles, and what nothing tells of their dates.
func undatedTexts() map[string]undatedBundle {
	newYear := strings.NewReplacer("1122 09:2", "1231 23:5", "1122 09:3", "0101 00:0").Replace(undatedLog)
	syslog := regexp.MustCompile(`(?m)^(.)1122 (\d\d:\d\d:\d\d)`).ReplaceAllString(undatedLog,
		"Nov 22 $2 master kube-controller-manager[1]: ${1}1122 $2")
	return map[string]undatedBundle{
		"describe":        {model.NoDate, []string{undatedDescribe}},
		"events":          {model.NoDate, []string{undatedEvents}},
		"tables":          {model.NoDate, []string{undatedDescribe, undatedTables}},
		"tables alone":    {model.NoDate, []string{undatedTables}},
		"a line":          {model.NoDate, []string{undatedLine}},
		"a clock":         {model.NoDate, []string{"09:24:42 " + undatedLine}},
		"prose":           {model.NoDate, []string{undatedProse}},
		"a refusal":       {model.NoDate, []string{undatedDescribe[:strings.Index(undatedDescribe, "  Normal")] + undatedRefuse}},
		"all ages":        {model.NoDate, []string{undatedDescribe, undatedEvents, undatedTables, undatedLine}},
		"log":             {model.NoYear, []string{undatedLog}},
		"log, syslog":     {model.NoYear, []string{syslog}},
		"log, new year":   {model.NoYear, []string{newYear}},
		"log and ages":    {model.NoYear, []string{undatedLog, undatedTables}},
		"log and prose":   {model.NoYear, []string{undatedProse + "\n```\n" + undatedLog + "```\n"}},
		"log and another": {model.NoYear, []string{undatedLog, undatedDescribe}},
	}
}

type undatedBundle struct {
	missing model.Missing
	files   []string
}

// No output has a date that is not in the evidence, but for the moments of JSON, which say what they stand for.
func TestUndated(t *testing.T) {
	t.Parallel()
	texts := undatedTexts()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		t.Run(name, func(t *testing.T) {
			bundle, raw := t.TempDir(), strings.Join(texts[name].files, "\n")
			for i, text := range texts[name].files {
				if err := os.WriteFile(filepath.Join(bundle, fmt.Sprintf("%d.txt", i)), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			written, saved := undatedOutputs(t, bundle)
			if got := saved.Bundle.StandIn; got == nil || got.Missing != texts[name].missing {
				t.Fatalf("the report's dates stand for %v, want %s", got, texts[name].missing)
			}
			for _, out := range slices.Sorted(maps.Keys(written)) {
				for _, found := range inventions(readable(t, out, written[out]), raw, texts[name].missing) {
					t.Errorf("%s: %s", out, found)
				}
			}
			if texts[name].missing == model.NoDate && strings.Contains(written["html"], "counted from that report") {
				t.Error("the page has a second T")
			}
			if means := saved.Bundle.StandIn.Means; !strings.Contains(strings.Join(strings.Fields(written["text"]), " "), means) ||
				!strings.Contains(written["html"], html.EscapeString(means)) {
				t.Errorf("text and page do not say: %s", means)
			}
		})
	}
}

// undatedOutputs are all outputs of all commands over a bundle, by name.
func undatedOutputs(t *testing.T, bundle string) (map[string]string, *model.Report) {
	t.Helper()
	dir, out := t.TempDir(), map[string]string{}
	args := []string{"analyze", bundle, "--timezone", "Europe/Berlin"}
	for _, f := range report.Formats() {
		args = append(args, "-o", f.Name+"="+filepath.Join(dir, f.Name))
	}
	if ran := volpost(args...); ran.code != 0 {
		t.Fatal(ran.stderr)
	}
	for _, f := range report.Formats() {
		text, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(text)
	}
	saved := decoded(t, []byte(out["json"]))
	file := filepath.Join(dir, "json")
	commands := [][]string{{"inspect", bundle}, {"diff", file, bundle, "--same-cluster"},
		{"diff", bundle, bundle, "--same-cluster", "-o", "json"}, {"fleet", file}, {"report", file, "-o", "md"}}
	if len(saved.Incidents) > 0 {
		commands = append(commands, []string{"replay", bundle, "--plain", "--incident", "1"},
			[]string{"replay", file, "--incident", "1", "--what-if", "shared-access-mode"})
		for _, at := range []string{"", "@+1m", "@-50h", "@03:04:05"} {
			commands = append(commands, []string{"whatif", bundle, "--incident", "1", "--apply", "force-delete-pod" + at},
				[]string{"whatif", bundle, "--incident", "1", "--apply", "force-delete-pod" + at, "-o", "json"})
		}
		commands = append(commands, []string{"whatif", bundle, "--incident", "1", "--apply", "shared-access-mode"})
	}
	for _, c := range commands {
		ran := volpost(c...)
		name := strings.NewReplacer(bundle, "BUNDLE", file, "REPORT").Replace(strings.Join(c, " "))
		if ran.code != 0 {
			name += " (fails)" // the error must not have a date either
		}
		out[name] = ran.stdout + ran.stderr
	}
	return out, saved
}

// What of an output is not for reading: the page's script and drawings, and numbers that only a script reads.
var (
	notRead = regexp.MustCompile(`(?s)<script>.*?</script>|<path.*?/>|<polygon.*?/>|viewBox="[^"]*"|data-\w+="-?[\d.]+"|` +
		`http://www.w3.org/2000/svg|"(?:timestamp|ts|dur)": ?-?\d+`)
	inMoment = regexp.MustCompile(`"(?:at|earliest|latest|t|from|to|year)": ?(?:"\d{4}-[^"]*"|\d+)`)
)

// readable is what a reader sees of an output, and a program that does not look at its moments.
func readable(t *testing.T, name, text string) string {
	t.Helper()
	if strings.Contains(name, "json") {
		if name == "json" && !json.Valid([]byte(text)) {
			t.Error("the report is no JSON")
		}
		text = inMoment.ReplaceAllString(text, "")
	}
	return html.UnescapeString(notRead.ReplaceAllString(text, ""))
}

var (
	aDate  = regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b`)
	aYear  = regexp.MustCompile(`\b(?:19[789]\d|200[012]|202\d)\b`)
	aClock = regexp.MustCompile(`\b\d\d:\d\d:\d\d\b`)
)

// inventions are dates, years and, where no date is known, times of day that the evidence does not hold, with what is around them.
func inventions(text, raw string, missing model.Missing) []string {
	kinds := []*regexp.Regexp{aDate, aYear}
	if missing == model.NoDate {
		kinds = append(kinds, aClock)
	}
	var out []string
	for _, kind := range kinds {
		for _, at := range kind.FindAllStringIndex(text, -1) {
			if found := text[at[0]:at[1]]; !strings.Contains(raw, found) {
				out = append(out, fmt.Sprintf("%q in …%s…", found, text[max(0, at[0]-60):min(len(text), at[1]+20)]))
			}
		}
	}
	return out[:min(len(out), 3)]
}
