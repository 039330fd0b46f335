package text

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/view"
)

// TestParts: what small parts of a page say, and that those that have nothing to say leave no line.
func TestParts(t *testing.T) {
	quoted := &view.View{Report: &model.Report{Evidence: []model.Evidence{{ID: "e", Source: model.Source{Path: "a.log", Line: 7}}}}, EvidenceAt: map[string]int{"e": 0}}
	named := func(column int) string { return strings.Repeat("n", textWidth-24+column) }
	claims := func(n int) []view.Claim {
		list := make([]view.Claim, n)
		for i := range list {
			list[i] = view.Claim{Sentence: "so", Evidence: []string{"e", "f"}[:1+i%2]}
		}
		return append(list, view.Claim{Sentence: "by the rules"})
	}
	claimed := func(n int) func(*page) { return func(p *page) { textClaims(p, quoted, "for", claims(n)) } }
	alert := func(r view.AlertView, own bool) func(*page) { return func(p *page) { p.line(textAlert(r, own)) } }
	risky := func(r model.Remediation, proof ...model.Need) func(*page) {
		return func(p *page) { whatIfSafety(p, quoted, view.RemedyView{Remediation: r, Proof: proof}) }
	}
	fired := view.AlertView{Alert: model.Alert{Name: "A"}, Source: "own", Outcome: "fired", At: "06:00", Served: "fired"}
	lead, many := fired, fired
	lead.Lead, lead.Left = "1 min before", "2 min left"
	many.Seen, many.Beside, many.Note = 2, 1, "odd"
	one := model.Need{}
	for _, c := range []struct {
		name  string
		write func(*page)
		want  string
	}{
		{"a fact that fits", func(p *page) { textFacts(p, []view.Fact{{Name: "Volume", Value: named(0)}}) }, "    volume              " + named(0)},
		{"a name that does not", func(p *page) { textFacts(p, []view.Fact{{Name: "Volume", Value: named(1)}}) }, "    volume|      " + named(1)},
		{"a fact that is derived", func(p *page) { textFacts(p, []view.Fact{{Name: "End", Value: "x", Basis: model.Derived}}) }, "    end                 x (derived)"},
		{"as many quotes as are shown", claimed(textClaimed), strings.Repeat("      for      so [E1]|      for      so [E1 and 1 more]|", 2) + "      for      so [E1]|      for      by the rules"},
		{"one more", claimed(textClaimed + 1), strings.Repeat("      for      so [E1]|      for      so [E1 and 1 more]|", 2) +
			"      for      so [E1]|      for      by the rules|      for      and 1 more observation"},
		{"an alert", alert(fired, false), "A (own): fired at 06:00"},
		{"one of the server", alert(fired, true), "A (own): fired at 06:00; the server's own: fired"},
		{"one with its time before", alert(lead, false), "A (own): fired at 06:00, 1 min before Multi-Attach began, 2 min left"},
		{"one of two incidents", alert(many, false), "A (own): fired at 06:00; for 2 incidents; 1 firing elsewhere; odd"},
		{"no remedies", func(p *page) { textReasons(p, "TITLE", nil) }, ""},
		{"nothing at risk", risky(model.Remediation{DataRisk: model.RiskOnceProven}), ""},
		{"a command alone", risky(model.Remediation{DataRisk: model.RiskNone, Commands: []string{"kubectl x"}}), "Data risk: none|    kubectl x"},
		{"a risk that nothing proves off", risky(model.Remediation{DataRisk: model.RiskPossible, Safety: model.Safety{Needs: []model.Need{{}}}}), "Data risk: possible|  " + view.NoProof},
		{"one that is proven off", risky(model.Remediation{DataRisk: model.RiskPossible, Safety: model.Safety{Needs: []model.Need{{}}}}, model.Need{Text: "the node is off", Met: "unknown"}),
			"Data risk: possible|  to be proven first: the node is off (nothing in the bundle proves it)"},
		{"a table of which rows are left out", func(p *page) {
			fleetTextTable(p, view.FleetTable{Head: []string{"a", "b"}, Rows: [][]string{{"x", "1"}}, Left: 2})
		},
			"  x: 1|  and 2 more; -o csv and -o json have them"},
		{"a whole table", func(p *page) {
			fleetTextTable(p, view.FleetTable{Head: []string{"a", "b"}, Rows: [][]string{{"x", "1"}}})
		}, "  x: 1"},
		{"a condition without quotes", func(p *page) { p.line(placesOf(quoted, one) + "|") }, "|"},
		{"one with its quote", func(p *page) { p.line(placesOf(quoted, model.Need{Evidence: []string{"e"}})) }, " [a.log:7]"},
	} {
		p := &page{}
		c.write(p)
		if got := strings.ReplaceAll(strings.Trim(p.String(), "\n"), "\n", "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestActsLeftOut: a screen has some of the acts, and says how many more there are.
func TestActsLeftOut(t *testing.T) {
	for n, want := range map[int]string{doneMost: "", doneMost + 2: "  2 more"} {
		s := &layout{columns: 80}
		s.done(&view.AdviceView{Done: make([]view.DoneView, n)})
		last := s.blocks[len(s.blocks)-1]
		if got := last.lines[0].text; want != "" && (got != want || last.rank != 9) || want == "" && last.rank == 9 {
			t.Errorf("%d acts: %q of rank %d, want %q", n, got, last.rank, want)
		}
	}
}
