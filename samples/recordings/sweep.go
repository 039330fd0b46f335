package recordings

// Sweep is every fourth item of a list that a test goes through, from the first; all of it with the build tag long.
func Sweep[T any](all []T) []T {
	if Long {
		return all
	}
	var out []T
	for n := 0; n < len(all); n += 4 {
		out = append(out, all[n])
	}
	return out
}
