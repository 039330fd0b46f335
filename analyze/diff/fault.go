package diff

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// faults compares the findings that somebody has to look at: those of one check about the same objects are one.
func (c *comparison) faults() {
	before, after := open(c.before), open(c.after)
	for _, f := range after {
		change := model.ChangeNew
		if slices.ContainsFunc(before, func(b model.Finding) bool { return sameFault(b, f) }) {
			change = model.ChangeStillOpen
		} else if c.before.Report.Verdict.Status == model.StatusInsufficient {
			change = model.ChangeUncovered
		}
		c.fault(f, change)
	}
	for _, f := range before {
		change := model.ChangeEnded
		if c.after.Report.Verdict.Status == model.StatusInsufficient {
			change = model.ChangeUncovered
		}
		if !slices.ContainsFunc(after, func(a model.Finding) bool { return sameFault(a, f) }) {
			c.fault(f, change)
		}
	}
}

func (c *comparison) fault(f model.Finding, change model.ChangeKind) {
	c.out.Faults = append(c.out.Faults, model.FaultChange{ID: f.ID, Title: f.Title, Change: change, Objects: f.Objects, Text: f.Text})
}

func open(s *Side) []model.Finding {
	return slices.DeleteFunc(slices.Clone(s.Report.Findings), func(f model.Finding) bool { return f.Severity == string(model.Info) })
}

// sameFault reports that two findings are of one check and one object: the first, without a UID, which a new object of the name changes.
func sameFault(a, b model.Finding) bool { return a.ID == b.ID && faultKey(a) == faultKey(b) }

func faultKey(f model.Finding) string {
	var out []string
	for _, o := range f.Objects[:min(1, len(f.Objects))] {
		out = append(out, o.Kind+" "+o.Namespace+"/"+o.Name)
	}
	return strings.Join(out, ", ")
}
