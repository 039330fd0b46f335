package recordings

// Sweep is every twentieth item of a list that a test goes through, from the first; all of it with the build tag long.
func Sweep[T any](all []T) []T {
	if Long {
		return all
	}
	return Every(20, 0, all)
}

// turns is over how many of a list every way has its turn.
const turns = 6

// Turn thins the ways in which a test tries the nth of a list: every sixth of them, from the nth, so that over the list each has its turn.
func Turn[T any](n int, ways []T) []T { return Every(turns, n, ways) }

// Every is each nth of a list, from the one at from.
func Every[T any](n, from int, list []T) []T {
	var out []T
	for from %= n; from < len(list); from += n {
		out = append(out, list[from])
	}
	return out
}
