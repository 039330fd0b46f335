// Package graphviz draws graphs with github.com/goccy/go-graphviz: DOT in, SVG out. It is Graphviz itself as WebAssembly.
//
// The module compiles Graphviz while the program is being initialised; package guard says where the code is kept, and that it
// does no harm there. There is one instance for the process: pictures are drawn one after another. It sees no file and no network:
// a graph that names a file as an image gets none.
package graphviz

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/goccy/go-graphviz"

	"github.com/volpost/volpost/report/internal/graphviz/guard"
)

func init() {
	guard.Release() // go-graphviz has been initialised
	graphviz.SetFileSystem(nothing{})
}

// nothing is a file system without a file.
type nothing struct{}

func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// drawing is held by who draws: the instance is for one at a time.
var drawing sync.Mutex

// SVG lays a graph out with the dot engine. That Graphviz refuses the graph, or panics, is an error.
func SVG(ctx context.Context, dot string) (svg string, err error) {
	drawing.Lock()
	defer drawing.Unlock()
	defer func() {
		if cause := recover(); cause != nil {
			svg, err = "", fmt.Errorf("graphviz failed: %v", cause)
		}
	}()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	engine, err := graphviz.New(ctx)
	if err != nil {
		return "", fmt.Errorf("starting Graphviz: %w", err)
	}
	defer engine.Close() // it returns how many graphs were refused so far
	graph, err := graphviz.ParseBytes([]byte(dot))
	if err != nil {
		return "", fmt.Errorf("reading the graph: %w", err)
	}
	if graph == nil {
		return "", errors.New("reading the graph: Graphviz gives no reason")
	}
	defer func() { err = errors.Join(err, graph.Close()) }()
	var out bytes.Buffer
	if err := engine.Render(ctx, graph, graphviz.SVG, &out); err != nil {
		return "", fmt.Errorf("drawing: %w", err)
	}
	if out.Len() == 0 {
		return "", errors.New("drawing: Graphviz gives no picture")
	}
	return out.String(), nil
}
