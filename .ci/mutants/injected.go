package main

// helpers stand in the package under test. The number that is on decides; each remembers that it was reached.
const helpers = `

var mutantOn int
var mutantSeen [1 << 16]bool

func mutantIs(n int) bool {
	if mutantOn == 0 {
		mutantSeen[n] = true
	}
	return mutantOn == n
}

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func mutantNot(n int, b bool) bool        { return b != mutantIs(n) }
func mutantTrue(n int, b bool) bool       { return mutantIs(n) || b }
func mutantFalse(n int, b bool) bool      { return !mutantIs(n) && b }

// mutantOrder compares once: an operand may read a file. The mutant after n moves the boundary.
func mutantOrder[T mutantNumber | ~string](n int, a, b T, op string) bool {
	less, equal := op[0] == '<', len(op) == 2
	was := less && a < b || !less && a > b || equal && a == b
	return was != mutantIs(n) != (mutantIs(n+1) && a == b)
}

// mutantPick is the least, for min, or the greatest.
func mutantPick[T mutantNumber | ~string](n int, op string, first T, rest ...T) T {
	for _, v := range rest {
		if (op == "min") != mutantIs(n) {
			first = min(first, v)
		} else {
			first = max(first, v)
		}
	}
	return first
}

func mutantTimes[T mutantNumber](n int, a T) T {
	if !mutantIs(n) {
		return a
	}
	if a == 0 {
		return 1
	}
	hundred := T(100)
	return a * hundred
}

func mutantMath[T mutantNumber](n int, a, b T, op string) T {
	on := mutantIs(n)
	switch {
	case (op == "+") != on && (op == "+" || op == "-"):
		return a + b
	case op == "+" || op == "-":
		return a - b
	case (op == "*") != on:
		return a * b
	}
	return a / b
}
`

// loop runs the package's tests once without a mutant and then with each that they reached. A package's own TestMain calls it in the place
// of m.Run, and is as patient with a broken rule as the tests without one took.
const loop = `

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func MutantsRun(m *testing.M) int {
	began := time.Now()
	if m.Run() != 0 {
		return 1
	}
	os.Stdout, _ = os.Open(os.DevNull)
	fmt.Fprintln(os.Stderr, "mutant 0 passed")
	flag.Set("test.timeout", max(30*time.Second, 5*time.Since(began)).String())
	until, err := time.Parse(time.RFC3339Nano, os.Getenv("MUTANT_UNTIL"))
	for _, word := range strings.Split(strings.TrimSuffix(os.Getenv("MUTANT_LIST"), ","), ",") {
		if err == nil && time.Now().After(until) {
			break
		}
		fmt.Sscan(word, &mutantOn)
		result := "unreached"
		if mutantSeen[mutantOn] {
			if result = "survived"; m.Run() != 0 {
				result = "killed"
			}
		}
		fmt.Fprintln(os.Stderr, "mutant", mutantOn, result)
	}
	mutantOn = 0
	return 0
}
`

// testMain is that of a package without one.
const testMain = `
func TestMain(m *testing.M) { os.Exit(MutantsRun(m)) }
`
