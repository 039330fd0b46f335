package main

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"index/suffixarray"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/volpost/volpost/report"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

// What follows takes the names out of a bundle's files by itself. It knows none of the redactor's lists and none of volpost's
// readers: what both of them overlook would be found by neither.

// nameKeys are fields whose value is a name wherever they stand; namedBelow are those below which a field "name" is one.
var (
	nameKeys = wordSet(`namespace nodeName uid hostname volumeName claimName volumeHandle storageClassName persistentVolumeName podIP hostIP ip providerID systemUUID machineID
		bootID holderIdentity serviceAccountName generateName subdomain username host node pod persistentvolumeclaim persistentvolume volumename instance address driver attacher provisioner`)
	namedBelow = wordSet(`metadata involvedObject claimRef ownerReferences persistentVolumeClaim regarding objectRef subjects nodeRef ` +
		`storageClass`)
	nameLabels = wordSet(`kubernetes.io/hostname app app.kubernetes.io/name app.kubernetes.io/instance k8s-app statefulset.kubernetes.io/pod-name pod-template-hash
		controller-revision-hash topology.kubernetes.io/zone topology.kubernetes.io/region topology.gke.io/zone batch.kubernetes.io/job-name`)
	// logged are names in the text of logs, in audit records and in series, of which the last group is the name.
	logged = regexp.MustCompile(`\b(?:pod|node|nodeName|namespace|volumeName|claimName|instance|persistentvolumeclaim|persistentvolume|` +
		`kubernetes_node|exported_pod|exported_namespace|user|username)"?(?:=|: ?)\\?"([A-Za-z0-9][A-Za-z0-9._/-]*)\\?"`)
	fixed = regexp.MustCompile(`\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,` +
		`3}|csi-[0-9a-f]{64}|(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|ip-\d+-\d+-\d+-\d+)\b`)
	filed = regexp.MustCompile(`\b(?:namespaces|nodes|pods)/([^/]+)`)
)

// everyClusters are names that docs/redaction.md says to stay.
var everyClusters = regexp.MustCompile(`^(?:default|kube-system|kube-public|kube-node-lease|openshift.*|system:.*|` +
	`kube-(?:controller-manager|apiserver|scheduler|proxy)|etcd|coredns|kubelet|localhost|127\.0\.0\.1|0\.0\.0\.0|` +
	`(?:pd\.csi\.storage\.gke\.io|ebs\.csi\.aws\.com|disk\.csi\.azure\.com|hostpath\.csi\.k8s\.io|cinder\.csi\.openstack\.org|` +
	`csi\.vsphere\.vmware\.com)|(?:attachdetach|deployment|daemon-set|replicaset|statefulset|job|node|namespace)-controller|` +
	`default-scheduler|kubectl|root|kubernetes|kubernetes\.io|k8s\.io|kubernetes-admin)$`)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(list) {
		out[word] = true
	}
	return out
}

// bundleNames are the names that stand in a bundle.
func bundleNames(t *testing.T, bundle fs.FS) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	add := func(list ...string) {
		for _, name := range list {
			for _, part := range strings.Split(name, "/") { // namespace/name, and each part of a handle that is not a word of clouds
				if len(part) > 1 && !everyClusters.MatchString(part) && !strings.ContainsAny(part, " :") &&
					!wordSet("projects zones disks instances regions https: gce:")[part] {
					names[strings.TrimSuffix(part, "-")] = true
				}
			}
		}
	}
	for path, file := range files(t, bundle) {
		for _, m := range filed.FindAllStringSubmatch(path, -1) {
			add(strings.TrimSuffix(m[1], filepath.Ext(m[1])))
		}
		text := string(file.Data)
		for _, m := range logged.FindAllStringSubmatch(text, -1) {
			add(m[1])
		}
		add(fixed.FindAllString(text, -1)...)
		for _, one := range documents(path, text) {
			fieldNames(one, "", add)
		}
	}
	return names
}

// documents are the objects in a file.
func documents(path, text string) []any {
	var texts []string
	switch ext := filepath.Ext(path); {
	case strings.HasPrefix(text, "{") && json.Valid([]byte(text)):
		texts = []string{text}
	case strings.HasPrefix(text, "{"):
		texts = strings.Split(text, "\n")
	case ext == ".yaml" || ext == ".yml":
		texts = strings.Split(text, "\n---")
	}
	var out []any
	for _, one := range texts {
		var value any
		if yaml.Unmarshal([]byte(one), &value) == nil {
			out = append(out, value)
		}
	}
	return out
}

// fieldNames hands over the names in the fields of an object.
func fieldNames(value any, key string, add func(...string)) {
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok && key == "sourceIPs" {
				add(s)
			}
			fieldNames(one, key, add)
		}
	case map[string]any:
		for field, one := range v {
			s, ok := one.(string)
			if ok && (nameKeys[field] || field == "name" && namedBelow[key] || (key == "labels" || key == "matchLabels") && nameLabels[field]) {
				add(s)
			}
			if account, is := strings.CutPrefix(s, "system:serviceaccount:"); is {
				add(strings.Split(account, ":")...)
			}
			fieldNames(one, field, add)
		}
	}
}

// disguises are the ways in which a name can hide.
func disguises(name string) []string {
	out := []string{url.QueryEscape(name), html.EscapeString(name)}
	for lead := range 3 { // the three ways in which base64 can begin inside of a longer text
		encoded := strings.ToLower(base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", lead) + name + "xx")))
		if from, to := (lead*8+5)/6+1, (lead+len(name))*8/6-1; to-from >= 8 {
			out = append(out, encoded[from:to])
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == name })
}

var joints = strings.NewReplacer("\n", "", " ", "", "\u200b", "", "<wbr>", "", "-", "")

// surviving are the names that stand in a text, in any case, broken over lines or encoded.
func surviving(text string, names map[string]bool) map[string]string {
	lower := strings.ToLower(text)
	places, split := suffixarray.New([]byte(lower)), suffixarray.New([]byte(joints.Replace(lower)))
	out := map[string]string{}
	for name := range names {
		n := strings.ToLower(name)
		for _, at := range places.Lookup([]byte(n), -1) {
			if end := at + len(n); !letterAt(lower, at-1) && !letterAt(lower, end) || escaped(lower, at) {
				out[name] = text[max(0, at-60):min(len(text), end+30)]
				break
			}
		}
		for _, form := range disguises(n) {
			if places.Lookup([]byte(form), 1) != nil {
				out[name] = "as " + form
			}
		}
		if whole := strings.ReplaceAll(n, "-", ""); len(whole) >= 9 && whole != n && split.Lookup([]byte(whole), 1) != nil {
			out[name] = "broken in two"
		}
	}
	return out
}

func letterAt(s string, at int) bool {
	return at >= 0 && at < len(s) && (s[at] >= '0' && s[at] <= '9' || s[at] >= 'a' && s[at] <= 'z')
}

func escaped(s string, at int) bool { return at > 1 && s[at-2] == '\\' }

// leakBundles are samples, recordings that are none, and one whose names are words of volpost's own; see recordings.Sweep.
func leakBundles(t *testing.T) map[string]fs.FS {
	out := map[string]fs.FS{"words": ofWords(t)}
	all := samples.List()
	if !recordings.Long {
		all = recordings.Every(10, 0, all) // of fewer no report has the common words that are names elsewhere
	}
	for _, s := range all {
		out[s.Name] = sampleFiles(t, s.Name)
	}
	for n, r := range recorded(t) {
		if n%3 == 0 { // each takes 2 s
			out["recording "+r.name] = r.bundle
		}
	}
	return out
}

// ofWords is a sample whose objects have names that volpost, Kubernetes and its logs use as words.
func ofWords(t *testing.T) fs.FS {
	rename := strings.NewReplacer("shop", "log-analytics", "worker-0", "storage-3", "worker-1", "node-deleted-1", "orders-db-data",
		"default-class", "orders-db", "attach-detach", "5d8f", "5669")
	hash := regexp.MustCompile(`attach-detach-[a-z0-9]{8,10}\b`)
	out := fstest.MapFS{}
	for path, file := range sampleFiles(t, "node-deleted") {
		renamed := func(s string) string { return hash.ReplaceAllString(rename.Replace(s), "attach-detach-5669754656") }
		out[renamed(path)] = &fstest.MapFile{Data: []byte(renamed(string(file.Data))), Mode: 0o644}
	}
	return out
}

// redactedOutputs is what volpost writes of the nth bundle with --redact, and of how another differs from it; see recordings.Turn.
func redactedOutputs(t *testing.T, dir, other string, n int) map[string]string {
	t.Helper()
	out := map[string]string{}
	var targets []string
	for _, f := range report.Formats() {
		targets = append(targets, f.Name+"="+filepath.Join(t.TempDir(), f.Name))
	}
	plain := filepath.Join(t.TempDir(), "report.json")
	if got := volpost("analyze", dir, "--redact", "-o", strings.Join(targets, ",")); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	if got := volpost("analyze", dir, "-o", "json="+plain); got.code != exitOK {
		t.Fatal(got.stderr)
	}
	for _, target := range targets {
		format, file, _ := strings.Cut(target, "=")
		out[format] = fileText(t, file)
	}
	var runs [][]string
	run := func(args ...string) { runs = append(runs, args) }
	for _, format := range report.Graphs.Names() {
		run("graph", dir, "-o", format)
	}
	for _, format := range report.WhatIfs.Names() {
		run("whatif", dir, "-o", format, "--incident", "1", "--apply", "force-delete-pod")
	}
	for _, format := range report.Diffs.Names() {
		run("diff", plain, other, "-o", format, "--same-cluster")
	}
	for _, format := range report.Fleets.Names() {
		run("fleet", plain, "-o", format)
	}
	run("inspect", dir, "-o", "text")
	run("inspect", dir, "-o", "json")
	run("replay", plain, "--plain", "--incident", "1")
	for _, args := range recordings.Turn(n, runs) {
		got := volpost(append(args, "--redact")...)
		if strings.Contains(got.stderr, "name the older one first") {
			args[1], args[2] = args[2], args[1]
			got = volpost(append(args, "--redact")...)
		}
		if got.code == exitOK {
			out[strings.Join(slices.Delete(args, 1, 2), " ")] = got.stdout
		} else if !strings.Contains(got.stderr, "incident") { // a bundle without one has none to play
			t.Errorf("%q: exit code %d, %s", args, got.code, got.stderr)
		}
	}
	return out
}

// TestNoNameLeaves looks for the names of every bundle in everything that is written with --redact. A name that is a word
// stands in reports of other bundles, too, which have no such name; of these TestFieldsOfNames tells more.
func TestNoNameLeaves(t *testing.T) {
	t.Parallel()
	own, names, said := map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}
	survivors := map[string]map[string]string{}
	run := regexp.MustCompile(`[a-z0-9]+(?:[._-]+[a-z0-9]+)*`)
	bundles, dirs, every := leakBundles(t), map[string]string{}, map[string]string{}
	order := slices.Sorted(maps.Keys(bundles))
	for _, name := range order {
		own[name], survivors[name], said[name] = bundleNames(t, bundles[name]), map[string]string{}, map[string]bool{}
		dirs[name] = filepath.Join(t.TempDir(), "bundle")
		if len(own[name]) < 20 {
			t.Errorf("%s: only %d names", name, len(own[name]))
		}
		for n := range own[name] {
			every[strings.ToLower(n)] = strings.ToLower(n)
		}
		if err := os.CopyFS(dirs[name], bundles[name]); err != nil {
			t.Fatal(err)
		}
	}
	next := func(at int) string { return order[(at+1)%len(order)] }
	for at, name := range order {
		names[name] = maps.Clone(own[name])
		maps.Copy(names[name], own[next(at)]) // with which diff compares it
	}
	t.Run("", func(t *testing.T) {
		for at, name := range order {
			of, survivors, said := names[name], survivors[name], said[name]
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				outputs := redactedOutputs(t, dirs[name], dirs[next(at)], at)
				for _, format := range slices.Sorted(maps.Keys(outputs)) {
					for _, one := range run.FindAllString(strings.ToLower(outputs[format]), -1) {
						if n, is := every[one]; is {
							said[n] = true // and keeps no output
						}
					}
					for n, text := range surviving(outputs[format], of) {
						survivors[n] = format + ": …" + strings.ReplaceAll(text, "\n", "⏎")
					}
				}
			})
		}
	})
	sought := 0
	for _, of := range names {
		sought += len(of)
	}
	t.Logf("%d tried", sought) // names
	for name, of := range survivors {
		for n, where := range of {
			// A Deployment of every sample, the value of a label, the plugin of a volume and a part of fuser -vm, k8s.io/ and
			// thread_sort_index: all of them are words of every report, too.
			excused := slices.Contains([]string{"reports", "true", "projected", "vm", "k8s", "index"}, n)
			for other, runs := range said {
				excused = excused || !names[other][n] && runs[strings.ToLower(n)]
			}
			if !excused {
				t.Errorf("%s: %q in %s", name, n, where)
			}
		}
	}
}
