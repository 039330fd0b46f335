package ingest

import (
	"fmt"
	"io"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// ReadRules reads a rule file that is no part of a bundle: groups of Prometheus, PrometheusRules, or lists of those. name is
// what the file is called. The error names file and line; it is for a file of which nothing can be used.
func ReadRules(name string, r io.Reader) (model.RuleFile, error) {
	data, err := io.ReadAll(io.LimitReader(r, manifest.MaxObject+1))
	if err != nil {
		return model.RuleFile{}, fmt.Errorf("%s: %w", name, err)
	}
	out := manifest.ReadRules(data, name)
	rules := 0
	for _, g := range out.Groups {
		rules += len(g.Rules)
	}
	switch {
	case rules > 0:
		return out, nil
	case len(out.Problems) > 0:
		p := out.Problems[0]
		return model.RuleFile{}, fmt.Errorf("%s:%d: %s", p.Path, max(p.Line, 1), p.Message)
	}
	return model.RuleFile{}, fmt.Errorf("%s:1: holds no rules; expected groups: of Prometheus, or a PrometheusRule", name)
}
