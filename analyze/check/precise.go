package check

import (
	"slices"

	"github.com/volpost/volpost/model"
)

// preciseOf names, for a check that goes by an error's text, the checks that find the same fault in the objects and so
// know its reason.
var preciseOf = []struct {
	text  string
	exact []string
}{
	{"not-multi-attach-node-affinity", []string{"pod-volume-conflict", "volume-no-node"}},
	{"not-multi-attach-resize", []string{"expansion-stuck"}},
	{"not-multi-attach-limit", []string{"attach-limit"}},
	{"not-multi-attach-driver-not-registered", []string{"driver-missing"}},
}

// withoutRepeated drops findings by text whose pods or claims a finding by objects names too: one fault is told once.
func withoutRepeated(list []model.Finding) []model.Finding {
	named := map[string]map[model.Ref]bool{}
	for _, f := range list {
		for _, p := range preciseOf {
			if !slices.Contains(p.exact, f.ID) {
				continue
			}
			if named[p.text] == nil {
				named[p.text] = map[model.Ref]bool{}
			}
			for _, o := range f.Objects {
				named[p.text][plainRef(o)] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(f model.Finding) bool {
		users := 0
		for _, o := range f.Objects {
			if o.Kind != "Pod" && o.Kind != "PersistentVolumeClaim" {
				continue
			}
			if users++; !named[f.ID][plainRef(o)] {
				return false
			}
		}
		return users > 0 && named[f.ID] != nil
	})
}

// plainRef is a reference without the UID, which Events often lack.
func plainRef(r model.Ref) model.Ref {
	r.UID = ""
	return r
}
