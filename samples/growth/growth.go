//go:build unix

// Package growth holds what tests share that compare the work of a small and of a large input.
package growth

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Spent is the CPU that the process has taken. Other processes on the machine change it little.
func Spent(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Most is how many times the CPU four times the input may take. What grows by the square takes up to 16 times.
const Most = 4.6

// Check wants four times an input to take at most Most times the CPU, but for 40 ms, which other work on the machine makes of it. The best
// of several runs counts. It answers what the large input took.
func Check(t *testing.T, name string, one, four func()) time.Duration {
	t.Helper()
	const noise, tries = 40 * time.Millisecond, 6
	small, large := time.Hour, time.Hour
	for range tries {
		small, large = min(small, measured(t, one)), min(large, measured(t, four))
		if large.Seconds() <= Most*small.Seconds()+noise.Seconds() {
			return large
		}
	}
	t.Errorf("four times the %s: %v and %v, %.1f times as much", name, small, large, large.Seconds()/small.Seconds())
	return large
}

// measured is the CPU that a function takes, without the collection of what was before.
func measured(t *testing.T, do func()) time.Duration {
	t.Helper()
	runtime.GC()
	before := Spent(t)
	do()
	return Spent(t) - before
}
