package remedy

import (
	"cmp"
	"slices"

	"github.com/volpost/volpost/model"
)

// rank orders remedies for a reader: those that help before those that do not, of these by what they put
// at risk of the data, and of those with an equal risk the ones that save more.
func rank(list []model.Remediation) {
	slices.SortStableFunc(list, func(a, b model.Remediation) int {
		return cmp.Or(cmp.Compare(helps(a), helps(b)), cmp.Compare(class(a), class(b)), -cmp.Compare(worth(a), worth(b)))
	})
}

func helps(r model.Remediation) int {
	switch r.Effect {
	case shortens, prevents:
		return 0
	case unclear:
		return 1
	case none:
		return 2
	case lengthens:
		return 3
	}
	return 4
}

// class is the place of the risk for the data among Risks; before them all for a remedy that does not apply.
func class(r model.Remediation) int { return slices.Index(Risks(), r.DataRisk) }

func worth(r model.Remediation) float64 {
	if r.SavedSeconds == nil {
		return 0
	}
	return r.SavedSeconds.Best
}
