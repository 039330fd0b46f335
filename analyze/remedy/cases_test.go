package remedy_test

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/volpost/volpost/analyze/cause"
	"github.com/volpost/volpost/analyze/evidence"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/internal/cases"
	"github.com/volpost/volpost/analyze/remedy"
	"github.com/volpost/volpost/analyze/replay"
	"github.com/volpost/volpost/ingest"
	"github.com/volpost/volpost/model"
)

var bundles = cases.Reader("../testdata", func(bundle fs.FS) (*model.Snapshot, error) {
	return ingest.Read(context.Background(), ingest.OpenFS(bundle, "bundle"), ingest.Options{})
})

// TestCases: what each remedy says of every case, a golden for each: whole in its own cases, with what it would say ten minutes
// after the first report; in others its effect; and the reason alone where it does not apply.
func TestCases(t *testing.T) {
	judged, asked, about := cases.Open(t, "judged"), cases.Open(t, "asked"), cases.Open(t, "incident")
	for _, b := range bundles() {
		if strings.HasPrefix(b.Name, "check/") {
			continue
		}
		own := func(id string) bool { return strings.HasPrefix(b.Name, "remedy/"+id+"/") }
		w := facts.NewWorld(b.Snapshot)
		all := cases.Waits(w)
		m := replay.NewModel(w, all)
		for n, c := range all {
			var l evidence.Ledger
			i := remedy.New(m, c, cause.Explain(c, &l), 0, remedy.Alarm{})
			for _, r := range remedy.Judge(i, &l) {
				judged.Add(r.ID, b, n+1, cases.Places(&l, said(r, own(r.ID))))
			}
			predicted, observed := i.Residual()
			about.Add("about", b, n+1, fmt.Sprintf("%.4g %.4g %s | %s | %s", predicted, observed, i.Outlook(), i.Given(), i.Misfit()))
			for _, r := range remedy.All() {
				if !own(r.ID) {
					continue
				}
				at := c.Began.At.Add(10 * time.Minute)
				answer := remedy.Answer(i, r, at, &l)
				asked.Add(r.ID, b, n+1, cases.Places(&l, said(answer, true)+" "+i.Outside(at)))
			}
		}
	}
	judged.Close()
	asked.Close()
	about.Close()
}

// said is what is said of a remedy, without what is the same in every case.
func said(r model.Remediation, whole bool) string {
	if r.Effect == "not-applicable" {
		return "not-applicable " + r.Why
	}
	if !whole {
		r = model.Remediation{Effect: r.Effect, Why: r.Why, WasUsed: r.WasUsed, AppliedAt: r.AppliedAt, SavedSeconds: r.SavedSeconds,
			Safety: model.Safety{State: r.Safety.State}}
	}
	r.ID, r.Kind, r.Title, r.References, r.Commands, r.Requires = "", "", "", nil, nil, model.Requires{}
	return cases.Text(r)
}
