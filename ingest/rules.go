package ingest

import (
	"fmt"
	"io"

	"github.com/volpost/volpost/ingest/internal/manifest"
	"github.com/volpost/volpost/model"
)

// ReadRules reads a rule file that is no part of a bundle. name is what it is called; the error names it, for a file without any rule.
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
	if rules > 0 {
		return out, nil
	}
	if len(out.Problems) > 0 {
		p := out.Problems[0]
		return model.RuleFile{}, fmt.Errorf("%s:%d: %s", p.Path, max(p.Line, 1), p.Message)
	}
	return model.RuleFile{}, fmt.Errorf("%s:1: holds no rules; expected groups: of Prometheus, or a PrometheusRule", name)
}

// ruleFile reads a file of rules: what somebody would be told of, and nothing of the cluster.
func (p *part) ruleFile(data []byte) {
	p.input.Kind = model.InputManifests
	file := manifest.ReadRules(data, p.input.Path)
	p.Problems = append(p.Problems, file.Problems...)
	for _, g := range file.Groups {
		p.input.Records += len(g.Rules)
	}
	p.input.Used = p.input.Records
	if p.input.Records > 0 {
		p.RuleFiles = append(p.RuleFiles, file)
	}
}

// rules reads what a server answered about its rules or its alerts.
func (p *part) rules(data []byte) {
	p.input.Kind = model.InputManifests // of no series
	file, active, err := manifest.ReadRuleAnswer(data, p.input.Path)
	if err != nil {
		p.problem(model.Failure, 0, err.Error())
		p.input.Kind = model.InputUnread
		return
	}
	p.input.Records = len(active)
	for _, g := range file.Groups {
		p.input.Records += len(g.Rules)
	}
	p.input.Used = p.input.Records
	if len(file.Groups) > 0 {
		p.RuleFiles = append(p.RuleFiles, file)
	}
	p.ActiveAlerts = append(p.ActiveAlerts, active...)
}
