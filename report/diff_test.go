package report

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// richDiff is a comparison with every kind of change.
func richDiff() *model.Diff {
	began, ended := at(340.478), at(766.7)
	digest := &model.IncidentDigest{ID: "i1", Volume: "shop/orders-db-data", From: richOld, To: richNew, Began: began, Open: true,
		Cause: "node-down", Verdict: model.Likely, Seconds: model.Range{Best: 560, Min: 560, Max: 561}}
	digest.First = &model.FirstAdvice{Remedy: "out-of-service-taint", Title: "Taint the lost node as out of service"}
	over := *digest
	over.First = &model.FirstAdvice{Remedy: "out-of-service-taint", Title: digest.First.Title, Saved: &model.Range{Best: 300, Min: 290, Max: 310}}
	over.Prevent = &model.FirstAdvice{Remedy: "automate-out-of-service", Title: "Have a fencing agent", Saved: &model.Range{Best: 200, Min: 190, Max: 210}}
	over.Done = []model.ActDigest{{Remedy: "force-delete-pod", Title: "Delete the pod of the lost node by force", At: &ended, Effect: model.ActEnded,
		Saved: &model.Range{Best: 20, Min: 10, Max: 30}}}
	over.Open, over.Ended, over.Verdict = false, &ended, model.Confirmed
	length := func(s float64) *model.Range { return &model.Range{Best: s, Min: s - 0.5, Max: s + 0.5} }
	claim := &model.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "orders-db-data"}
	was := &model.AttachmentState{Name: model.AttachmentName("vol-1", "ebs.csi.aws.com", richOld), UID: "u1", Volume: richPV, Claim: claim,
		Node: richOld, Attached: model.True}
	is := &model.AttachmentState{Name: model.AttachmentName("vol-1", "ebs.csi.aws.com", richNew), UID: "u2", Volume: richPV, Claim: claim,
		Node: richNew, Attached: model.True}
	return &model.Diff{
		Schema: model.DiffVersion, Generator: model.Generator{Name: "volpost", Version: "v0.1.0"},
		Before: model.DiffSide{Name: "monday.json", Kind: "report", CapturedAt: ptr(at(600)), Status: model.StatusIncident, Attachments: 1,
			Incidents: 1},
		After: model.DiffSide{Name: "tuesday/", Kind: "bundle", CapturedAt: ptr(at(902)), KubernetesVersion: "v1.34.3",
			Status: model.StatusIncident, Attachments: 4, AttachmentsListed: true, Incidents: 2},
		Cluster:  model.SameAs{Value: model.Unknown, Text: "2 Nodes are of the same name in both"},
		Headline: "1 incident has ended, 1 volume moved; 1 thing is not known.",
		Attachments: []model.AttachmentChange{
			{Change: model.ChangeMoved, Before: was, After: is, Text: "moved from a to b, attached"},
			{Change: model.ChangeAppeared, After: is, Text: "appeared on b"},
		},
		AttachmentsSame: 3,
		Incidents: []model.IncidentChange{
			{Change: model.ChangeEnded, Before: digest, After: &over, AlignedBy: "the same volume and node",
				Text: "was open in the first, and ended", CauseText: "node-down was likely and is confirmed",
				Phases: []model.PhaseChange{
					{ID: model.PhaseRelease, Before: length(60), After: length(90), Change: "longer", By: &model.Range{Best: 30, Min: 29, Max: 31},
						Unfinished: "before"},
					{ID: model.PhaseEviction, Before: length(300), After: length(300), Change: "same"},
					{ID: model.PhaseDetach, Before: length(300), After: length(200), Change: "shorter", By: &model.Range{Best: -100, Min: -101, Max: -99}},
					{ID: model.PhaseAttach, After: length(5), Change: "only-after"}, {ID: model.PhaseMount, Before: length(5), Change: "only-before"},
				}},
			{Change: model.ChangeUncovered, Before: digest, Text: "the second does not show it", CannotTell: []string{"whether it is over"}},
			{Change: model.ChangeNew, After: &over, Text: "began later"},
		},
		CannotTell: []string{"The first is a report, which tells only of the VolumeAttachments of its incidents"},
	}
}

func diffText(t *testing.T, format string, d *model.Diff) string {
	t.Helper()
	var out bytes.Buffer
	if err := Diffs.Write(&out, format, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestDiffGolden(t *testing.T) {
	nasty := richDiff()
	taint(reflect.ValueOf(nasty).Elem(), "")
	for name, d := range map[string]*model.Diff{"rich": richDiff(), "hostile": nasty} {
		for _, format := range Diffs.Names() {
			golden(t, name+"-diff."+format, diffText(t, format, d))
		}
	}
}

// What a bundle names does no harm in a comparison either: it is visible, calls nobody and breaks no table.
func TestDiffOfHostileNames(t *testing.T) {
	d := richDiff()
	taint(reflect.ValueOf(d).Elem(), "")
	before := diffText(t, "json", d)
	for _, format := range []string{"text", "md", "jira"} {
		out := diffText(t, format, d)
		if strings.ContainsAny(out, "\u202e\u200b\x00\x1b") || !strings.Contains(out, "u202e") {
			t.Errorf("%s shows what should be spelled out, or hides it", format)
		}
		columns := 0
		for _, line := range strings.Split(out, "\n") {
			if format == "md" && strings.Contains(plain(t, line), "<script>") {
				t.Errorf("md has a tag: %s", line)
			}
			bars := strings.Count(escapedMark.ReplaceAllString(strings.ReplaceAll(line, "||", "|"), ""), "|")
			if format == "text" || !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			if columns == 0 || strings.HasPrefix(line, "||") {
				columns = bars
			}
			if bars != columns {
				t.Errorf("%s: a row has %d bars, its table %d: %s", format, bars, columns, line)
			}
		}
	}
	if diffText(t, "json", d) != before {
		t.Error("rendering changed the comparison")
	}
	if err := Diffs.Write(&bytes.Buffer{}, "pdf", d); err == nil || !strings.Contains(err.Error(), "jira") {
		t.Errorf("%v", err)
	}
}

func TestDiffOfNothing(t *testing.T) {
	for _, format := range Diffs.Names() {
		if diffText(t, format, &model.Diff{}) == "" {
			t.Errorf("%s says nothing", format)
		}
	}
}
