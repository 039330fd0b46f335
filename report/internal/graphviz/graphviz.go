// Package graphviz lays graphs out: DOT in, SVG out. It is Graphviz 12.1.2 itself, compiled to WebAssembly, and the few
// calls into it that volpost needs.
//
// The WebAssembly module is that of github.com/goccy/go-graphviz v0.2.10 (internal/wasm/graphviz.wasm), as it is. That
// package compiles it while the program is being initialised, so that every command pays for it, up to a second where no
// compiled code can be kept, and it panics before main where the kept code belongs to another user. Here it is compiled
// when a picture is first drawn. `make graphviz` fetches the module again.
//
// Each picture gets an instance of its own: instances share nothing, so that pictures can be drawn at the same time, and
// one that Graphviz could not finish leaves nothing behind. An instance sees no file, no clock, no environment and no
// network: a graph that names a file as an image gets none.
package graphviz

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed graphviz.wasm
var module []byte

// SVG lays a graph out with the dot engine and answers Graphviz's SVG document. The error is Graphviz's own where it
// refuses the graph.
func SVG(ctx context.Context, dot string) (svg string, err error) {
	engine, err := compiled()
	if err != nil {
		return "", err
	}
	var stderr strings.Builder
	config := wazero.NewModuleConfig().WithName("").WithStderr(&stderr)
	instance, err := engine.runtime.InstantiateModule(ctx, engine.module, config)
	if err != nil {
		return "", fmt.Errorf("starting Graphviz: %w", err)
	}
	defer instance.Close(ctx) // its memory is all that it holds
	return (&calls{ctx: ctx, instance: instance, stderr: &stderr}).draw(dot)
}

// engine is the compiled module. It lives as long as the process.
type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// compiled compiles the module once, or takes the code that an earlier run has kept. What was kept may be cut short, by a
// full disk or another hand: then the module is compiled without it.
var compiled = sync.OnceValues(func() (*engine, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig()
	if kept, ok := directory(); ok {
		defer kept.close()
		if e, err := kept.compile(ctx, config); err == nil {
			return e, nil
		}
	}
	return compile(ctx, config)
})

func compile(ctx context.Context, config wazero.RuntimeConfig) (*engine, error) {
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, fmt.Errorf("compiling Graphviz: %w", err)
	}
	code, err := runtime.CompileModule(ctx, module)
	if err != nil {
		return nil, fmt.Errorf("compiling Graphviz: %w", err)
	}
	if err := provideCallbacks(ctx, runtime, code); err != nil {
		return nil, fmt.Errorf("compiling Graphviz: %w", err)
	}
	return &engine{runtime: runtime, module: code}, nil
}

// provideCallbacks gives the module the functions that it wants from its host. They are for plug-ins written in Go, of
// which there is none here, so that none is ever called.
func provideCallbacks(ctx context.Context, runtime wazero.Runtime, code wazero.CompiledModule) error {
	const host = "env"
	builder := runtime.NewHostModuleBuilder(host)
	for _, f := range code.ImportedFunctions() {
		from, name, _ := f.Import()
		if from != host {
			continue
		}
		refuse := func(context.Context, api.Module, []uint64) { panic("Graphviz calls " + name + ", which is not there") }
		builder = builder.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(refuse), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}
