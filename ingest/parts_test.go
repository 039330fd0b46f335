package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/volpost/volpost/ingest/internal/cloud"
	"github.com/volpost/volpost/ingest/internal/kubestate"
	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/ingest/internal/series"
	"github.com/volpost/volpost/model"
)

// aUID is a UID that ends in some digit.
func aUID(n int) string { return fmt.Sprintf("31fb72ec-e764-4857-81b4-%012d", n) }

// TestSetsOfClusters joins names pairwise, and finds whose evidence is nearest in the tree.
func TestSetsOfClusters(t *testing.T) {
	g := groups{}
	g.join("b", "c")
	g.join("d", "c")
	g.join("a", "d")
	for in, want := range map[string]string{"a": "a", "b": "a", "c": "a", "d": "a", "e": "e"} {
		if got := g.find(in); got != want {
			t.Errorf("%s is of %s", in, got)
		}
	}
	near := nearest([]claim{{id: "1", path: "x/a/nodes.yaml", root: "x/a"}, {id: "2", path: "x/b/nodes.yaml", root: "x/b"}, {id: "3", path: "x/p.txt",
		root: "x/p.txt"}},
		func(c claim) string { return c.id })
	for in, want := range map[string]string{"x/a/pods.yaml": "1", "x/b/deep/er": "2", "x/c": "", "x/p.txt": "3", "y": "", "/x": ""} {
		if got := near.of(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	// Lists of nodes are left out beside what has a name and no list of nodes, unless they are of what has a name.
	node, named := claim{id: "nodes", rank: byNodes}, claim{id: "name", rank: byClusterID}
	for _, c := range []struct {
		claims []claim
		joined bool
		want   int
	}{{[]claim{node}, false, 1}, {[]claim{node, named}, false, 1}, {[]claim{node, named}, true, 2}, {[]claim{named}, false, 1}} {
		g := groups{}
		if c.joined {
			g.join("nodes", "name")
		}
		if got := g.sure(slices.Clone(c.claims)); len(got) != c.want || c.want == 1 && len(c.claims) == 2 && got[0].id != "name" {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestClaimsOfClusters: what says of which cluster a part of a bundle is.
func TestClaimsOfClusters(t *testing.T) {
	reading := newReading(context.Background(), "", Limits{})
	paste := func(path, context string) *part {
		p := reading.newPart(path, layout.Place{})
		p.context = context
		return p
	}
	said := func(input, volume string) model.Observation {
		return model.Observation{Input: input, Volume: model.VolumeID{PersistentVolume: volume}}
	}
	reading.parts = []*part{paste("a.txt", "one"), paste("b.txt", "two"), paste("c.txt", "")}
	for name, c := range map[string]struct {
		list []model.Observation
		want int
	}{
		"nothing shared": {[]model.Observation{said("a.txt", "v"), said("b.txt", "w")}, 2}, "a volume of both": {[]model.Observation{said("a.txt", "v"),
			said("b.txt", "v")}, 0},
		"a volume without a context": {[]model.Observation{said("a.txt", "v"), said("c.txt", "v")}, 2}, "no volume": {[]model.Observation{said("a.txt",
			""), said("b.txt", "")}, 2},
		"a volume twice in one": {[]model.Observation{said("a.txt", "v"), said("a.txt", "v")}, 2},
	} {
		reading.s.Observations = c.list
		if got := reading.contextClaims(); len(got) != c.want || c.want > 0 && got[1] != (claim{"context two", "b.txt", "b.txt", byKubeSystem}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A list of nodes is a claim when each node of it has a UID.
	for _, c := range []struct {
		collection, kind, uid string
		want                  int
	}{{"nodes", "", "u", 1}, {"", "Node", "u", 1}, {"", "Pod", "u", 0}, {"pods", "", "u", 0}, {"nodes", "", "", 0}} {
		p := reading.newPart("root/nodes.yaml", layout.Place{Collection: c.collection})
		p.lists = []manifest.List{{Kind: c.kind}}
		reading.parts = []*part{p}
		reading.s.Nodes = []model.Object[*corev1.Node]{{Ref: model.Ref{Kind: "Node", Name: "n", UID: c.uid}, Input: "root/nodes.yaml"}, {Input: "elsewhere"}}
		if got := reading.nodeClaims(); len(got) != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	// What a collector names joins the one cluster below its directory, and none of several.
	for want, below := range map[string][]string{"id one": {"one"}, "": {"one", "two"}, "id": nil} {
		p := reading.newPart("top/id.txt", layout.Place{})
		p.clusterID = "id"
		reading.parts = []*part{p, reading.newPart("top/other", layout.Place{})}
		g, claims := groups{}, []claim{{id: "far", path: "elsewhere/x"}, {id: "id", path: "top/y"}}
		for _, id := range below {
			claims = append(claims, claim{id: id, path: "top/" + id + "/x"})
		}
		got := ""
		for _, c := range reading.collectorsClaims(g, claims) {
			got = c.id
		}
		if got != "" && g.find("id") == g.find("one") {
			got += " one"
		}
		if got != want || g.find("far") != "far" {
			t.Errorf("above %q: %q", below, got)
		}
	}
	ids := identities(&model.Snapshot{Namespaces: []model.Object[*corev1.Namespace]{{Ref: model.Ref{Name: "kube-system", UID: "u"}},
		{Ref: model.Ref{Name: "kube-system"}},
		{Ref: model.Ref{Name: "default", UID: "v"}}}})
	if len(ids) != 1 || ids[0].id != "kube-system u" {
		t.Errorf("%+v", ids)
	}
}

// TestForeignMetrics: by what metrics are of another cluster, and what does not say so.
func TestForeignMetrics(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	of := func(change ...func(kubestate.Identity)) kubestate.Identity {
		i := kubestate.NewIdentity()
		for _, c := range change {
			c(i)
		}
		return i
	}
	node := func(name string, machine int) func(kubestate.Identity) {
		return func(i kubestate.Identity) {
			if machine == 0 {
				i.Node(name, "")
			} else {
				i.Node(name, aUID(machine))
			}
		}
	}
	claim := func(volume int) func(kubestate.Identity) {
		return func(i kubestate.Identity) { i.Claim("a/b", "pvc-"+aUID(volume)) }
	}
	pod := func(uid int, from, to time.Duration) func(kubestate.Identity) {
		return func(i kubestate.Identity) { i.Pod(model.PodRef("a", "p", aUID(uid)), noon.Add(from), noon.Add(to)) }
	}
	for _, c := range []struct {
		name    string
		a, b    kubestate.Identity
		foreign string
		common  bool
	}{
		{"nothing", of(), of(), "", false}, {"one machine", of(node("n", 1)), of(node("n", 1)), "", true}, {"another machine", of(node("n", 1)),
			of(node("n", 2)), "another machine", false},
		{"a machine that is not known", of(node("n", 1)), of(node("n", 0)), "", false}, {"other nodes", of(node("n", 0)), of(node("m", 0)),
			"the nodes are others", false},
		{"one shared node", of(node("n", 0), node("m", 0)), of(node("m", 0)), "", false}, {"no nodes", of(node("n", 0)), of(), "", false},
		{"another volume", of(claim(1)), of(claim(2)), "another volume", false}, {"the same volume", of(claim(1)), of(claim(1)), "", true},
		{"other nodes and the same volume", of(node("n", 0), claim(1)), of(node("m", 0), claim(1)), "", true},
		{"another pod at a time", of(pod(1, 0, time.Hour)), of(pod(2, 53*time.Minute, time.Hour)), "the pod a/p", false},
		{"the next pod", of(pod(1, 0, time.Hour)), of(pod(2, 54*time.Minute, 2*time.Hour)), "", false},
		{"the pod before", of(pod(1, 0, time.Hour)), of(pod(2, 0, time.Hour)), "", false},
	} {
		got := foreign(c.a, c.b)
		if (got == "") != (c.foreign == "") || !strings.Contains(got, c.foreign) || common(c.a, c.b) != c.common || common(c.b, c.a) != c.common {
			t.Errorf("%s: %q, common %v", c.name, got, common(c.a, c.b))
		}
	}
	metricsOf := func(cluster string, i kubestate.Identity) *share {
		return &share{Result: kubestate.Result{Identity: i, Cluster: cluster}}
	}
	for _, c := range []struct {
		name string
		a, b *share
		want string
	}{
		{"one cluster", metricsOf("x", of(node("n", 0))), metricsOf("x", of(node("n", 0))), "2"}, {"two labels", metricsOf("x", of(node("n", 0))), metricsOf("y",
			of(node("n", 0))), "1 1"},
		{"two labels of one machine", metricsOf("x", of(node("n", 1))), metricsOf("y", of(node("n", 1))), "2"}, {"a label and none", metricsOf("x",
			of(node("n", 0))),
			metricsOf("", of(node("n", 0))), "2"},
		{"other nodes", metricsOf("", of(node("n", 0))), metricsOf("", of(node("m", 0))), "1 1"}, {"nothing to tell it by", metricsOf("x", of(node("n", 0))),
			metricsOf("y", of()), "1"},
	} {
		var got []string
		for _, g := range c.b.joinTo(c.a.joinTo(nil)) {
			got = append(got, fmt.Sprint(len(g)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// TestShortenedNames: what stands for the name of a volume, and what is left of one.
func TestShortenedNames(t *testing.T) {
	for in, want := range map[string]string{"pvc-087a37dd-...": "pvc-087a37dd true", "pvc-xxxx": " true", "<name>": " true", "pvc-1": " false",
		"": " false", "pvc-087a…": "pvc-087a true",
		"pvc-087...": " true", "pvc-087a...-b": " false", "pvc-...-xx": " true", "PVC-087a37dd...": " true", "$PV": " true", "REDACTED": " true",
		"pvc-**": " true", "pvc-*": " false",
		"pvc-xx": " false"} {
		left, ok := stem(in)
		if got := fmt.Sprint(left, " ", ok); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	names := map[string]bool{"pvc-1a": true, "pvc-1b": true, "pvc-2": true}
	for in, want := range map[string]string{"pvc-2": "pvc-2", "pvc-1": "", "": "", "pvc-3": "", "pvc-1a": "pvc-1a"} {
		if got := completed(in, names); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	pods := func(waits, holds string) *model.Observation {
		o := &model.Observation{Pod: model.PodRef("", waits, "")}
		if holds != "" {
			o.Pods = []model.Ref{model.PodRef("", holds, "")}
		}
		return o
	}
	for _, c := range []struct {
		next *model.Observation
		want bool
	}{{pods("a", "b"), true}, {pods("", ""), true}, {pods("c", ""), false}, {pods("", "c"), false}, {pods("a", "c"), false}, {pods("c", "b"), false}} {
		v := unnamedVolume{}
		if v.takes(pods("a", "b")); v.takes(c.next) != c.want {
			t.Errorf("%+v: %v", c.next, !c.want)
		}
	}
}

// TestPodsWithoutNamespace get that of the only pod of a generated name.
func TestPodsWithoutNamespace(t *testing.T) {
	const name = "db-56659c7b56-lp2jr"
	for _, c := range []struct {
		seen []model.Ref
		name string
		kind model.SourceKind
		want string
	}{
		{[]model.Ref{model.PodRef("shop", name, "")}, name, model.SourceText, "shop"}, {nil, name, model.SourceText, ""},
		{[]model.Ref{model.PodRef("shop", name, ""), model.PodRef("test", name, "")}, name, model.SourceText, ""},
		{[]model.Ref{model.PodRef("shop", name, ""), model.PodRef("shop", name, "")}, name, model.SourceText, "shop"},
		{[]model.Ref{model.PodRef("shop", "db-0", "")}, "db-0", model.SourceText, ""}, {[]model.Ref{model.PodRef("shop", name, "")}, name, model.SourceLog, ""},
		{[]model.Ref{{Kind: "Job", Namespace: "shop", Name: name}}, name, model.SourceText, ""},
	} {
		r := newReading(context.Background(), "", Limits{})
		for _, ref := range c.seen {
			r.s.Pods = append(r.s.Pods, model.Object[*corev1.Pod]{Ref: ref})
		}
		for line := range 2 {
			r.s.Observations = append(r.s.Observations, model.Observation{Pods: []model.Ref{model.PodRef("", c.name, "")}, Pod: model.PodRef("", c.name, ""),
				Source: model.Source{Kind: c.kind, Path: "p", Line: 9 - line}})
		}
		r.s.Aged = []model.Aged{{Object: model.PodRef("", c.name, "")}}
		r.fillNamespaces()
		o := r.s.Observations[0]
		if o.Pod.Namespace != c.want || o.Pods[0].Namespace != c.want || len(r.s.Problems) != min(len(c.want), 1) || c.want != "" && r.s.Problems[0].Line != 8 {
			t.Errorf("%+v: %+v, %+v", c, o.Pod, r.s.Problems)
		}
		if got := r.s.Aged[0].Object.Namespace; got != c.want && c.kind == model.SourceText {
			t.Errorf("%+v: an object with an age is in %q", c, got)
		}
	}
}

// TestKubeletsOfHolders: a log is a node's when its path or a statement of it names the node, or nothing says whose it is.
func TestKubeletsOfHolders(t *testing.T) {
	multi := model.Observation{Kind: model.MultiAttach, Holders: []string{"n1", "n2", "n1"}}
	log := func(path string, records int) model.Input {
		return model.Input{Path: path, Component: "kubelet", Records: records}
	}
	said := model.Observation{Input: "a.log", Component: "kubelet", Node: "n1"}
	other, foreign := said, said
	other.Component, foreign.Input = "kube-proxy", "b.log"
	for _, c := range []struct {
		name  string
		list  []model.Observation
		input []model.Input
		want  string
	}{
		{"none", []model.Observation{multi}, nil, "no kubelet log of n1, n2"}, {"by its path", []model.Observation{multi, said}, []model.Input{log("a.log",
			1), log("n2.log", 1)}, ""},
		{"by a statement", []model.Observation{multi, said}, []model.Input{log("a.log", 1)}, "no kubelet log of n2"},
		{"an empty log", []model.Observation{multi, said}, []model.Input{log("a.log", 0)}, "no kubelet log of n1, n2"},
		{"of nobody known", []model.Observation{multi}, []model.Input{log("x.log", 1)}, ""}, {"of another component", []model.Observation{multi, other},
			[]model.Input{log("a.log", 1)}, ""},
		{"of another log", []model.Observation{multi, foreign}, []model.Input{log("a.log", 1)}, ""}, {"no holders", nil, nil, "no kubelet log of the nodes"},
		{"no holders and a log", nil, []model.Input{log("a.log", 1)}, ""},
	} {
		m, missing := noKubeletLog(collectedSet{Snapshot: &model.Snapshot{Observations: c.list, Inputs: c.input}})
		if missing != (c.want != "") || missing && !strings.HasPrefix(m.What, c.want) {
			t.Errorf("%s: %q, %v", c.name, m.What, missing)
		}
	}
	for in, want := range map[string]string{"n-1.a_b": "n-1.a_b", "n;rm": "NODE", "-n": "NODE", "": "NODE"} {
		if got := forShell(in, "NODE"); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
	for n, want := range map[int]string{1: "0", 5: "0, 1, 2, 3, 4", 6: "0, 1, 2, 3, 4 and 1 more"} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprint(i))
		}
		if got := fewOf(names); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestProviders: who runs a control plane, by labels and versions of nodes.
func TestProviders(t *testing.T) {
	for in, want := range map[string]provider{"eks.amazonaws.com/nodegroup v1": eks, "kubernetes.azure.com/cluster v1": aks,
		"cloud.google.com/gke-nodepool v1": gke, "x v1.30.1-eks-abc": eks,
		"x v1.30.1-gke.100": gke, "x v1.30.1+k3s1": k3s, "x v1.30.1": "", "x v1.30.1-gke": ""} {
		label, version, _ := strings.Cut(in, " ")
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{label: ""}}}
		n.Status.NodeInfo.KubeletVersion = version
		got := providerOf(&model.Snapshot{Nodes: []model.Object[*corev1.Node]{{Content: model.Whole(n)}}})
		if note := got.controllerLogNote(); got != want || (note == "") != (got == "" || got == k3s) {
			t.Errorf("%s: %q %q", in, got, note)
		}
	}
}

// TestTimeOfTheUser: what the user says makes a vague time of the only collection more exact, and else stays unused.
func TestTimeOfTheUser(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		said     time.Duration
		widths   []time.Duration // of collections from noon on
		exact    bool
		problems int
	}{
		{time.Minute, []time.Duration{2 * time.Hour}, true, 0}, {time.Minute, []time.Duration{vague}, false, 0}, {time.Minute, []time.Duration{vague + 1}, true, 0},
		{-nearEnough, []time.Duration{2 * time.Hour}, true, 0}, {-nearEnough - 1, []time.Duration{2 * time.Hour}, false, 1}, {2*time.Hour + nearEnough,
			[]time.Duration{2 * time.Hour}, true, 0},
		{2*time.Hour + nearEnough + 1, []time.Duration{2 * time.Hour}, false, 1}, {time.Minute, []time.Duration{2 * time.Hour, 3 * time.Hour}, false, 0},
		{5 * time.Hour, []time.Duration{time.Hour, 6 * time.Hour}, false, 0},
	} {
		r := newReading(context.Background(), "", Limits{})
		r.s.Supplied.CollectedAt = noon.Add(c.said)
		var captures []capture
		for _, w := range c.widths {
			captures = append(captures, capture{first: noon, last: noon.Add(w)})
		}
		r.compareSupplied(captures)
		if exact := captures[0].first.Equal(captures[0].last); exact != c.exact || len(r.s.Problems) != c.problems ||
			exact && captures[0].how != model.CollectedSupplied {
			t.Errorf("%+v: %+v, %+v", c, captures[0], r.s.Problems)
		}
	}
	r := newReading(context.Background(), "", Limits{})
	if r.compareSupplied([]capture{{first: noon, last: noon}}); len(r.s.Problems) != 0 {
		t.Error("nobody said a time, and it is compared")
	}
	for want, c := range map[string]capture{"at 2026-03-14T12:00:00Z": {first: noon, last: noon},
		"from 2026-03-14T12:00:00Z to 2026-03-14T13:00:00Z": {first: noon, last: noon.Add(time.Hour)}} {
		if got := c.when(); got != want {
			t.Error(got)
		}
	}
}

// TestWordsNotUnderstood: the first line with a word of volumes, in a text of which nothing about volumes was understood.
func TestWordsNotUnderstood(t *testing.T) {
	volume := model.VolumeID{PersistentVolume: "v"}
	for _, c := range []struct {
		text  string
		known model.Observation
		want  int
	}{
		{"a\nFailedAttachVolume\nMulti-Attach\n", model.Observation{}, 2}, {"a\n", model.Observation{}, 0}, {"VolumeAttachment\n",
			model.Observation{Volume: volume}, 0},
		{"VolumeAttachment\n", model.Observation{Attachment: "csi-1"}, 0}, {"VolumeAttachment\n", model.Observation{Kind: model.AuthorSaid}, 0},
		{"Volume\nAttachment\n", model.Observation{}, 0},
	} {
		p := newReading(context.Background(), "", Limits{}).newPart("p", layout.Place{})
		p.Observations = []model.Observation{c.known}
		p.notUnderstood([]byte(c.text))
		got := 0
		if p.mention != nil {
			got = p.mention.line
		}
		if got != c.want {
			t.Errorf("%+v: line %d", c, got)
		}
		p.reading.parts = []*part{p}
		for _, kind := range []model.Kind{model.MultiAttach, model.PodReady} {
			p.reading.s = &model.Snapshot{Observations: []model.Observation{{Kind: kind}}}
			p.reading.understand()
			warns := c.want > 0 && kind == model.PodReady
			if len(p.reading.s.Problems) != min(c.want,
				1) || (len(p.reading.s.Unreadable) == 1) != warns || warns && p.reading.s.Problems[0].Severity != model.Warning {
				t.Errorf("%+v beside %s: %+v", c, kind, p.reading.s.Problems)
			}
		}
	}
	for in, want := range map[string]bool{"```\nx": true, "a\n# b": true, "a\n## b": true, "a # b": false, "a ```": false, "#b": false, "": false} {
		if isMarkdown([]byte(in)) != want {
			t.Errorf("%q: %v", in, !want)
		}
	}
}

// TestResultsOfExpressions: what the result of an expression shows, by its labels.
func TestResultsOfExpressions(t *testing.T) {
	label := func(pairs ...string) (out model.Labels) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, model.Label{Name: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	p := newReading(context.Background(), "", Limits{}).newPart("p", layout.Place{})
	at := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	p.expressions([]series.Unnamed{{Labels: label("namespace", "shop", "node", "n", "pod", "db-0", "reason", "R"), Value: 0.5, At: at},
		{Labels: label("namespace", "shop")},
		{Labels: label("namespace", "shop", "persistentvolume", "v"), Value: 1}, {Labels: label("namespace", "shop", "persistentvolumeclaim", "c", "phase",
			"Bound")},
		{Labels: label(model.MetricName, series.AlertsMetric, "alertstate", "firing", "alertname", "A"), Value: 1},
		{Labels: label(model.MetricName, series.AlertsMetric, "alertstate", "firing"), Value: 0}})
	var got []string
	for _, o := range p.Observations {
		got = append(got, o.Object.Kind+" "+o.Object.String()+" "+o.Detail+" "+cmp.Or(o.At.At.Format("15"), "-"))
	}
	want := []string{"Pod shop/db-0 node=n, reason=R, value=0.5 12", "PersistentVolume v value=1 00", "PersistentVolumeClaim shop/c phase=Bound, value=0 00"}
	if !slices.Equal(got, want) || p.input.Used != 4 || len(p.ActiveAlerts) != 1 || len(p.ActiveAlerts[0].Labels) != 1 || p.ActiveAlerts[0].State != "firing" {
		t.Errorf("%q, %d used, %+v", got, p.input.Used, p.ActiveAlerts)
	}
}

// TestWhatIsOfInterest: families of pods, and what an object ties to another.
func TestWhatIsOfInterest(t *testing.T) {
	for name, want := range map[string]int{"db-0": 2, "db-56659c7b56-lp2jr": 3, "db": 1, "a-b-c-d": 3} {
		if got := len(ofRef(model.PodRef("shop", name, ""))); got != want {
			t.Errorf("%s: %d", name, got)
		}
	}
	if len(ofRef(model.Ref{Kind: "Job", Name: "a-b"})) != 1 {
		t.Error("a Job is of a family")
	}
	in := interest{}
	in.add([]subject{{"Pod", "shop", "a"}, {"Pod", "shop", ""}})
	if len(in) != 1 || !in.hasAny([]subject{{}, {"Pod", "shop", "a"}}) || in.hasAny([]subject{{"Pod", "test", "a"}}) {
		t.Errorf("%+v", in)
	}
	for _, c := range []struct {
		kind model.Kind
		pod  string
		want bool
	}{{model.PodReady, "a", true}, {model.PodReady, "b", false}, {model.MultiAttach, "b", true}} {
		if got := in.wants(&model.Observation{Kind: c.kind, Pod: model.PodRef("shop", c.pod, "")}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	bound := model.Observation{Kind: model.VolumeBound, Pod: model.PodRef("shop", "a", ""), Claim: model.Ref{Kind: "PersistentVolumeClaim",
		Namespace: "shop", Name: "c"}}
	if in.statement(&bound); !in[subject{"PersistentVolumeClaim", "shop", "c"}] {
		t.Error("the claim of a pod of interest is of none")
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "rs",
		UID: types.UID("u")}}}}
	pod.Spec.NodeName = "n"
	pod.Spec.Volumes = []corev1.Volume{{}, {VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	in.relate(&model.Snapshot{Pods: []model.Object[*corev1.Pod]{{Ref: model.PodRef("shop", "x-1", ""), Content: model.Whole(pod)}}})
	for _, s := range []subject{{"Pod", "shop", "x-1"}, {"Node", "", "n"}, {"ReplicaSet", "shop", "rs"}, {aFamily, "shop", "x"}} {
		if !in[s] {
			t.Errorf("%+v is of no interest", s)
		}
	}
}

// TestDefaultsOfLimits: a limit that is not set is the default, and objects grant what half of their texts is worth.
func TestDefaultsOfLimits(t *testing.T) {
	d := Limits{}.orDefaults()
	if d.ObjectBytes != 1<<30 || d.ManifestBytes != 256<<20 || d.StatementBytes != 64<<20 {
		t.Errorf("%+v", d)
	}
	if l := (Limits{ObjectBytes: 4 << 30, StatementBytes: -1}).orDefaults(); l.ManifestBytes != 1<<30 || l.StatementBytes != 64<<20 {
		t.Errorf("%+v", l)
	}
	for n, want := range map[int64]string{0: "0 MiB", 1: "1 MiB", 1 << 20: "1 MiB", 1<<20 + 1: "2 MiB"} {
		if got := mib(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	var b budget
	b.grant(10, freeObjects+5)
	b.grant(1, freeObjects+5)
	if b.objects.Load() != 5 {
		t.Errorf("%d granted", b.objects.Load())
	}
	if b.grant(2, freeObjects+5); b.objects.Load() != 5 {
		t.Error("beyond the limit more is granted")
	}
	if b.full("Pod") || b.full("Event") {
		t.Error("what is left is full")
	}
	b.objects.Store(-1)
	if !b.full("Pod") || b.full("Event") {
		t.Error("objects beyond the budget")
	}
	if b.lost.Store(true); !b.full("Event") {
		t.Error("a lost statement leaves room for Events")
	}
}

// TestAccounts: what several readers take of one file is added up.
func TestAccounts(t *testing.T) {
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	r := newReading(context.Background(), "", Limits{})
	for _, c := range []struct {
		before model.Input
		want   string
	}{
		{model.Input{Records: 3, Used: 2, Bytes: 9, From: &noon, To: &noon}, "5 3 2 9 true"}, {model.Input{Records: 3, Bytes: 4}, "5 1 4 5 false"},
		{model.Input{From: &noon}, "2 1 1 5 false"}, {model.Input{To: &noon}, "2 1 1 5 false"},
	} {
		p := r.newPart("p", layout.Place{})
		*p.input = model.Input{Records: 2, Used: 1, Skipped: 1, Bytes: 5}
		p.joined(c.before)
		if got := fmt.Sprint(p.input.Records, p.input.Used, p.input.Skipped, p.input.Bytes, p.input.From != nil); got != c.want {
			t.Errorf("%+v: %s, want %s", c.before, got, c.want)
		}
	}
	for _, c := range []struct {
		records, problems int
		want              string
	}{{0, 0, model.InputIgnored}, {1, 0, model.InputText}, {0, 1, model.InputText}} {
		p := r.newPart("p", layout.Place{})
		p.said(cloud.Result{Input: model.Input{Kind: model.InputText, Records: c.records}, Problems: make([]model.Problem, c.problems)})
		if p.input.Kind != c.want {
			t.Errorf("%+v: %s", c, p.input.Kind)
		}
	}
}

// TestNamesLeftOut: what stands for the name of a volume is completed, kept as what it is, or left out.
func TestNamesLeftOut(t *testing.T) {
	said := func(kind model.Kind, path, volume, pod string) model.Observation {
		return model.Observation{Kind: kind, Volume: model.VolumeID{PersistentVolume: volume}, Pod: model.PodRef("", pod, ""),
			Source: model.Source{Kind: model.SourceText, Path: path, Line: 1}}
	}
	event := said(model.MultiAttach, "a", "<pv>", "")
	event.Source.Kind = model.SourceEvent
	const whole = "pvc-087a37dd-1111"
	for name, c := range map[string]struct {
		list     []model.Observation
		want     string
		problems int
	}{
		"completed": {[]model.Observation{said(model.MountFailed, "a", whole, ""), said(model.MultiAttach, "b", "pvc-087a37dd-...", "x")},
			whole + " " + whole, 1},
		"not found":         {[]model.Observation{said(model.MultiAttach, "b", "pvc-087a37dd-...", "x")}, "pvc-087a37dd…", 1},
		"the error as such": {[]model.Observation{said(model.MultiAttach, "a", whole, "x"), said(model.MultiAttach, "a", "<pv>", "")}, whole, 1},
		"the error in another text": {[]model.Observation{said(model.MultiAttach, "a", whole, "x"), said(model.MultiAttach, "b", "<pv>", "")},
			whole + " pvc-…", 1},
		"beside no report": {[]model.Observation{said(model.MountFailed, "a", whole, "x"), said(model.MultiAttach, "a", "<pv>", "")},
			whole + " pvc-…", 1},
		"beside a shortened name": {[]model.Observation{said(model.MultiAttach, "a", "pvc-087a37dd-...", "x"), said(model.MultiAttach, "a", "<pv>",
			"")}, "pvc-087a37dd…", 2},
		"beside another placeholder": {[]model.Observation{said(model.MultiAttach, "a", "<x>", "x"), said(model.MultiAttach, "a", "<pv>", "")},
			"pvc-… pvc-…", 2},
		"two pods": {[]model.Observation{said(model.MultiAttach, "a", "<x>", "x"), said(model.MultiAttach, "b", "<pv>", "y")}, "pvc-… ", 2},
		"twice on a line": {[]model.Observation{said(model.MultiAttach, "a", "<x>", "x"), said(model.MultiAttach, "a", "<x>", "x")},
			"pvc-… pvc-…", 1},
		"an Event": {[]model.Observation{event}, "<pv>", 0},
		"a name":   {[]model.Observation{said(model.MultiAttach, "a", whole, "x")}, whole, 0},
	} {
		r := newReading(context.Background(), "", Limits{})
		r.s.Observations = c.list
		r.placeholders()
		var got []string
		for _, o := range r.s.Observations {
			got = append(got, o.Volume.PersistentVolume)
		}
		if strings.Join(got, " ") != c.want || len(r.s.Problems) != c.problems {
			t.Errorf("%s: %q, want %q; %+v", name, got, c.want, r.s.Problems)
		}
	}
}
