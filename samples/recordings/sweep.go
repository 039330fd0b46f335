package recordings

// Sweep is every sixth item of a list that a test goes through, from the first; all of it with the build tag long.
func Sweep[T any](all []T) []T {
	return Turn(0, all)
}

// Turn thins the ways in which a test tries the nth of a list: every sixth of them, from the nth, so that over the list each has its turn.
func Turn[T any](n int, ways []T) []T {
	if Long {
		return ways
	}
	var out []T
	for n %= 6; n < len(ways); n += 6 {
		out = append(out, ways[n])
	}
	return out
}
