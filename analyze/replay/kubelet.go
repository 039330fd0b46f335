package replay

// The kubelet's tries to see its volume attached: 500 ms after the first failure, then twice as long up to 2m2s
// (goroutinemap/exponentialbackoff, 1.13–1.36).
const (
	firstBackoff = 0.5
	maxBackoff   = 122.0
)

// reportPeriod is how often the kubelet writes its status. A volume must stand in volumesInUse before the kubelet looks
// for its attachment (GenerateVerifyControllerAttachedVolumeFunc), so that its tries begin up to that long after the pod
// came.
const reportPeriod = 10.0

// A pod worker waits 2m3s for its volumes and tries again after 10 s (volume_manager.go, pod_workers.go); a volume that is
// mounted in between waits for the next round. The recordings show rounds of 133 s.
const (
	roundWait  = 123.0
	roundPause = 10.0
)

// nextTry is the kubelet's first try at or after a time, when its tries began at start.
func nextTry(start, t float64) float64 {
	try, step := start, firstBackoff
	for try < t {
		try += step
		step = min(2*step, maxBackoff)
	}
	return try
}

// stepAt is the pause between two tries that is in force some time after the first.
func stepAt(elapsed float64) float64 { return pauseAt(elapsed, firstBackoff, maxBackoff) }

// pauseAt is the same for pauses that double from a first to a longest one.
func pauseAt(elapsed, first, longest float64) float64 {
	sum, step := 0.0, first
	for sum+step < elapsed {
		sum += step
		step = min(2*step, longest)
	}
	return step
}

// nextRound is when the pod worker of a pod that came at start sees a volume that was mounted at t.
func nextRound(start, t float64) float64 {
	if t <= start {
		return t
	}
	rounds := int((t - start) / (roundWait + roundPause))
	begun := start + float64(rounds)*(roundWait+roundPause)
	if t-begun <= roundWait {
		return t
	}
	return begun + roundWait + roundPause
}

// seenBy is when the kubelet of a pod that was scheduled at start tries after the volume became visible: by its own
// schedule of tries, whose beginning is known to the length of one status report.
func seenBy(start, visible float64, u *draw) float64 {
	return nextRound(start, nextTry(start+u[uReported]*reportPeriod, visible))
}

// seenAnyTime bounds the same when the position within the pause in force is taken as unknown: a restart of the kubelet,
// or a clock that drifts, moves it.
func seenAnyTime(start, visible float64) (from, to float64) {
	elapsed := visible - start
	pause := max(stepAt(elapsed-reportPeriod), min(stepAt(elapsed), reportPeriod))
	if elapsed < reportPeriod {
		pause = reportPeriod
	}
	return visible, visible + pause
}
