//go:build !unix

package main

import "os"

// openPlainly has no meaning on these systems: they have no named pipes among their files.
const openPlainly = 0

// reopened opens a file of that name: streams have none here.
func reopened(_ int, name string) (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) }
