package remedy

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// places are the effects of remedies in the order of a reader's interest.
var places = map[string]int{model.EffectShortens: 0, model.EffectPrevents: 0, model.EffectUndecidable: 1,
	model.EffectNone: 2, model.EffectLengthens: 3, model.EffectNotApplicable: 4}

// rank orders remedies for a reader: by their effect, by the risk for the data (none where they do not apply), by what they save.
func rank(list []model.Remediation) {
	class := func(r model.Remediation) int { return slices.Index(Risks(), r.DataRisk) }
	slices.SortStableFunc(list, func(a, b model.Remediation) int {
		return cmp.Or(cmp.Compare(places[a.Effect], places[b.Effect]), cmp.Compare(class(a), class(b)), cmp.Compare(worth(b), worth(a)))
	})
}

func worth(r model.Remediation) float64 { return cmp.Or(r.SavedSeconds, &model.Range{}).Best }
