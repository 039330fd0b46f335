package recordings

// Sweep is every sixth item of a list that a test goes through, from the first; all of it with the build tag long.
func Sweep[T any](all []T) []T {
	if Long {
		return all
	}
	return Turn(0, all)
}

// turns is over how many of a list every way has its turn.
const turns = 6

// Turn thins the ways in which a test tries the nth of a list: every sixth of them, from the nth, so that over the list each has its turn.
func Turn[T any](n int, ways []T) []T {
	var out []T
	for n %= turns; n < len(ways); n += turns {
		out = append(out, ways[n])
	}
	return out
}
