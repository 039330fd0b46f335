package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/mask"
	"github.com/volpost/volpost/samples/recordings"
)

// wrap writes each line of a log inside something else.
func wrap(log string, line func(string) string) string {
	var b strings.Builder
	for l := range strings.Lines(log) {
		b.WriteString(line(strings.TrimSuffix(l, "\n")))
	}
	return b.String()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func indent(s string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(s), "", "  ") != nil {
		return s
	}
	return b.String() + "\n"
}

// cri cuts a line into pieces of n bytes, as a container runtime does.
func cri(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		fmt.Fprintf(&b, "2026-03-14T09:33:01.104211000Z stdout P %s\n", s[:n])
		s = s[n:]
	}
	fmt.Fprintf(&b, "2026-03-14T09:33:01.104211000Z stdout F %s\n", s)
	return b.String()
}

func list(open, closed string, log string, line func(string) string) string {
	return open + strings.TrimSuffix(wrap(log, func(s string) string { return line(s) + "," }), ",") + closed
}

func plain(s string) string { return s }

// forms are the ways in which an audit log reaches us.
var forms = []struct {
	name string
	form func(log string) string
}{
	{"as it is", plain},
	{"with a byte order mark and carriage returns", func(log string) string { return "\xef\xbb\xbf" + strings.ReplaceAll(log, "\n", "\r\n") }},
	{"oc adm node-logs", func(log string) string { return wrap(log, func(s string) string { return "master-0 " + s + "\n" }) }},
	{"aws logs tail", func(log string) string {
		return wrap(log, func(s string) string {
			return "2026-03-14T09:33:01+00:00 kube-apiserver-audit-0a1b2c3d4e5f60718293a4b5c6d7e8f9 " + s + "\n"
		})
	}},
	{"container runtime", func(log string) string { return wrap(log, func(s string) string { return cri(s, 16<<10) }) }},
	{"container runtime, cut lines", func(log string) string { return wrap(log, func(s string) string { return cri(s, 300) }) }},
	{"docker", func(log string) string {
		return wrap(log, func(s string) string {
			return `{"log":` + quote(s+"\n") + `,"stream":"stdout","time":"2026-03-14T09:33:01.2Z"}` + "\n"
		})
	}},
	{"AKS storage account", func(log string) string {
		return wrap(log, func(s string) string {
			return `{"category":"kube-audit","properties":{"log":` + quote(s+"\n") + `,"stream":"stdout"},"time":"2026-03-14T09:33:01.2Z"}` + "\n"
		})
	}},
	{"AKS event hub", func(log string) string {
		return list(`{"records":[`, "]}\n", log, func(s string) string {
			return `{"category":"kube-audit","properties":{"log":` + quote(s) + `}}`
		})
	}},
	{"Log Analytics", func(log string) string {
		return list(`[`, "]\n", log, func(s string) string { return `{"Category":"kube-audit","log_s":` + quote(s) + `}` })
	}},
	{"CloudWatch events", func(log string) string {
		return list(`{"events":[`, `],"searchedLogStreams":[{"logStreamName":"x"}]}`, log, func(s string) string {
			return `{"logStreamName":"kube-apiserver-audit-0a","timestamp":1773480781104,"message":` + quote(s) + `}`
		})
	}},
	{"CloudWatch events, indented", func(log string) string {
		return indent(list(`{"events":[`, `]}`, log, func(s string) string { return `{"message":` + quote(s) + `}` }))
	}},
	{"Insights", func(log string) string {
		return list(`{"results":[`, `]}`, log, func(s string) string {
			return `[{"field":"@timestamp","value":"2026-03-14 09:33:01.104"},{"field":"@message","value":` + quote(s) + `}]`
		})
	}},
	{"EventList", func(log string) string {
		return list(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[`, "]}\n", log, plain)
	}},
	{"EventList, indented", func(log string) string {
		return indent(list(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[`, "]}\n", log, plain))
	}},
	{"array", func(log string) string { return list("[\n", "]\n", log, plain) }},
	{"each event indented", func(log string) string { return wrap(log, indent) }},
	{"Elasticsearch", func(log string) string {
		return list(`{"took":1,"hits":{"total":{"value":2},"hits":[`, `]}}`, log,
			func(s string) string { return `{"_index":"audit","_source":` + s + `}` })
	}},
	{"Loki", func(log string) string {
		return list(`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"app":"kube-apiserver"},"values":[`,
			`]}],"stats":{}}}`+"\n", log, func(s string) string {
				return `["1773480781104000000",` + quote(s) + `]`
			})
	}},
	{"Log Analytics, a table of its own", func(log string) string { return list("[", "]\n", log, aksRow) }},
	{"Log Analytics, indented", func(log string) string { return indent(list("[", "]\n", log, aksRow)) }},
	{"docker inside fluentd", func(log string) string {
		return wrap(log, func(s string) string {
			return "2026-03-14T09:33:01Z\tkube.audit\t" + `{"message":` + quote(`{"log":`+quote(s)+`}`) + "}\n"
		})
	}},
}

// aksRow is an event as a row of the table AKSAudit, whose columns of dynamic type are strings.
func aksRow(event string) string {
	var e map[string]json.RawMessage
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		panic(err)
	}
	text := func(name string) string {
		var s string
		if json.Unmarshal(e[name], &s) == nil {
			return quote(s)
		}
		return quote(string(e[name]))
	}
	row := "{"
	for column, name := range map[string]string{
		"AuditId": "auditID", "RequestReceivedTime": "requestReceivedTimestamp", "StageReceivedTime": "stageTimestamp",
		"RequestUri": "requestURI", "Level": "level", "Stage": "stage",
		"Verb": "verb", "User": "user", "UserAgent": "userAgent", "ObjectRef": "objectRef", "ResponseStatus": "responseStatus",
		"RequestObject": "requestObject", "ResponseObject": "responseObject",
	} {
		row += quote(column) + ":" + text(name) + ","
	}
	return row + `"Type":"AKSAudit"}`
}

// Each form of one log says the same as the log itself.
func TestForms(t *testing.T) {
	log := ev("get", podRef) + ev("delete", vaRef, "responseObject", vaGoing) + ev("patch", vaRef, "requestObject",
		`{"metadata":{"finalizers":null}}`, "responseObject", vaBare) +
		ev("delete", podRef, "requestObject", `{"gracePeriodSeconds":0}`) + ev("delete", podRef, "responseStatus", `{"code":404}`)
	const want = "attachment-deletion-requested csi-0c7e on worker-1; attachment-gone csi-0c7e on worker-1 (last finalizer removed); " +
		"pod-deletion-requested shop/db-0 (grace 0s)"
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			text := f.form(log)
			if !Sniff([]byte(text)) {
				t.Error("not recognised")
			}
			res := Read(strings.NewReader(text), "x")
			if got := say(res.Observations); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if len(res.Problems) > 0 || res.Input.Used != 3 || res.Input.Bytes != int64(len(text)) || res.Input.From == nil {
				t.Errorf("%+v, problems %v", res.Input, res.Problems)
			}
			lines := strings.SplitAfter(text, "\n")
			for _, o := range res.Observations {
				rest := strings.Join(lines[o.Source.Line-1:], "")
				if first, _, _ := strings.Cut(rest, "\n"); !holds(first, strings.SplitN(o.Quote.Text, "\n", 2)[0]) || !holds(rest, o.Quote.Text) {
					t.Errorf("%s: quote %q is not on line %d", o.Kind, o.Quote.Text, o.Source.Line)
				}
			}
		})
	}
}

const google = `{"insertId":"i","logName":"projects/p/logs/cloudaudit.googleapis.com%%2Factivity","timestamp":"2026-03-14T09:33:01.104211Z",%s
"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","methodName":"io.k8s.%s","resourceName":"%s",
"authenticationInfo":{"principalEmail":"alice@example.com"},"requestMetadata":{"callerSuppliedUserAgent":"kubectl/v1.33.1 (darwin/arm64)"},%s}}
`

// Google's entries have no objectRef, no verb and no HTTP status.
func TestGoogle(t *testing.T) {
	for _, c := range []struct{ name, log, want string }{
		{"deletion", fmt.Sprintf(google, "", "storage.v1.volumeattachments.delete", "storage.k8s.io/v1/volumeattachments/csi-0c7e",
			`"status":{"code":0},"response":`+vaGoing), "attachment-deletion-requested csi-0c7e on worker-1"},
		{"binding", fmt.Sprintf(google, "", "core.v1.pods.binding.create", "core/v1/namespaces/shop/pods/db-0/binding",
			`"request":{"target":{"kind":"Node","name":"worker-2"}}`), "pod-scheduled shop/db-0 on worker-2"},
		{"force deletion, number as text",
			fmt.Sprintf(google, "", "core.v1.pods.delete", "core/v1/namespaces/shop/pods/db-0", `"request":{"gracePeriodSeconds":"0"}`),
			"pod-deletion-requested shop/db-0 (grace 0s)"},
		{"creation, named by its answer",
			fmt.Sprintf(google, "", "core.v1.pods.create", "core/v1/namespaces/shop/pods", `"response":{"metadata":{"name":"db-x"}}`),
			"pod-created shop/db-x"},
		{"node", fmt.Sprintf(google, `"operation":{"first":true,"last":true},`, "core.v1.nodes.delete", "core/v1/nodes/worker-1", `"status":{}`),
			"node-deleted worker-1"},
		{"failure", fmt.Sprintf(google, "", "core.v1.nodes.delete", "core/v1/nodes/worker-1", `"status":{"code":5}`), ""},
		{"not yet done", fmt.Sprintf(google, `"operation":{"first":true},`, "core.v1.nodes.delete", "core/v1/nodes/worker-1", `"status":{}`), ""},
		{"another API", strings.Replace(fmt.Sprintf(google, "", "core.v1.nodes.delete", "core/v1/nodes/worker-1", `"status":{}`),
			"io.k8s.core.v1.nodes.delete", "google.container.v1.ClusterManager.DeleteNodePool", 1), ""},
		{"another group", fmt.Sprintf(google, "", "metrics.v1.nodes.delete", "metrics.k8s.io/v1/nodes/worker-1", `"status":{}`), ""},
	} {
		oneLine := strings.ReplaceAll(strings.TrimSpace(c.log), "\n", "") + "\n"
		for name, text := range map[string]string{"lines": oneLine, "array": "[" + c.log + "]", "indented": indent("[" + c.log + "]")} {
			if c.want != "" && !Sniff([]byte(text)) {
				t.Errorf("%s as %s: not recognised", c.name, name)
			}
			res := Read(strings.NewReader(text), "x")
			if got := say(res.Observations); got != c.want || len(res.Problems) > 0 {
				t.Errorf("%s as %s: got %s, want %s; %v", c.name, name, got, c.want, res.Problems)
			}
			for _, o := range res.Observations {
				if o.Actor != "alice@example.com" || o.Agent != "kubectl/v1.33.1" || o.At.At.Format("05.000000") != "01.104211" ||
					!o.At.Earliest.Before(o.At.At) {
					t.Errorf("%s as %s: %q %q %+v", c.name, name, o.Actor, o.Agent, o.At)
				}
			}
		}
	}
}

func TestSniff(t *testing.T) {
	for name, text := range map[string]string{
		"a Policy":               "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []\n",
		"a Policy in JSON":       `{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[]}`,
		"a Kubernetes Event":     `{"kind":"Event","apiVersion":"v1","metadata":{"name":"a.1"}}`,
		"a list of Events":       `{"kind":"EventList","apiVersion":"events.k8s.io/v1","items":[]}`,
		"YAML that quotes one":   "apiVersion: v1\nkind: ConfigMap\ndata:\n  x: " + ev("get", podRef),
		"flags of an API server": "I0314 09:26:53.841223       1 flags.go:64] FLAG: --audit-log-version=\"audit.k8s.io/v1\"\n",
		"Google's other entries": `[{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog",` +
			`"methodName":"v1.compute.instances.delete"}}]`,
		"nothing": "",
	} {
		if Sniff([]byte(text)) {
			t.Errorf("%s is taken for an audit log", name)
		}
	}
	for name, text := range map[string]string{
		"a head that ends inside": ev("get", podRef)[:200],
		"members in order":        `{"annotations":{},"apiVersion":"audit.k8s.io/v1","auditID":"x","kind":"Event","level":"Metadata"}`,
		"after other lines":       "I0314 09:26:53.841223       1 server.go:1] starting\n" + ev("get", podRef),
		"an older version":        `{"kind":"Event","apiVersion":"audit.k8s.io/v1beta1"}`,
	} {
		if !Sniff([]byte(text)) {
			t.Errorf("%s is not recognised", name)
		}
	}
}

// The collected examples of each envelope say what stands in them.
func TestFormatExamples(t *testing.T) {
	forms, err := recordings.Formats()
	if err != nil {
		t.Fatal(err)
	}
	const held = "attachment-deletion-requested csi-0c7e on worker-1"
	for name, want := range map[string]string{
		"aks-kube-audit.json": held, "gke-audit.json": held,
		"kube-apiserver-audit.log": held + "; attachment-deletion-requested csi-1d2e",
	} {
		data, err := fs.ReadFile(forms, "audit/"+name)
		if err != nil {
			t.Fatal(err)
		}
		res := Read(bytes.NewReader(data), name)
		if got := say(res.Observations); !Sniff(data) || got != want || len(res.Problems) > 0 {
			t.Errorf("%s: got %s, want %s; %v", name, got, want, res.Problems)
		}
		for _, o := range res.Observations {
			if o.Actor != "system:serviceaccount:kube-system:attachdetach-controller" || o.At.At.Format("15:04:05.0") != "09:33:01.1" ||
				o.Source.Kind != model.SourceAudit {
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
}

// holds tells whether a text has a quote in it, all of it but what is masked.
func holds(text, quote string) bool {
	for part := range strings.SplitSeq(quote, mask.Masked) {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}
