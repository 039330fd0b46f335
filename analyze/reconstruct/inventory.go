package reconstruct

import (
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

func refsOf(list ...model.Ref) facts.Refs {
	var out facts.Refs
	out.Add(list...)
	return out
}
