package check

import (
	"fmt"
	"strings"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
)

// failingDetach names detaches that fail while nobody is reported to wait for the volume. The next move of it will wait.
var failingDetach = Check{
	ID: "failing-detach", Severity: "warning",
	Title:  "A detach fails",
	Remedy: "Repair what the error names before the volume has to move.",
	Look:   lookFailingDetach,
}

func lookFailingDetach(w *reconstruct.World, cases []*reconstruct.Case) []Hit {
	var out []Hit
	for _, g := range byNode(w, cases, model.DetachFailed, model.DetachRefusedInUse, model.AttachmentDetachError) {
		refs := objects(w, g)
		out = append(out, Hit{Objects: refs, Shown: ends(g), Text: fmt.Sprintf(
			"%s could not be detached from %s: %s", volumes(refs), orUnnamed(g[0].Node, "an unknown node"), shorten(g[0].Detail))})
	}
	return out
}

const maxError = 300

func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxError {
		return string(r[:maxError]) + "…"
	}
	return s
}
