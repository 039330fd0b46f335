package replay

// Pauses of the attach/detach controller and the kubelet between tries of one operation: 500 ms, doubling up to 2m2s
// (goroutinemap/exponentialbackoff, 1.13–1.36; a kubelet of 1.34.3 on a busy mount).
const (
	firstBackoff = 0.5
	maxBackoff   = 122.0
)

// pauseAt is the pause in force some time after the first try, for pauses that double from first to longest.
func pauseAt(elapsed, first, longest float64) float64 {
	sum, step := 0.0, first
	for sum+step < elapsed {
		sum += step
		step = min(2*step, longest)
	}
	return step
}

// nextTry is the first try at a time or after it, for tries that began at a time and pauses that double.
func nextTry(begun, at, first, longest float64) float64 {
	step := first
	for begun < at {
		begun += step
		step = min(2*step, longest)
	}
	return begun
}
