package analyze

import (
	"context"

	"github.com/volpost/volpost/analyze/diff"
	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/fleet"
	"github.com/volpost/volpost/model"
)

// DiffSide is what Diff needs of one collection. It keeps nothing of the snapshot that it was made of.
type DiffSide struct{ side *diff.Side }

// DiffError says why two collections are not compared, and what to do.
type DiffError = diff.OrderError

// SideOf explains a snapshot and prepares it to be compared. When ctx is done, the comparison says what it cannot show for that.
func SideOf(ctx context.Context, s *model.Snapshot, o Options) DiffSide {
	return DiffSide{diff.OfBundle(facts.NewWorld(s), Run(ctx, s, o))}
}

// SideOfReport prepares a report to be compared. It has less than its bundle: of VolumeAttachments only those of its incidents.
func SideOfReport(r *model.Report) DiffSide { return DiffSide{diff.OfReport(r)} }

// Diff compares two collections of one cluster, the older one first. It returns a *DiffError for those that seem to be of
// two clusters, unless oneCluster says otherwise, and for those that are surely in the other order.
func Diff(before, after DiffSide, o Options, oneCluster bool) (*model.Diff, error) {
	return diff.Compare(before.side, after.side, o.Version, oneCluster)
}

// Fleet collects many reports and sums them up. The zero value is ready.
type Fleet = fleet.Fleet
