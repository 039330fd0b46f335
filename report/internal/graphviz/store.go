package graphviz

import (
	"context"
	"os"
	"path/filepath"

	"github.com/tetratelabs/wazero"
)

// store is a directory with compiled code that may be run.
type store struct {
	path   string
	opened *os.File // what keeps the path valid; nil where nothing needs to
}

// close lets go of the directory.
func (s *store) close() {
	if s.opened != nil {
		s.opened.Close() // nothing was written to it
	}
}

// compile takes the code that is kept, or compiles the module and keeps it. What is kept and damaged is removed, so that a
// later run keeps it anew.
func (s *store) compile(ctx context.Context, config wazero.RuntimeConfig) (*engine, error) {
	cache, err := wazero.NewCompilationCacheWithDir(s.path)
	if err != nil {
		return nil, err
	}
	e, err := compile(ctx, config.WithCompilationCache(cache))
	if err != nil {
		s.empty()
	}
	return e, err
}

// empty removes all that is kept.
func (s *store) empty() {
	kept, _ := filepath.Glob(filepath.Join(s.path, "wazero-*")) // the pattern is a good one
	for _, dir := range kept {
		_ = os.RemoveAll(dir) // what cannot be removed is not used either
	}
}
