package main

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/volpost/volpost/report"
)

// isReport reports whether the arguments name one file with a JSON report.
func isReport(arguments []string) bool {
	return len(arguments) == 1 && arguments[0] != standardInput && report.IsReport(firstBytes(arguments[0]))
}

// holdsReport is isReport of one argument, which can be standard input.
func (a *app) holdsReport(path string) bool {
	if path != standardInput {
		return isReport([]string{path})
	}
	in := bufio.NewReaderSize(a.stdin, report.Beginning)
	head, _ := in.Peek(report.Beginning) // a shorter input is no error, and a broken one fails when it is read
	a.stdin = in
	return report.IsReport(head)
}

// firstBytes is the beginning of a regular file; of anything else nothing.
func firstBytes(path string) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil // reading it as a bundle says why
	}
	defer file.Close() // it was read only: closing can lose nothing
	head := make([]byte, report.Beginning)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return head[:n]
}
