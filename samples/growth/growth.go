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

// Most is how many times the CPU four times the input may take. What grows by the square takes up to 16 times; caches and the collector, on
// a machine that runs other packages' tests as well, have made up to 5.4 times of what is linear.
const Most = 8

// Linear reports whether four times the input took at most Most times the CPU, but for 40 ms of other work on the machine.
func Linear(one, four time.Duration) bool {
	return four.Seconds() <= Most*one.Seconds()+0.04
}

// Check wants four times an input to take the CPU that Linear allows, in the best of several runs. It returns what the large input took.
func Check(t *testing.T, name string, one, four func()) time.Duration {
	t.Helper()
	const tries = 10
	small, large := time.Hour, time.Hour
	for range tries {
		small, large = min(small, measured(t, one)), min(large, measured(t, four))
		if Linear(small, large) {
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
