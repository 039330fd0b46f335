package ingest

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/volpost/volpost/model"
)

const (
	formsVolume = "pvc-3f1c0d5e-7a52-4c0b-9a3c-5b8f2f1f9a01"
	formsReport = `Multi-Attach error for volume "` + formsVolume +
		`" Volume is already exclusively attached to one node and can't be attached to another`
	// What Gardener's log service keeps of a line.
	formsParted = `{"log":"Multi-Attach error for volume \"` + formsVolume +
		`\" (UniqueName: \"kubernetes.io/csi/d^h\") from node \"n2\" Volume is already exclusively attached to node n1 and can't be attached ` +
		`to another","pid":"1","severity":"WARN","source":"reconciler.go:224"}`
)

// formsDescribe is a description of a pod, with the message in it.
const formsDescribe = `Name:             shop-db-859cb75f69-6rkhz
Namespace:        shop
Node:             worker-2/10.0.0.2
Start Time:       Wed, 01 May 2024 10:00:00 +0000
Events:
  Type     Reason              Age   From                     Message
  ----     ------              ----  ----                     -------
  Warning  FailedAttachVolume  71s   attachdetach-controller  ` + formsReport + "\n"

// reports are the volumes that Multi-Attach reports of a bundle name, each once.
func reports(s *model.Snapshot) []string {
	var out []string
	for _, o := range s.Observations {
		if o.Kind == model.MultiAttach && !slices.Contains(out, o.Volume.PersistentVolume) {
			out = append(out, o.Volume.PersistentVolume)
		}
	}
	return out
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// forms are the ways in which the same evidence reaches a file.
func forms() map[string]string {
	return map[string]string{
		"describe.txt": formsDescribe,
		"issue.md":     "## Bug\n\nIt hangs:\n\n```\n" + formsDescribe + "```\nthanks\n",
		"saved.html": "<html>" + strings.Repeat("<script>var x = 1;</script>\n", 4000) + "<pre><code>" + html.EscapeString(formsDescribe) +
			"</code></pre></html>",
		"ansible.json": `{"changed": true, "stdout": ` + quoted(formsDescribe) + `}`,
		"parted.log":   formsParted + "\n",
		"stamped.log":  "2022-04-06 06:39:08\t" + formsParted + "\n",
		"docker.log": `2022-04-06T06:39:08Z {"log":` +
			quoted(`W0406 06:39:08.000000       1 reconciler.go:224] Multi-Attach error for volume "`+formsVolume+
				`" (UniqueName: "kubernetes.io/csi/d^h") from node "n2" Volume is already exclusively attached to node n1 and can't be attached to `+
				`another`+"\n") + `,"stream":"stderr","time":"2022-04-06T06:39:08.1Z"}` + "\n",
		"sentence.md":   "web can not start since " + formsReport + ", so what now?\n",
		"events.csv":    "time,message\n2024-05-01T10:00:00Z,\"" + strings.ReplaceAll(formsReport, `"`, `""`) + "\"\n",
		"fragment.json": `"reason": "FailedAttachVolume", "message": ` + quoted(formsReport) + `, `,
		"controller.log": "2024-05-01T10:00:00Z\tDEBUG\tevents\tWarning\t{\"object\": " +
			"{\"kind\":\"Pod\",\"namespace\":\"shop\",\"name\":\"db-0\"}, \"reason\": \"FailedAttachVolume\", \"message\": " + quoted(formsReport) +
			"}\n",
	}
}

// inUTF16 is a text as PowerShell writes it, low byte first, with its byte order mark or without.
func inUTF16(text string, mark bool) []byte {
	var out []byte
	if mark {
		out = []byte{0xff, 0xfe}
	}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// Each form gives the volume, with line ends of Windows, in UTF-16 and behind a byte order mark, too.
func TestForms(t *testing.T) {
	for name, text := range forms() {
		for encoding, data := range map[string][]byte{
			"plain": []byte(text), "crlf": []byte(strings.ReplaceAll(text, "\n", "\r\n")), "bom": []byte("\xef\xbb\xbf" + text),
			"utf-16": inUTF16(text, true), "utf-16 without mark": inUTF16(text, false),
		} {
			s := readFS(t, fstest.MapFS{name: {Data: data}})
			if got := reports(s); !slices.Equal(got, []string{formsVolume}) {
				t.Errorf("%s, %s: %q, %+v", name, encoding, got, s.Problems)
			}
		}
	}
}

// What programs in pods write about the error is no evidence, whatever marks stand around it.
func TestFormsOfPods(t *testing.T) {
	for _, name := range []string{"sentence.md", "saved.html", "ansible.json"} {
		text := forms()[name]
		s := readFS(t, fstest.MapFS{"mg/namespaces/shop/pods/bot-0/bot/bot/logs/current.log": {Data: []byte(text)}})
		if got := reports(s); len(got) > 0 {
			t.Errorf("%s in a pod's log: %q", name, got)
		}
	}
}

// A file that speaks of it in other words is named with its line, on the first screen as well unless the bundle shows a wait.
func TestNotUnderstood(t *testing.T) {
	const talk = "Hello,\nthe Multi-Attach problem, once more.\n"
	named := func(s *model.Snapshot) (model.Problem, bool) {
		i := slices.IndexFunc(s.Problems, func(p model.Problem) bool { return p.Path == "mail.txt" && p.Line == 2 })
		if i < 0 {
			return model.Problem{}, false
		}
		return s.Problems[i], true
	}
	s := readFS(t, fstest.MapFS{"mail.txt": {Data: []byte(talk)}})
	if p, ok := named(s); !ok || p.Severity != model.Warning || len(s.Unreadable) != 1 || len(reports(s)) != 0 {
		t.Errorf("%+v %+v", s.Problems, s.Unreadable)
	}
	s = readFS(t, fstest.MapFS{"mail.txt": {Data: []byte(talk)}, "describe.txt": {Data: []byte(formsDescribe)}})
	if p, ok := named(s); !ok || p.Severity != model.Info || len(s.Unreadable) != 0 {
		t.Errorf("beside a wait: %+v %+v", s.Problems, s.Unreadable)
	}
	for path, text := range map[string]string{
		"mail.txt": "Hello,\nafter the upgrade pods wait for volumes.\n",
		"mg/namespaces/shop/pods/bot-0/bot/bot/logs/current.log": talk,
	} {
		if s := readFS(t, fstest.MapFS{path: {Data: []byte(text)}}); len(s.Problems) != 0 || len(s.Unreadable) != 0 {
			t.Errorf("%s: %+v %+v", path, s.Problems, s.Unreadable)
		}
	}
}

// What stands for a name is no name: a shortened one is completed where one volume alone begins so.
func TestPlaceholders(t *testing.T) {
	report := func(volume, pod string) string {
		return `Multi-Attach error for volume "` + volume + `" Volume is already used by pod(s) ` + pod + "\n"
	}
	const named = "csi-0000000000000000000000000000000000000000000000000000000000000000   d.example.com   " + formsVolume +
		"   worker-1   true   3d\n"
	for name, c := range map[string]struct{ text, want string }{
		"dots":             {report("pvc-...", "a-859cb75f69-6rkhz"), "pvc-…"},
		"crosses":          {report("pvc-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "a-859cb75f69-6rkhz"), "pvc-…"},
		"brackets":         {report("<name>", "a-859cb75f69-6rkhz"), "pvc-…"},
		"shortened":        {report("pvc-087a37dd-...", "a-859cb75f69-6rkhz"), "pvc-087a37dd…"},
		"completed":        {report("pvc-3f1c0d5e...", "a-859cb75f69-6rkhz") + "\n" + named, formsVolume},
		"another":          {report("pvc-087a37dd...", "a-859cb75f69-6rkhz") + "\n" + named, "pvc-087a37dd…"},
		"two of anything":  {report("pvc-...", "a-859cb75f69-6rkhz") + "\n" + report("pvc-...", "b-859cb75f69-wl7tp"), "pvc-…,"},
		"a name with an x": {report("maxxx-data", "a-859cb75f69-6rkhz"), "maxxx-data"},
		"a name":           {report(formsVolume, "a-859cb75f69-6rkhz"), formsVolume},
	} {
		if got := strings.Join(reports(readFS(t, fstest.MapFS{"a.txt": {Data: []byte(c.text)}})), ","); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A pod without its namespace is the one of that generated name; other names may be in several namespaces.
func TestNamespaceOfGeneratedNames(t *testing.T) {
	rows := func(pod string) string {
		return "NAME                       READY   STATUS              RESTARTS   AGE   IP       NODE       NOMINATED NODE   READINESS GATES\n" +
			pod + "   0/1     ContainerCreating   0          6m    <none>   worker-2   <none>           <none>\n"
	}
	for pod, want := range map[string]string{"shop-db-859cb75f69-6rkhz": "shop", "shop-db-859cb75f69-wl7tp": "", "shop-db-0": ""} {
		described := formsDescribe
		if pod == "shop-db-0" {
			described = strings.ReplaceAll(described, "shop-db-859cb75f69-6rkhz", pod)
		}
		s := readFS(t, fstest.MapFS{"describe.txt": {Data: []byte(described)}, "pods.txt": {Data: []byte(rows(pod))}})
		found := false
		for _, o := range s.Observations {
			if o.Input == "pods.txt" {
				found = true
				if o.Pod.Name != pod || o.Pod.Namespace != want {
					t.Errorf("%s: %+v, want namespace %q", pod, o.Pod, want)
				}
			}
		}
		said := slices.ContainsFunc(s.Problems, func(p model.Problem) bool { return strings.Contains(p.Message, "generated name") })
		if !found || said != (want != "") {
			t.Errorf("%s: %v %v", pod, found, s.Problems)
		}
	}
}
