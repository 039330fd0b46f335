//go:build !long

package recordings

// Long says whether the tests may take a quarter of an hour.
const Long = false
