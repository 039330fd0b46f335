package model

import "time"

// Supplied is what the user states of a bundle where its evidence does not. It fills gaps: what the evidence shows stays.
type Supplied struct {
	CollectedAt time.Time      // when what the collectors did not date was collected; zero when not given
	Year        int            // in which the logs end whose lines have none; 0 when not given
	LogZone     *time.Location // of the logs whose lines have none; nil when not given
	LogZoneName string         // as the user wrote it
}

// OffsetAt is the offset of LogZone from UTC at a wall clock's time, whose own zone does not matter.
func (s Supplied) OffsetAt(wall time.Time) time.Duration {
	_, east := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, s.LogZone).Zone()
	return time.Duration(east) * time.Second
}

// CollectedHow says how it is known when a bundle was collected.
type CollectedHow string

// The ways, from the best to none.
const (
	CollectedRecorded CollectedHow = "recorded"    // the collector wrote it down
	CollectedNamed    CollectedHow = "named"       // the name of a directory or an archive has it
	CollectedAges     CollectedHow = "ages"        // an instant that one source dates and the age that another shows of it
	CollectedSupplied CollectedHow = "said"        // the user stated it
	CollectedNewest   CollectedHow = "newest-time" // nothing records it; the newest time in the bundle, which is not later
	CollectedAssumed  CollectedHow = "assumed"     // nothing records it and nothing is dated; a time that stands for it
)

// Aged is an object's age at the time when a table was printed, seconds since its creation.
type Aged struct {
	Object Ref
	Age    Range
	Input  string
	Source Source
	Quote  Quote
}
