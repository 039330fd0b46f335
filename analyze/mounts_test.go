package analyze_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/volpost/volpost/model"
)

// TestMountTables: only the old node's table is cited, by its rows of the volume, and the pods that it names are told.
func TestMountTables(t *testing.T) {
	const pods = "has the volume mounted for 2 pods, whose UIDs are 0ecf2272-8e9b-4eb6-a0b9-91b6a04bf6ad, fa227dd2-24ff-4793-8ede-3e72c86182ed"
	for name, cited := range map[string]int{
		"unmount-stuck/yes-mount-table":                   3,
		"unmount-stuck/undecidable-mount-table-only":      3,
		"unmount-stuck/yes-mount-table-of-another-volume": 0,
		"unmount-stuck/yes-mount-table-of-another-node":   0,
	} {
		report := parseCase(t, filepath.Join("testdata", filepath.FromSlash(name)+".txtar")).report(t)
		i := slices.IndexFunc(report.Incidents[0].Causes, func(c model.Cause) bool { return c.ID == "unmount-stuck" })
		if i < 0 {
			t.Errorf("%s: no cause", name)
			continue
		}
		c, rows := report.Incidents[0].Causes[i], 0
		for _, e := range report.Evidence {
			if strings.HasSuffix(e.Source.Path, "mounts.txt") && slices.Contains(c.For, e.ID) {
				rows++
			}
		}
		told := slices.ContainsFunc(c.For, func(s string) bool { return strings.HasSuffix(s, pods) })
		if rows != cited || told != (cited > 0) {
			t.Errorf("%s: %d rows are cited, the pods are told: %v: %q", name, rows, told, c.For)
		}
	}
}
