package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// maxQuiet bounds the files that gave nothing and are inputs each. Those of an archive or directory beyond it are one: it may be a million.
const maxQuiet = 50_000

// quietInputs accounts for the files that gave nothing, and for each byte of them.
func (r *reading) quietInputs() []model.Input {
	slices.SortFunc(r.quiet, func(a, b quiet) int { return cmp.Compare(a.path, b.path) })
	kept := r.quiet[:min(len(r.quiet), maxQuiet)]
	out := make([]model.Input, 0, len(kept))
	for _, q := range kept {
		if q.log == nil {
			q.log = &model.Input{Path: q.path, Kind: q.kind, Bytes: q.bytes}
		}
		out = append(out, *q.log)
	}
	rest := r.quiet[len(kept):]
	for len(rest) > 0 {
		top, _, _ := strings.Cut(rest[0].path, "/")
		top, _, _ = strings.Cut(top, "!")
		n, bytes := 0, int64(0)
		for n < len(rest) && (rest[n].path == top || strings.HasPrefix(rest[n].path, top+"/") || strings.HasPrefix(rest[n].path, top+"!")) {
			bytes += rest[n].bytes
			n++
		}
		out = append(out, model.Input{Path: top + "!…", Kind: model.InputIgnored, Bytes: bytes})
		r.s.Problems = append(r.s.Problems, model.Problem{Severity: model.Info, Path: top + "!…",
			Message: fmt.Sprintf("%d more files that told nothing are one input here", n)})
		rest = rest[n:]
	}
	return out
}

// fewProblems sorts the problems, keeps the graver of too many, and counts the rest.
func fewProblems(all []model.Problem) []model.Problem {
	order := func(a, b model.Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	}
	slices.SortStableFunc(all, order)
	more := len(all) - maxProblems
	if more <= 0 {
		return all
	}
	gravest := []model.Severity{model.Failure, model.Warning, model.Info}
	slices.SortStableFunc(all, func(a, b model.Problem) int {
		return slices.Index(gravest, a.Severity) - slices.Index(gravest, b.Severity)
	})
	all = append(all[:maxProblems], model.Problem{Severity: model.Warning, Path: ".",
		Message: fmt.Sprintf("%d more problems, the least grave, are not listed", more)})
	slices.SortStableFunc(all, order)
	return all
}
