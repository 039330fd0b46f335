package analyze

import "github.com/volpost/volpost/analyze/fleet"

// Fleet collects many reports and sums them up. The zero value is ready.
type Fleet = fleet.Fleet
