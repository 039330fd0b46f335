//go:build unix

package main

import (
	"os"
	"syscall"
)

// openPlainly opens what a name is, and not what it links to, and waits for no reader.
const openPlainly = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// reopened is an open stream of the process, to be closed by itself.
func reopened(n int, name string) (*os.File, error) {
	again, err := syscall.Dup(n)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(again)
	return os.NewFile(uintptr(again), name), nil
}
