package ingest

import (
	"strings"
	"testing"

	"github.com/volpost/volpost/ingest/internal/layout"
	"github.com/volpost/volpost/model"
)

// TestAReadersFaultCostsOneFile makes a reader fail in the middle of a file.
func TestAReadersFaultCostsOneFile(t *testing.T) {
	p := (&reading{}).newPart("a.log", layout.Of("a.log"))
	p.guarded(func() { panic("index out of range") })
	if p.input.Kind != model.InputUnread || len(p.Problems) != 1 || !strings.Contains(p.Problems[0].Message, "index out of range") {
		t.Errorf("input %q, problems %v", p.input.Kind, p.Problems)
	}
}
