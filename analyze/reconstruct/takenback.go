package reconstruct

// TakenBack reports that an action on the workload took its rollout back: the template was changed again while the new pod waited, the wait
// ended without an attach, and the old pod was never asked to go.
func (c *Case) TakenBack(a Action) bool {
	again := a.What == ChangedTemplate || a.What == Scaled
	return again && c.UndoneRollout() && a.At.Latest.After(c.Began.Latest) && a.At.Earliest.Before(c.DemandEnded.Latest)
}

// UndoneRollout reports that the pod that waited went away without the volume, while the one of the other revision kept it.
func (c *Case) UndoneRollout() bool {
	return c.DemandEnded.Known() && !c.Attached.Known() && !c.DeletionRequested.Known() && c.Revisions()
}
