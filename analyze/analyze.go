// Package analyze turns statements into explanations: clocks onto one axis, names to objects, observations to incidents
// and phases, phases to causes. Its door is Run. It opens no file, prints nothing and reads neither the clock nor the
// environment.
package analyze

import "github.com/volpost/volpost/model"

// Options are what the caller decides about an analysis.
type Options struct {
	Version string // of volpost, for the report's generator
}

// Run explains a snapshot. It never fails: what the snapshot cannot tell is said in the report.
func Run(s *model.Snapshot, o Options) *model.Report {
	return &model.Report{Schema: model.SchemaVersion, Generator: model.Generator{Name: "volpost", Version: o.Version}}
}
