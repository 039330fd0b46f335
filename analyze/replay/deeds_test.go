package replay

import (
	"testing"

	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
)

// The deletion of the old pod on a lost node is the eviction's, unless it is known that a person did it; before the node was lost,
// and after it was back, it is not.
func TestEvictors(t *testing.T) {
	s := free(never)
	s.NotReady, s.Back = exactly(40), 400
	for _, c := range []struct {
		at   float64
		by   model.Truth
		want bool
	}{
		{340, model.Unknown, true}, {340, model.True, false}, {30, model.Unknown, false}, {410, model.Unknown, false},
	} {
		if got := s.evictors(wait.Action{ByPerson: c.by}, c.at); got != c.want {
			t.Errorf("at %.0f s, by a person: %s: %v", c.at, c.by, got)
		}
	}
	s.NotReady = exactly(never)
	if s.evictors(wait.Action{ByPerson: model.Unknown}, 340) {
		t.Error("a node that is Ready has no eviction")
	}
}
