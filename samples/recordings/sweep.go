package recordings

// Sweep thins a list that a test goes through: every fourth of it, from the first. With the build tag long, as make test-long has it, it is
// all of it.
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
