package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/analyze"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/samples"
	"github.com/volpost/volpost/samples/recordings"
)

const alertsIntro = `# Alerts

## The rules

What ` + "`volpost alerts`" + ` prints, and what to do first when one of them fires. Where two rules have one name, the critical one is for what
somebody has to get up for.

`

const backtestIntro = `## Back-test

Would an alert have seen the incident, and how long before or after Multi-Attach began? ` + "`volpost analyze`" + ` evaluates the rules that
` + "`volpost alerts`" + ` recommends, the popular ones that they replace, those of ` + "`--rules`" +
	` files and the PrometheusRules of the bundle, with
Prometheus' own engine, every 30 s or at the interval of their group.

### Over what they are run

Over the metrics of the bundle, where these show a wait from before it to its end: blocks, a data directory, dumps, or answers of the HTTP
API. Of one server's series in several forms the best is taken; two servers, be they replicas, are evaluated apart, from 20
minutes before the first incident to 20 minutes after the last, or the last hour where none lies in it. Rules see the labels
that the server has, with exported_ ones where it is scraped so: fired means fired there. A server evaluates at other instants, which moves a firing by up to one interval. What
recording rules make is read as the server recorded it. Of a rule's labels ` + "`{{ $labels.NAME }}`" + ` is filled in, and no other template is executed.

Otherwise over series that are synthesised from the reconstructed timeline of the incident, and marked so: what kube-state-metrics 2.20
would have reported of its nodes, pods, claim and VolumeAttachments, every 30 s, from 15 minutes before to 10 minutes after, and not
beyond the collection. Nothing else of the cluster is in them, so they say what a rule would have bought in the incident, and nothing of its
false alarms elsewhere. Of more than 16 pods that had the volume or wait for it the first 16 are followed, which the note of an alert then says.
An incident whose times nothing dates, or whose volume, nodes or new pod nothing names, is left out.

### How to read the tables

+152 s: its first firing for the incident came 152 seconds before Multi-Attach began; -88 s: 88 seconds after that, while the pod waited.
Of several incidents the earliest and the latest are given, and for how many it fired. "2 elsewhere": firings that are about no object of an
incident, or not at its time, and so are false alarms; but VolumeForceDetached, VolumeDetachFailing and KubeStateMetricsAbsent name no
object, and all of their firings are elsewhere. A dash: it did not fire. Pending: its condition did not hold as long as its for.

`

// The part of the page that only the long tests make stands between these lines.
const (
	recordedBegin = "<!-- Recordings: begin. -->\n"
	recordedEnd   = "<!-- Recordings: end. -->\n"
)

// ruleSections has a section for each recommended rule, to which its runbook_url leads: what to do first, which is written by hand in
// the page, and when and why each rule of the name fires.
func ruleSections(t *testing.T) string {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	last := ""
	for _, rule := range strings.Split(analyze.AlertRules(analyze.AlertSetup{}, true), "\n  # ")[1:] {
		why, rule, _ := strings.Cut(rule, "\n")
		field := func(name string) string {
			_, value, _ := strings.Cut(rule, " "+name+": ")
			value, _, _ = strings.Cut(value, "\n")
			return value
		}
		if name := field("alert"); name != last {
			_, runbook, found := strings.Cut(string(page), "\n### "+name+"\n\n")
			runbook, _, _ = strings.Cut(runbook, "\n\n")
			if !found || len(runbook) < 20 || strings.HasPrefix(runbook, "- **") {
				t.Errorf("docs/alerts.md does not say what to do first when %s fires", name)
			}
			fmt.Fprintf(&b, "### %s\n\n%s\n\n", name, runbook)
			last = name
		}
		lasting := "at once"
		if d := field("for"); d != "" {
			lasting = "after " + d
		}
		fmt.Fprintf(&b, "- **%s**, %s. %s\n\n", field("severity"), lasting, why)
	}
	return b.String()
}

// alertsPage is the outcome of every rule, as written and as recommended, over the metrics of every recording and over the
// timeline of every sample. But in the long tests the part of the recordings is what the page has.
func alertsPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(generated + alertsIntro + ruleSections(t) + backtestIntro + recordedBegin)
	if recordings.Long {
		b.WriteString("### Over the metrics of the recorded incidents\n\n")
		b.WriteString(alertTables(recordedMetrics(t)))
	} else {
		b.WriteString(recordedPart(t))
	}
	var all []alertRun
	var measured []string
	for _, s := range samples.List() {
		_, r := ofSample(t, s.Name)
		all = append(all, alertRun{s.Name, r})
		if slices.ContainsFunc(r.Alerts, func(a model.Alert) bool { return a.Over == model.OverMetrics }) {
			measured = append(measured, s.Name)
		}
	}
	fmt.Fprintf(&b, "%s\n### Over the recordings inside of the program\n\nOver the metrics of %s, over the timelines of the others.\n\n", recordedEnd,
		strings.Join(measured, ", "))
	b.WriteString(alertTables(all))
	return b.String()
}

// alertRun is a report of a recording.
type alertRun struct {
	name   string
	report *model.Report
}

// recordedMetrics are the reports of the recordings that have metrics.
func recordedMetrics(t *testing.T) []alertRun {
	var out []alertRun
	for _, c := range withPart(t, "tsdb") {
		both := files(t, c.last(t).bundle)
		maps.Copy(both, filesBelow(t, c.whole, "tsdb"))
		_, r := explained(t, both, c.name)
		out = append(out, alertRun{c.name, r})
	}
	return out
}

// recordedPart is the part of the page that is made of the recordings, as it is.
func recordedPart(t *testing.T) string {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "alerts.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), recordedBegin)
	part, _, closed := strings.Cut(rest, recordedEnd)
	if !ok || !closed {
		t.Fatal("docs/alerts.md has no part of the recordings")
	}
	return part
}

// alertTables sums the rules up, and says of each recording what each came to, as written and as recommended.
func alertTables(all []alertRun) string {
	rules := recommendedRules(all)
	var b strings.Builder
	incidents := 0
	for _, run := range all {
		incidents += len(run.report.Incidents)
	}
	fmt.Fprintf(&b, "%d recordings with %d incidents.\n\n", len(all), incidents)
	b.WriteString("| rule | parses as written | as written: incidents seen | elsewhere | corrected: incidents seen | of these before " +
		"Multi-Attach | elsewhere |\n|---|---|---:|---:|---:|---:|---:|\n")
	for _, rule := range rules {
		written, corrected := sumOf(all, "seed", rule), sumOf(all, "builtin", rule)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d | %d |\n", rule, written.parsed, written.seenText(), written.besideText(), corrected.seen,
			corrected.before, corrected.beside)
	}
	for _, form := range []struct{ origin, title string }{{"seed", "As written"}, {"builtin", "Corrected"}} {
		fmt.Fprintf(&b, "\n#### %s\n\n| recording | incidents |", form.title)
		var named []alertRule
		for _, rule := range rules {
			if sumOf(all, form.origin, rule).runs > 0 {
				named = append(named, rule)
				b.WriteString(" " + rule.String() + " |")
			}
		}
		b.WriteString("\n|---|---:|" + strings.Repeat("---|", len(named)) + "\n")
		for _, run := range all {
			fmt.Fprintf(&b, "| %s | %d |", run.name, len(run.report.Incidents))
			for _, rule := range named {
				b.WriteString(" " + alertCell(run.report, form.origin, rule) + " |")
			}
			b.WriteString("\n")
		}
	}
	return b.String() + "\n"
}

// alertRule is a rule of volpost's, or the popular one that it replaces. The first of a name stands for those of no severity.
type alertRule struct {
	name, severity string
	second         bool
}

func (r alertRule) String() string {
	if r.second {
		return r.name + "/" + r.severity
	}
	return r.name
}

func (r alertRule) is(a model.Alert, origin string) bool {
	return a.Origin == origin && a.Name == r.name && (a.Severity == r.severity || a.Severity == "" && !r.second)
}

// recommendedRules are volpost's own rules, in their order.
func recommendedRules(all []alertRun) []alertRule {
	var out []alertRule
	for _, run := range all {
		for _, a := range run.report.Alerts {
			if a.Origin != "builtin" || slices.ContainsFunc(out, func(r alertRule) bool { return r.is(a, "builtin") }) {
				continue
			}
			out = append(out, alertRule{a.Name, a.Severity, slices.ContainsFunc(out, func(r alertRule) bool { return r.name == a.Name })})
		}
	}
	return out
}

// alertSum is what a rule came to over all recordings.
type alertSum struct {
	runs, seen, before, beside int
	parsed                     string
}

func (s alertSum) seenText() string {
	if s.runs == 0 {
		return ""
	}
	return fmt.Sprint(s.seen)
}

func (s alertSum) besideText() string {
	if s.runs == 0 {
		return ""
	}
	return fmt.Sprint(s.beside)
}

func sumOf(all []alertRun, origin string, rule alertRule) alertSum {
	var out alertSum
	for _, run := range all {
		for _, a := range run.report.Alerts {
			if !rule.is(a, origin) {
				continue
			}
			out.runs++
			if out.parsed = "yes"; !a.Parses {
				out.parsed = "no"
			}
			leads, beside := leadsOf(a)
			out.seen += len(leads)
			out.beside += beside
			for _, lead := range leads {
				if lead > 0 {
					out.before++
				}
			}
		}
	}
	return out
}

// leadsOf are the seconds from the first firing for each incident to the beginning of its wait, ascending, and the number of
// firings that are about none.
func leadsOf(a model.Alert) (leads []float64, beside int) {
	of := map[string]float64{}
	for _, f := range a.Firings {
		if f.Incident == nil {
			beside++
			continue
		}
		if lead, ok := of[*f.Incident]; !ok || *f.LeadSeconds > lead {
			of[*f.Incident] = *f.LeadSeconds
		}
	}
	for _, lead := range of {
		leads = append(leads, lead)
	}
	slices.Sort(leads)
	return leads, beside
}

// alertCell is a rule's outcome over a recording in a few words.
func alertCell(r *model.Report, origin string, rule alertRule) string {
	var cells []string
	for _, a := range r.Alerts {
		if !rule.is(a, origin) {
			continue
		}
		text := map[string]string{"never": "–", "pending-only": "pending", "cannot-fire": "cannot fire", "no-data": "no data",
			"error": "error"}[a.Result]
		if !a.Parses {
			text = "does not parse"
		}
		leads, beside := leadsOf(a)
		switch {
		case len(leads) == 1:
			text = fmt.Sprintf("%+.0f s", leads[0])
		case len(leads) > 1:
			text = fmt.Sprintf("%+.0f s", leads[len(leads)-1])
			if last := fmt.Sprintf("%+.0f s", leads[0]); last != text {
				text = strings.TrimSuffix(text, " s") + " to " + last
			}
		}
		if n := len(r.Incidents); n > 1 && len(leads) > 0 {
			text += fmt.Sprintf(" (%d of %d)", len(leads), n)
		}
		if beside > 0 {
			text = strings.TrimPrefix(text+", ", ", ") + fmt.Sprintf("%d elsewhere", beside)
		}
		cells = append(cells, text)
	}
	return strings.Join(cells, "; ")
}
