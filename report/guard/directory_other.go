//go:build !unix

package guard

// Directory answers false: the temporary directory of these systems belongs to one user already.
func Directory() (string, bool) { return "", false }
