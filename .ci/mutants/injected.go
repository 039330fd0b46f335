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
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func mutantNot(n int, b bool) bool        { return b != mutantIs(n) }
func mutantEdge(n int, b, equal bool) bool { return b != (mutantIs(n) && equal) }
func mutantTrue(n int, b bool) bool       { return mutantIs(n) || b }
func mutantFalse(n int, b bool) bool      { return !mutantIs(n) && b }

func mutantOr[T any](n int, a, b T) T {
	if mutantIs(n) {
		return b
	}
	return a
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

// loop runs the package's tests once without a mutant and then with each that they reached.
const loop = `

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	os.Stdout, _ = os.Open(os.DevNull)
	if m.Run() != 0 {
		os.Exit(1)
	}
	fmt.Fprintln(os.Stderr, "mutant 0 passed")
	until, err := time.Parse(time.RFC3339Nano, os.Getenv("MUTANTS_UNTIL"))
	for _, word := range strings.Split(strings.TrimSuffix(os.Getenv("MUTANTS"), ","), ",") {
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
	os.Exit(0)
}
`
