package text

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/reporttest"
)

// On forty columns stays what matters most, each block whole.
func TestNarrowScreen(t *testing.T) {
	var b strings.Builder
	if err := WriteScreen(&b, reporttest.Fixture("rich"), Screen{Columns: 20, Page: "page.html"}, nil); err != nil {
		t.Fatal(err)
	}
	want := `RESOLVED · 14 min 1 s
shop/orders-db-data stayed attached to
the lost node ip-10-0-131-75 for 7m 6.7s
after the new pod wanted it on
ip-10-0-130-38: the old pod was
force-deleted at 06:13:32.5 and the
controller then waited its six minutes.
! Ignored:
  namespaces/shop/pods/orders-db/logs/
  app.log: nothing in it is output of
  Kubernetes that is read
WHAT WAS DONE
  06:07:11 Deployment external-attacher
    scaled to 0, by ada@example.com:
    caused the wait
  06:13:31 Pod shop/orders-db-0 deleted
    by force, by an unknown user:
    started the controller's six-minute
    timer; cost 3 min 20 s
    (3 min 10 s–3 min 30 s)
BETTER AT THAT MOMENT, 06:13:31
2 Act   taint the node
    kubectl taint node \
      ip-10-0-131-75.eu-west-1.compute.internal \
      node.kubernetes.io/out-of-service=nodeshutdown:NoExecute
HOW SURE: confirmed from 3 sources
MORE: page.html has the evidence; --full
  prints everything
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// What a bundle has and lacks, and what would have been: the lines that say it.
func TestRowsOfResults(t *testing.T) {
	r := reporttest.Fixture("rich")
	r.Bundle.Unreadable = []model.Unreadable{{Path: "a\nb", Why: "permission denied"}}
	r.Bundle.Problems = append(r.Bundle.Problems, make([]model.Problem, 10)...)
	r.Alerts = []model.Alert{{Name: "Mine", Origin: "own.yaml", Line: 7, Result: "cannot-fire", Note: "It does not parse."},
		{Name: "Popular", Origin: "seed", Result: "never"}, {Name: "Ours", Origin: "builtin", Result: "fired", Note: "synthesised series"}}
	asked := &model.WhatIf{Asked: []string{"taint at 06:16:51"}, Incident: r.Incidents[0], Answer: r.Incidents[0].Remediations[1],
		Evidence: r.Evidence, Problems: []model.Problem{{Message: "cut short"}}}
	safe := *asked
	safe.Answer.DataRisk, safe.Answer.Safety, safe.Answer.PredictedEnd, safe.Asked = model.RiskNone, model.Safety{}, nil, nil
	for _, c := range []struct {
		name      string
		write     func(b *strings.Builder) error
		has, lack []string
	}{
		{"bundle", func(b *strings.Builder) error { return Bundle(b, r) }, []string{
			"bundle     incidents/s01b/bundle (must-gather), Kubernetes v1.34.3\n", "not read   a\\nb: permission denied\n",
			"  ignored                      1 file, 0 records, 900 bytes\n", "WHAT HAS TIMES\n  namespaces/kube-system/pods/kcm/logs/current.log\n",
			"log/kube-controller-manager, 230 of 20111 records used, from 2026-11-21\n", "objects; offset +0.004 s ± 0.500 s\n",
			"    collect with: oc adm inspect ns/kube-node-lease\n    or with: "}, []string{" more; volpost inspect"}},
		{"report", func(b *strings.Builder) error { return Write(b, r, nil) }, []string{"  and 4 more; volpost inspect lists them\n",
			"  Mine (own.yaml:7): cannot fire; It does not parse.\n", "  Ours (recommended): fired\n"}, []string{"Popular"}},
		{"what if", func(b *strings.Builder) error { return WhatIf(b, asked) }, []string{"WHAT IF: taint at 06:16:51\n", "bundle     unnamed\n",
			"    as it was ddee", "  14 min 1 s\n", "    would be  ddee", "~  ", "11 min 40 s\n", "\nData risk: none if verified\n", "  to be proven first: ",
			"Side effects: every pod on", "    kubectl taint", "\nCut short.\n"}, nil},
		{"no risk", func(b *strings.Builder) error { return WhatIf(b, &safe) }, []string{"WHAT IF: nothing were different\n", "    as it was ddee",
			"Data risk: none\n"}, []string{"would be  d", "to be proven", "does not say what rules"}},
	} {
		var b strings.Builder
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		for _, text := range c.has {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s lacks %q:\n%s", c.name, text, b.String())
			}
		}
		for _, text := range c.lack {
			if strings.Contains(b.String(), text) {
				t.Errorf("%s has %q", c.name, text)
			}
		}
	}
}
