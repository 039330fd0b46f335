package redact

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/volpost/volpost/model"
)

// plainReport has names that the tests below use.
func plainReport(texts ...string) *model.Report {
	r := &model.Report{Schema: model.SchemaVersion, Incidents: []model.Incident{{
		ID: "i-0123456789ab", Volume: model.IncidentVolume{PersistentVolume: "pvc-1", VolumeHandle: "vol-0a1b2c3d", Driver: "ebs.csi.aws.com",
			UniqueName: "kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b2c3d",
			Claim:      &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data-db-0"}},
		From: model.Place{Node: "worker-1", Pods: []model.Ref{{Kind: "Pod", Namespace: "shop", Name: "db-0"}}}, To: model.Place{Node: "worker-2"},
		Workload: &model.Ref{Kind: "StatefulSet", Namespace: "shop", Name: "db"},
	}}, Findings: []model.Finding{{Objects: []model.Ref{{Kind: "Deployment", Namespace: "shop", Name: "reports"}},
		Text: "Deployment reports reports nothing"}}}
	for _, text := range texts {
		r.Evidence = append(r.Evidence, model.Evidence{Text: text})
	}
	return r
}

// TestQuotes redacts one line each: what has to be gone, and what has to stay.
func TestQuotes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		gone, stay []string
	}{
		{"klog", `I1121 06:12:40.084123    1 reconciler.go:276] "Multi-Attach error: volume is already used by pods" pods=["shop/db-0"] ` +
			`attachedTo=["worker-1"]`,
			[]string{"shop", "db-0", "worker"},
			[]string{`I1121 06:12:40.084123    1 reconciler.go:276] "Multi-Attach error: volume is already used by pods" pods=["`, "-0\"]"}},
		{"a pod that is nowhere else", `"Deleted" pod="billing/invoice-7f9c6d5b8-x2x4z" node="gpu-a"`,
			[]string{"billing", "invoice", "7f9c6d5b8", "x2x4z", "gpu"}, []string{`"Deleted" pod="`}},
		{"a name that is a word", `namespace="storage" pod="storage/volume" name: node`, []string{`"storage`, `/volume"`, "name: node"}, nil},
		{"the same words in a sentence", `storage of the volume on a node`, nil, []string{"storage of the volume on a node"}},
		{"addresses", `dial 10.1.22.3:443, [fd00:1::2]:80, 52:54:00:ab:cd:ef, ip-10-1-22-3.ec2.internal`,
			[]string{"10.1.22.3", "fd00:1", "52:54:00", "10-1-22-3"}, []string{":443", "ip-", ".ec2.internal"}},
		{"no addresses", `06:12:40 v1.34.3 0.0.0.0:80 127.0.0.1 ::1 10m0.5s 2026-11-21T06:12:40Z`, nil,
			[]string{`06:12:40 v1.34.3 0.0.0.0:80 127.0.0.1 ::1 10m0.5s 2026-11-21T06:12:40Z`}},
		{"clouds", `arn:aws:iam::123456789012:role/admin projects/acme/zones/eu-a/disks/pvc-9 i-0abcdef1234567890 ` +
			`/subscriptions/sub/resourceGroups/storage/providers/x`,
			[]string{"123456789012", "admin", "acme", "eu-a", "0abcdef1234567890", "/storage/", "pvc-9"},
			[]string{"arn:aws:iam::", ":role/", "projects/", "i-"}},
		{"people", `user="alice" by bob@example.org "username":"carol"`, []string{"alice", "bob", "example", "carol"}, []string{".org"}},
		{"service accounts", `system:serviceaccount:kube-system:attachdetach-controller system:node:worker-1`, []string{"worker"},
			[]string{`system:serviceaccount:kube-system:attachdetach-controller system:node:`}},
		{"images", `image: registry.acme.internal/team/nginx@sha256:` + strings.Repeat("ab", 32), []string{"acme", "team", "nginx", "abab"},
			[]string{"@sha256:"}},
		{"a replica set", `orders-56659c7b56-whct6`, []string{"orders", "56659c7b56", "whct6"}, nil},
		{"capitals", `WORKER-1 Worker-1`, []string{"WORKER", "Worker"}, []string{"-1"}},
		{"encoded", `c2hvcC9kYi0wCg== shop%2Fdb-0 \u0073hop`, []string{"c2hvcC9kYi0w", "shop%2F", "shop"}, nil},
		{"escapes", `\nworker-1\tshop\n10.1.2.3`, []string{"worker", "shop", "10.1.2.3"}, []string{`\n`, `\t`}},
		{"what can be an escape", `\xabshop \u1abcshop \101shop`, []string{"shop"}, []string{`\xab`, `\u1abc`, `\101`}}, // docs/redaction.md
		{"other letters", `pod="店舗/数据-0"`, []string{"店舗", "数据"}, []string{`pod="`}},
		{"compounds of the vocabulary",
			`namespace="log-analytics" pod="attach-detach/node-deleted" node="storage-3" persistentvolumeclaim="default-class"`,
			[]string{"log", "analytics", "attach", "deleted", "storage", "default", "class"}, []string{`namespace="`, `-3"`}},
		{"the same compounds elsewhere", `attach-detach of log-analytics, node-deleted, kubernetes.io/hostname`, nil,
			[]string{`attach-detach of log-analytics, node-deleted, kubernetes.io/hostname`}},
		{"namespaces of every cluster",
			`pod="default/web" namespace="kube-system" pod="kube-system/kube-controller-manager-storage-3" ` +
				`system:serviceaccount:kube-system:job-controller`,
			[]string{"web", "storage"}, []string{`"default/`, `"kube-system"`, `"kube-system/kube-controller-manager-`,
				`:kube-system:job-controller`}},
		{"which are names elsewhere", `node="default" pod="shop/etcd" pvc="shop/kube-system" namespace="etcd" pod="shop/kube-proxy-web" ` +
			`pod="shop/log"`,
			[]string{`"default`, "etcd", "kube-", "web", "log"}, nil},
		{"accounts of service", `"username":"system:serviceaccount:storage:log-analytics"`, []string{"storage", "log", "analytics"},
			[]string{`"system:serviceaccount:`}},
		{"identities", `holderIdentity: vm_5d3a0c6e-1b2f-4c8a-9e7d-0a1b2c3d4e5f`, []string{"vm", "5d3a0c6e"}, []string{"holderIdentity: "}},
		{"leaders", `storage became leader; web_1 stopped leading; storage became ready`, []string{"storage became leader", "web"},
			[]string{" became leader; ", " stopped leading; storage became ready"}},
		{"hashes of templates", `pod-template-hash=5669754656 "controller-revision-hash":"7654321" log-5669754656-x2x4z`,
			[]string{"5669754656", "7654321", "x2x4z"}, []string{"pod-template-hash=", "controller-revision-hash"}},
		{"files", `logs/kubelet-storage-3.log /var/log/pods/log-analytics_web-0_5d3a0c6e-1b2f-4c8a-9e7d-0a1b2c3d4e5f/storage/0.log`,
			[]string{"storage-3", "analytics", "web", "5d3a0c6e"}, []string{".log", "/var/log/pods/"}},
		{"mounts", `/var/lib/kubelet/pods/5d3a0c6e-1b2f-4c8a-9e7d-0a1b2c3d4e5f/volumes/kubernetes.io~csi/data/mount ` +
			`plugins/kubernetes.io/csi/pv/log-analytics/globalmount`,
			[]string{"5d3a0c6e", "data", "analytics"},
			[]string{"/volumes/kubernetes.io~csi/", "/mount", "plugins/kubernetes.io/csi/pv/", "/globalmount"}},
		{"links", `Get "https://storage:6443/api/v1/namespaces/log-analytics/pods/web?fieldSelector=spec.nodeName=storage&namespace=data" ` +
			`key="storage/web"`,
			[]string{"storage", "analytics", "web", "=data"},
			[]string{`"https://`, `:6443/api/v1/namespaces/`, `/pods/`, `?fieldSelector=spec.nodeName=`}},
		{"errors", `pods "web" not found; node "storage-3" is gone; User "data" cannot get; namespaces "log-analytics" not found, ` +
			`statefulsets.apps "web" too; pods ["web" "data"]`,
			[]string{"web", "storage", "data", "analytics"},
			[]string{`pods "`, `" not found; node "`, `" is gone; User "`, `" cannot get; namespaces "`}},
		{"in capitals", `NODE="STORAGE-3" NAMESPACE="LOG-ANALYTICS"`, []string{"STORAGE", "ANALYTICS", "LOG"}, []string{`NODE="`}},
		{"drivers", `driver="ebs.csi.aws.com" attacher="csi.storage.internal" driver="storage"`, []string{"csi.storage", `"storage"`},
			[]string{`"ebs.csi.aws.com"`}},
		{"ends of hosts", `host="web.storage.svc.cluster.local" node="cluster" host="log.internal"`,
			[]string{"web", "storage", `"cluster"`, "log"}, []string{".svc.cluster.local", ".internal"}},
		{"one character", `node="a" pod="b/c-0" pod="b/d" node="7" user="Q"`, []string{`"a"`, `"b`, `/c`, `/d`, `"7"`, `"Q"`}, []string{`-0" pod="`}},
		{"a name of which one character is left", `"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r`, []string{`"r`},
			[]string{`"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"`}},
		{"masked", `--token=[masked]`, nil, []string{`--token=[masked]`}},
	} {
		out, key := Of(plainReport(c.text))
		got := out.Evidence[0].Text
		for _, gone := range c.gone {
			if strings.Contains(got, gone) {
				t.Errorf("%s: %s is in %s", c.name, gone, got)
			}
		}
		for _, stay := range c.stay {
			if !strings.Contains(got, stay) {
				t.Errorf("%s: %s is not in %s", c.name, stay, got)
			}
		}
		if !strings.Contains(c.name, "one character") && utf8.RuneCountInString(got) != utf8.RuneCountInString(c.text) {
			t.Errorf("%s: another length: %s", c.name, got)
		}
		if back, err := key.Text(got); err != nil || back != c.text {
			t.Errorf("%s: comes back as %s (%v)", c.name, back, err)
		}
	}
}

// TestNamesOfOneCharacter wants many of them to come back.
func TestNamesOfOneCharacter(t *testing.T) {
	for _, text := range []string{`node="a" node="à" x é ö "É"`, `nodes="` + strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", ""), `","`) + `"`} {
		out, key := Of(plainReport(text))
		if got := out.Evidence[0].Text; strings.Contains(got, `"a"`) || strings.Contains(got, `"J"`) {
			t.Errorf("%s became %s", text, got)
		} else if back, err := key.Text(got); err != nil || back != text {
			t.Errorf("%s became %s and comes back as %s (%v)", text, got, back, err)
		}
	}
}

// TestRelations wants pieces that names share to stay shared.
func TestRelations(t *testing.T) {
	out, _ := Of(plainReport("WORKER-1 Worker-1 worker-1", "10.1.2.3 10-1-2-3"))
	i := out.Incidents[0]
	db := i.Workload.Name
	if i.From.Pods[0].Name != db+"-0" || !strings.HasSuffix(i.Volume.Claim.Name, "-"+db+"-0") ||
		i.From.Pods[0].Namespace != i.Workload.Namespace {
		t.Errorf("%+v", i)
	}
	if strings.TrimSuffix(i.From.Node, "-1") != strings.TrimSuffix(i.To.Node, "-2") ||
		i.Volume.UniqueName != model.UniqueCSIName(i.Volume.Driver, i.Volume.VolumeHandle) {
		t.Errorf("%+v", i)
	}
	words := strings.Fields(out.Evidence[0].Text)
	if words[0] != strings.ToUpper(words[2]) || strings.ToLower(words[1]) != words[2] || words[2] != i.From.Node {
		t.Errorf("%q", words)
	}
	if ip := strings.Fields(out.Evidence[1].Text); strings.ReplaceAll(ip[0], ".", "-") != ip[1] {
		t.Errorf("%q", ip)
	}
}

// TestSentences wants a word that is also a name to stay a word in sentences about something else.
func TestSentences(t *testing.T) {
	r := plainReport()
	r.Incidents[0].Causes = []model.Cause{{Summary: "The node reports the unmount of worker-1."}}
	out, _ := Of(r)
	if got := out.Incidents[0].Causes[0].Summary; !strings.HasPrefix(got, "The node reports the unmount of ") ||
		strings.Contains(got, "worker") {
		t.Error(got)
	}
	if got := out.Findings[0].Text; strings.Contains(got, "reports") || !strings.HasPrefix(got, "Deployment ") {
		t.Error(got)
	}
}

// TestFieldsOfNames wants nothing to stay of a name in a field that holds one, here and wherever it stands.
func TestFieldsOfNames(t *testing.T) {
	for _, name := range []string{"log-analytics", "default", "data", "web", "node", "node-deleted", "storage-3", "kube-system",
		"ebs.csi.aws.com", "worker", "worker-1", "pod-template-hash",
		"vm-1", "csi", "pvc", "cluster.local", "disk-image", "kube-controller-manager-0", "etcd", "log", "12345", "5669754656", "root", "true",
		"none"} {
		r := plainReport("it is "+name+" here", "a/"+name+"/b.yaml", strings.ToUpper(name))
		r.Incidents[0].From.Node, r.Incidents[0].Workload.Name, r.Incidents[0].Volume.PersistentVolume = name, name, name
		r.Incidents[0].From.Pods[0].Name, r.Incidents[0].Volume.Claim.Name = name, name
		r.Incidents[0].Causes = []model.Cause{{Summary: "Nobody asked shop/" + name + " for kubelet-" + name + ".log."}}
		out, key := Of(r)
		i := out.Incidents[0]
		for _, got := range []string{i.From.Node, i.Workload.Name, i.Volume.PersistentVolume, i.From.Pods[0].Name, i.Volume.Claim.Name,
			out.Evidence[0].Text[6:], strings.TrimSuffix(out.Evidence[1].Text[1:], ".yaml"), strings.ToLower(out.Evidence[2].Text),
			strings.TrimSuffix(i.Causes[0].Summary[12:], ".log.")} {
			for _, p := range segments(name) {
				if p.run && (len(p.text) > 3 || classOf(p.text) != digits) && len(p.text) > 1 && !endings[p.text] &&
					slices.Contains(segments(strings.Trim(got, "/. ")), p) {
					t.Errorf("%s of %s stays in %q", p.text, name, got)
				}
			}
			if strings.Contains(got, name) {
				t.Errorf("%s stays in %q", name, got)
			}
		}
		if back, err := key.Report(out); err != nil || back.Incidents[0].Causes[0].Summary != r.Incidents[0].Causes[0].Summary ||
			back.Incidents[0].From.Node != name {
			t.Errorf("%s comes back as %q", name, back.Incidents[0].From.Node)
		}
	}
}

// TestPaths wants of a path only what collectors call their files to stay.
func TestPaths(t *testing.T) {
	for path, want := range map[string]string{
		"mg/namespaces/shop/core/events.yaml":   "/namespaces/nsaa/core/events.yaml",
		"storage/node-deleted/log-analytics.gz": ".gz",
		"logs/metrics/kube_pod_info.json":       "logs/metrics/kube_pod_info.json",
		"before.json":                           ".json",
	} {
		r := plainReport()
		r.Bundle.Inputs = []model.Input{{Path: path}}
		out, key := Of(r)
		got := out.Bundle.Inputs[0].Path
		if back, err := key.Text(got); err != nil || back != path || !strings.HasSuffix(got, want) || strings.ContainsAny(path[:2], "sb") &&
			regexp.MustCompile("storage|deleted|before|log-").MatchString(got) {
			t.Errorf("%s became %s and comes back as %s (%v)", path, got, back, err)
		}
	}
}

// TestPrefixes wants names of which one begins with the other to be told apart, and to come back.
func TestPrefixes(t *testing.T) {
	text := `node="db" node="db-data" node="db-data-0" pod="db/db-data-0-x" nodes="dbs"`
	out, key := Of(plainReport(text))
	names := regexp.MustCompile(`"[^"]+"`).FindAllString(out.Evidence[0].Text, -1)
	slices.Sort(names)
	if len(slices.Compact(names)) != 5 || strings.Contains(out.Evidence[0].Text, "db") {
		t.Errorf("%q", out.Evidence[0].Text)
	}
	if back, err := key.Text(out.Evidence[0].Text); err != nil || back != text {
		t.Errorf("%q comes back as %q (%v)", text, back, err)
	}
}

// TestSystem wants what every cluster runs to keep its name, and nothing else that is called so.
func TestSystem(t *testing.T) {
	r := plainReport()
	r.Graph.Nodes = []model.GraphNode{{Kind: "Pod", Namespace: "kube-system", Name: "kube-controller-manager-storage-3"},
		{Kind: "Pod", Namespace: "shop", Name: "kube-proxy-web"}, {Kind: "CSIDriver", Name: "ebs.csi.aws.com"}}
	out, _ := Of(r)
	names := out.Graph.Nodes
	if names[0].Namespace != "kube-system" || !strings.HasPrefix(names[0].Name, "kube-controller-manager-") || strings.Contains(names[0].Name,
		"storage") || strings.Contains(names[1].Name, "proxy") || names[2].Name != "ebs.csi.aws.com" {
		t.Errorf("%+v", names)
	}
}

// TestSentencesOfQuotes wants what was a name in a quote, or is a part of one, to be none of a sentence's words.
func TestSentencesOfQuotes(t *testing.T) {
	r := plainReport(`namespace="log-analytics"`, "etcd-worker")
	r.Incidents[0].From.Node, r.Incidents[0].To.Node = "storage", "etcd"
	r.Incidents[0].Causes = []model.Cause{{Summary: "For log-analytics the kubelet-storage and reports-7654321 wait by force-deleted pods."}}
	out, _ := Of(r)
	got := out.Incidents[0].Causes[0].Summary + out.Evidence[1].Text
	if regexp.MustCompile("log|analytics|storage|7654321|etcd").MatchString(got) || !strings.Contains(got, " wait by force-deleted pods.") {
		t.Error(got)
	}
}

// TestOtherAnswers takes the names out of what other commands answer.
func TestOtherAnswers(t *testing.T) {
	diff, _ := Of(&model.Diff{Before: model.DiffSide{Name: "storage/a.json"}, Attachments: []model.AttachmentChange{{
		Before: &model.AttachmentState{Name: "log", Node: "storage", Volume: "kubernetes.io/csi/ebs.csi.aws.com^web", Error: `node="data"`},
	}}, Incidents: []model.IncidentChange{{After: &model.IncidentDigest{Volume: "kube-system/web", From: "storage"},
		Text: "kube-system/web on storage by kubernetes.io/csi"}}})
	state, change := diff.Attachments[0].Before, diff.Incidents[0]
	if all := state.Name + state.Node + state.Volume + state.Error + change.After.Volume + change.After.From + change.Text +
		diff.Before.Name; regexp.MustCompile("log|storage|web|data").MatchString(all) ||
		change.Text[:12] != "kube-system/" || change.Text[len(change.Text)-17:] != "kubernetes.io/csi" {
		t.Errorf("%q", all)
	}
	fleet, key := Of(&model.Fleet{Causes: []model.FleetCount{{Name: "node-down", Reports: []string{"storage/web.json"}}},
		Clusters: []model.FleetCount{{Name: "storage"}}, Drivers: []model.FleetCount{{Name: "ebs.csi.aws.com"}, {Name: "local"}}})
	if fleet.Causes[0].Name != "node-down" || fleet.Clusters[0].Name == "storage" || fleet.Drivers[0].Name != "ebs.csi.aws.com" ||
		fleet.Drivers[1].Name == "local" || strings.Contains(fleet.Causes[0].Reports[0], "web") {
		t.Errorf("%+v", fleet)
	}
	if back, err := key.Text(fleet.Causes[0].Reports[0]); err != nil || back != "storage/web.json" {
		t.Errorf("%s comes back as %s (%v)", fleet.Causes[0].Reports[0], back, err)
	}
	answer, key := Of(&model.WhatIf{Bundle: "log-analytics.tar", Incident: plainReport().Incidents[0]})
	if answer.Bundle != key.Of || key.Root != "log-analytics.tar" || answer.Incident.From.Node == "worker-1" ||
		answer.Incident.ID == "i-0123456789ab" {
		t.Errorf("%+v", answer)
	}
	scale := model.Incident{Causes: []model.Cause{{Summary: "Deployment billing/gauge-controller was scaled to 0; see deployment/x"}},
		Remediations: []model.Remediation{{Commands: []string{"kubectl scale -n billing deployment/gauge-controller --replicas=1"}}}}
	answer, _ = Of(&model.WhatIf{Incident: scale})
	if all := answer.Incident.Causes[0].Summary + answer.Incident.Remediations[0].Commands[0]; regexp.MustCompile("billing|gauge").MatchString(all) ||
		!strings.Contains(all, "was scaled to 0; see deployment/") {
		t.Errorf("a workload in a command: %q", all)
	}
	objects, _ := Of(&model.Graph{Nodes: []model.GraphNode{{ID: "Node/storage", Kind: "Node", Name: "storage"}},
		Edges: []model.GraphEdge{{From: "Node/storage"}}})
	if objects.Nodes[0].Name == "storage" || objects.Edges[0].From != "Node/"+objects.Nodes[0].Name ||
		objects.Nodes[0].ID != objects.Edges[0].From {
		t.Errorf("%+v", objects)
	}
}

// TestNoGuess wants pseudonyms to depend on the order of names alone: a guessed name gives nothing to compare.
func TestNoGuess(t *testing.T) {
	rename := func(name string) string {
		r := plainReport(`node="` + name + `"`)
		out, _ := Of(r)
		return out.Evidence[0].Text
	}
	if one, other := rename("alpaca-1"), rename("badger-1"); one != other {
		t.Errorf("%s and %s", one, other)
	}
	one, _ := Of(plainReport("x"))
	again, _ := Of(plainReport("x"))
	if one.Bundle.Root != again.Bundle.Root {
		t.Error("two runs differ")
	}
}

func TestKeyRefusesOthers(t *testing.T) {
	r, _ := Of(plainReport("worker-1"))
	_, other := Of(plainReport("another-report-altogether"))
	if _, err := other.Report(r); err != ErrOtherKey {
		t.Errorf("a report of another key: %v", err)
	}
	if _, err := other.Text("bundle " + r.Bundle.Root); err != ErrOtherKey {
		t.Errorf("a text of another key: %v", err)
	}
	if _, err := other.Report(plainReport()); err != ErrOtherKey {
		t.Errorf("a report with its names: %v", err)
	}
	for _, bad := range []string{"", "{}", "[]", `{"schema":"volpost/report/v1"}`, "no json"} {
		if _, err := ReadKey(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

// FuzzComeBack wants any text to come back, and no name of the report to survive in it.
func FuzzComeBack(f *testing.F) {
	for _, seed := range []string{
		"worker-1", `pod="shop/db-0"`, "Worker_1.WORKER", "\\x00a", "\\x0@", `\u00@`, `\01@`, "…worker",
		"a…b", "x\n   worker-1", "10.0.0.1", "fe80::1", "é-É-ß-İ",
		"\xff\xfeworker", "e-0123456789ab", "arn:aws:x/y z",
		"A000000000a0000", "5D3A0C6E-1B2F-4C8A-9E7D-0A1B2C3D4E5F", "5d3a0c6E-1b2f-4c8a-9e7d-0a1b2c3d4e5f", "FE80::1 fe80::1",
		"0A:1b:2C:3D:4E:5F 0A:1B:2C:3D:4E:5F", "E-0123456789AB",
		"1::0 0::1", ":::2 ::7", "1.2.3.4 0.0.0.1.5", "::2 ::1",
		"::2 ::3 ::4 ::5 ::6 ::7 ::8 ::9 ::a ::b ::c ::d ::e ::f ::A ::B ::C ::D ::E ::F",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 4096 {
			return
		}
		out, key := Of(plainReport(text))
		back, err := key.Report(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := back.Evidence[0].Text; got != text {
			t.Errorf("%q became %q and comes back as %q", text, out.Evidence[0].Text, got)
		}
		runs := pieces(out.Evidence[0].Text)
		if slices.ContainsFunc(runs, func(p piece) bool { return p.run && strings.EqualFold(p.text, "worker-1") }) {
			t.Errorf("%q survives as %q", text, out.Evidence[0].Text)
		}
	})
}
