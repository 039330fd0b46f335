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

// Linear reports whether four times the input took at most that many times the CPU, but for 40 ms of other work on the machine.
func Linear(most float64, one, four time.Duration) bool {
	return four.Seconds() <= most*one.Seconds()+0.04
}

// Check wants four times an input to take the CPU that Linear allows, in the best of several runs. It returns what the large input took.
func Check(t *testing.T, name string, most float64, one, four func()) time.Duration {
	t.Helper()
	const tries = 6
	small, large := time.Hour, time.Hour
	for range tries {
		small, large = min(small, measured(t, one)), min(large, measured(t, four))
		if Linear(most, small, large) {
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
