// Package guard keeps go-graphviz from panicking before main.
//
// go-graphviz v0.2.10 compiles its WebAssembly module in a package initialiser, through a cache in the directory
// go-graphviz below os.TempDir(). wazero writes that cache readable by its owner only, and go-graphviz panics on any
// error of reading or writing it: a second user of one host, a full disk or a read-only mount would end every command,
// even one that draws nothing. Compiled code found in a directory that everybody can write to would also be run.
//
// So this package points TMPDIR, for the length of the initialisation only, at a directory that belongs to this user
// alone; where there is none, at a path below which no directory can exist, which makes go-graphviz work without cache.
//
// It must be initialised before go-graphviz/internal/wasm. Go initialises, of all packages whose imports are ready, the
// one with the smallest import path (language specification, since 1.21). This package imports only os and syscall, and
// is therefore ready when os is. wazero imports net, which is ready after os too and sorts after "github.com/volpost":
// so this package comes before net, net before wazero, and wazero before go-graphviz. Another import here could break
// that; TestInitOrder watches it.
package guard

import "os"

// variable is what os.TempDir reads on Unix.
const variable = "TMPDIR"

// original is TMPDIR as the user had it.
var original, originalSet = os.LookupEnv(variable)

func init() {
	if dir, ok := Directory(); ok {
		os.Setenv(variable, dir)
	}
}

// Restore gives TMPDIR its original value. The importer of go-graphviz calls it from a variable initialiser, which Go
// runs after go-graphviz has been initialised.
func Restore() bool {
	if originalSet {
		return os.Setenv(variable, original) == nil
	}
	return os.Unsetenv(variable) == nil
}
