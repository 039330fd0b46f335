package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/alert"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// part is the part of a snapshot about one cluster.
type part struct {
	cluster  string
	snapshot *model.Snapshot
}

// split divides a snapshot by cluster. Nodes and pods of two clusters have the same names, and nothing of one explains the
// other. What nothing ties to a cluster is a part of its own. A snapshot of one cluster stays whole.
func split(s *model.Snapshot) []part {
	if len(s.Clusters) < 2 {
		return []part{{snapshot: s}}
	}
	out := []part{}
	for _, name := range append(slices.Clone(s.Clusters), "") {
		p := s.OfCluster(name)
		p.Problems = nil // they stay with the whole
		if len(p.Inputs) > 0 {
			out = append(out, part{name, p})
		}
	}
	return out
}

// join puts the reports of the clusters of one bundle together. The verdict is that of the cluster that fares worst.
func join(s *model.Snapshot, parts []part, reports []*model.Report) *model.Report {
	whole := *reports[0]
	whole.Bundle.Problems, whole.Bundle.Clusters = slices.Clone(s.Problems), s.Clusters
	whole.Bundle.Inputs, whole.Bundle.KubernetesVersion, whole.Bundle.Identities = nil, "", nil
	whole.Incidents, whole.Groups, whole.Findings = []model.Incident{}, []model.Group{}, []model.Finding{}
	whole.Timeline, whole.Evidence, whole.Objects = []model.TimelineItem{}, []model.Evidence{}, nil
	whole.Graph = model.Graph{Nodes: []model.GraphNode{}, Edges: []model.GraphEdge{}}
	for n, r := range reports {
		mark(r, parts[n].cluster, called(parts[n].cluster, s.Inputs))
		joinBundle(&whole.Bundle, r.Bundle)
		whole.Incidents = append(whole.Incidents, r.Incidents...)
		whole.Groups = append(whole.Groups, r.Groups...)
		whole.Objects = append(whole.Objects, r.Objects...)
		whole.Findings = append(whole.Findings, r.Findings...)
		whole.Timeline = append(whole.Timeline, r.Timeline...)
		whole.Graph.Nodes = append(whole.Graph.Nodes, r.Graph.Nodes...)
		whole.Graph.Edges = append(whole.Graph.Edges, r.Graph.Edges...)
		whole.Evidence = append(whole.Evidence, r.Evidence...)
		if n > 0 {
			whole.Series, whole.Alerts = append(whole.Series, r.Series...), alert.Join(whole.Alerts, r.Alerts)
		}
		whole.Inspection = joinInspection(whole.Inspection, r.Inspection, called(parts[n].cluster, s.Inputs), n == 0)
	}
	worst := slices.MaxFunc(reports, func(a, b *model.Report) int {
		return cmp.Or(gravity(a.Verdict.Status)-gravity(b.Verdict.Status), graver(head(a), head(b)))
	})
	whole.Verdict = worst.Verdict
	whole.Verdict.Headline = inCluster(worst.Verdict.Headline, called(parts[slices.Index(reports, worst)].cluster, s.Inputs), clusters(parts))
	order(&whole)
	whole.Bundle.NotCollected = timed(s.NotCollected, whole.Incidents, whole.Bundle)
	for _, r := range reports { // what only one of them misses
		for _, m := range r.Bundle.NotCollected {
			if !slices.ContainsFunc(whole.Bundle.NotCollected, func(o model.NotCollected) bool { return o.What == m.What }) {
				whole.Bundle.NotCollected = append(whole.Bundle.NotCollected, m)
			}
		}
	}
	return &whole
}

// joinBundle adds what the bundle holds of one cluster. The whole was collected when the last of them was.
func joinBundle(whole *model.Bundle, b model.Bundle) {
	if b.CapturedAt != nil && (whole.CapturedAt == nil || b.CapturedAt.At.After(whole.CapturedAt.At)) {
		whole.CapturedAt, whole.CapturedHow = b.CapturedAt, b.CapturedHow
	}
	whole.StandIn = cmp.Or(whole.StandIn, b.StandIn)
	whole.Inputs = append(whole.Inputs, b.Inputs...)
	whole.Problems = append(whole.Problems, b.Problems...)
	if v := b.KubernetesVersion; v != "" && !strings.Contains(whole.KubernetesVersion, v) {
		whole.KubernetesVersion = strings.TrimPrefix(whole.KubernetesVersion+", "+v, ", ")
	}
}

// inCluster says which of the clusters a headline is about, and of how many, as far as there is room.
func inCluster(text, cluster string, of int) string {
	text = strings.TrimSuffix(text, ".")
	for _, more := range []string{fmt.Sprintf(" (%s, 1 of %d)", cluster, of), " (" + cluster + ")"} {
		if wordCount(text)+wordCount(more) <= headlineWords {
			return text + more + "."
		}
	}
	return clauses(text, headlineWords-wordCount(cluster)) + " (" + cluster + ")."
}

// head is the incident that the headline of a report is about; an empty one where it is about none.
func head(r *model.Report) (of model.Incident) {
	if n := slices.IndexFunc(r.Incidents, func(i model.Incident) bool { return i.ID == r.Verdict.Incident }); n >= 0 {
		of = r.Incidents[n]
	}
	return of
}

// mark names the cluster of a report: by its identifier, and in sentences as people call it.
func mark(r *model.Report, cluster, name string) {
	for i := range r.Incidents {
		r.Incidents[i].Cluster = cluster
	}
	for i := range r.Groups {
		r.Groups[i].Title += ", " + name
	}
	for i := range r.Findings {
		r.Findings[i].Text = words.Capital(name) + ": " + r.Findings[i].Text
	}
	for i := range r.Graph.Nodes {
		r.Graph.Nodes[i].ID = cluster + "/" + r.Graph.Nodes[i].ID
	}
	for i := range r.Graph.Edges {
		e := &r.Graph.Edges[i]
		e.From, e.To = cluster+"/"+e.From, cluster+"/"+e.To
	}
}

func called(cluster string, inputs []model.Input) string {
	if cluster == "" {
		return "what nothing ties to a cluster"
	}
	return "cluster " + model.ClusterName(cluster, inputs)
}

func clusters(parts []part) int {
	return len(slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.cluster == "" }))
}

// gravity orders verdicts by what a reader has to know first.
func gravity(s model.Status) int {
	return slices.Index([]model.Status{model.StatusInsufficient, model.StatusClean, model.StatusHandover, model.StatusFault, model.StatusIncident}, s)
}

// order makes the joined lists as those of one cluster are.
func order(r *model.Report) {
	slices.SortStableFunc(r.Bundle.Inputs, func(a, b model.Input) int { return cmp.Compare(a.Path, b.Path) })
	r.Bundle.Inputs = eachFile(r.Bundle.Inputs)
	slices.SortStableFunc(r.Bundle.Problems, compareProblems)
	r.Bundle.Problems = slices.Compact(r.Bundle.Problems) // each cluster says the same of a rule file
	about := func(g model.Group) int { return b2i(slices.Contains(g.Incidents, r.Verdict.Incident)) }
	slices.SortStableFunc(r.Groups, func(a, b model.Group) int { return about(b) - about(a) })
	slices.SortStableFunc(r.Timeline, func(a, b model.TimelineItem) int { return cmp.Or(a.At.At.Compare(b.At.At), cmp.Compare(a.ID, b.ID)) })
}

// eachFile lists a file about several clusters once.
func eachFile(sorted []model.Input) []model.Input {
	var out []model.Input
	for _, in := range sorted {
		n := len(out) - 1
		if n < 0 || out[n].Path != in.Path || in.Cluster == "" {
			out = append(out, in)
			continue
		}
		if out[n].Cluster != "" {
			out[n].Cluster, out[n].Clusters = "", []string{out[n].Cluster}
		}
		out[n].Clusters = append(out[n].Clusters, in.Cluster)
	}
	return out
}

func compareProblems(a, b model.Problem) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
}

// joinInspection adds a cluster's answers to those before: a yes of any is a yes, only all no are a no. The text names the cluster.
func joinInspection(whole, of []model.InspectionItem, cluster string, first bool) []model.InspectionItem {
	if first {
		whole = make([]model.InspectionItem, len(of))
	}
	for i := range whole {
		a, b := &whole[i], of[i]
		text, findings, cited := cluster+": "+b.Text, slices.Concat(a.Findings, b.Findings), slices.Concat(a.Evidence, b.Evidence)
		if weight := weightOf(b.Answer) - weightOf(a.Answer); weight > 0 {
			*a = b
			a.Text = text
		} else if weight == 0 {
			a.Text += " " + text
		}
		slices.Sort(findings)
		a.Findings, a.Evidence = slices.Concat([]string{}, slices.Compact(findings)), slices.Concat([]string{}, cited)
	}
	return whole
}

// weightOf orders answers by what has to be said of several clusters.
func weightOf(answer string) int {
	return slices.Index([]string{model.No, model.CannotTell, model.Yes}, answer)
}
