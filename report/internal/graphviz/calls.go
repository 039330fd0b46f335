package graphviz

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// calls are the calls into one instance. Graphviz is a 32-bit program there: a pointer is an offset into the memory of
// the instance. Nothing is freed but the instance as a whole.
type calls struct {
	ctx      context.Context
	instance api.Module
	stderr   *strings.Builder // of the instance
}

// draw lays a graph out and renders it.
func (c *calls) draw(dot string) (string, error) {
	plugins, err := c.call("SymList_default") // the layouts and renderers that are linked into the module
	if err != nil {
		return "", err
	}
	gvc, err := c.call("getContextWithPlugins", plugins, 1) // 1: a plug-in may be loaded when it is first needed
	if err != nil {
		return "", err
	}
	source, err := c.text(dot)
	if err != nil {
		return "", err
	}
	graph, err := c.call("memRead", source)
	if err != nil {
		return "", err
	}
	if gvc == 0 || graph == 0 {
		return "", c.failed("reading the graph")
	}
	if err := c.layout(gvc, graph); err != nil {
		return "", err
	}
	return c.render(gvc, graph)
}

func (c *calls) layout(gvc, graph uint64) error {
	engine, err := c.text("dot")
	if err != nil {
		return err
	}
	failed, err := c.call("Context_layout", gvc, graph, engine)
	if err != nil {
		return err
	}
	if failed != 0 {
		return c.failed("laying out")
	}
	return nil
}

func (c *calls) render(gvc, graph uint64) (string, error) {
	format, err := c.text("svg")
	if err != nil {
		return "", err
	}
	out, err := c.allocate(8) // where the address of the text, and its length, are written
	if err != nil {
		return "", err
	}
	failed, err := c.call("Context_renderData", gvc, graph, format, out, out+4)
	if err != nil {
		return "", err
	}
	if failed != 0 {
		return "", c.failed("rendering")
	}
	svg, err := c.word(out)
	if err != nil {
		return "", err
	}
	return c.goString(svg)
}

// failed is the error of a call that Graphviz has answered with failure. Its reason is on its standard error.
func (c *calls) failed(doing string) error {
	reason := strings.TrimSpace(c.stderr.String())
	if reason == "" {
		reason = "no reason given"
	}
	return fmt.Errorf("%s: %s", doing, reason)
}

// call calls a function of the bridge, which writes its result to a place that it is given last.
func (c *calls) call(name string, arguments ...uint64) (uint64, error) {
	place, err := c.allocate(4)
	if err != nil {
		return 0, err
	}
	if err := c.raw("wasm_bridge_"+name, append(arguments[:len(arguments):len(arguments)], place)...); err != nil {
		return 0, err
	}
	return c.word(place)
}

func (c *calls) raw(name string, arguments ...uint64) error {
	function := c.instance.ExportedFunction(name)
	if function == nil {
		return fmt.Errorf("this Graphviz has no %s", name)
	}
	_, err := function.Call(c.ctx, arguments...)
	return err
}

// allocate reserves memory of the instance.
func (c *calls) allocate(size int) (uint64, error) {
	results, err := c.instance.ExportedFunction("malloc").Call(c.ctx, uint64(size))
	if err != nil {
		return 0, err
	}
	if results[0] == 0 {
		return 0, errors.New("graphviz is out of memory")
	}
	return results[0], nil
}

// text puts a text into the memory of the instance, as C has it.
func (c *calls) text(s string) (uint64, error) {
	address, err := c.allocate(len(s) + 1)
	if err != nil {
		return 0, err
	}
	if !c.instance.Memory().Write(uint32(address), append([]byte(s), 0)) {
		return 0, outside(address)
	}
	return address, nil
}

func (c *calls) word(address uint64) (uint64, error) {
	word, ok := c.instance.Memory().ReadUint32Le(uint32(address))
	if !ok {
		return 0, outside(address)
	}
	return uint64(word), nil
}

// goString copies a text out of the memory of the instance, where the bridge has written its address and its length.
func (c *calls) goString(address uint64) (string, error) {
	if address == 0 {
		return "", nil
	}
	data, err := c.word(address)
	if err != nil {
		return "", err
	}
	length, err := c.word(address + 4)
	if err != nil {
		return "", err
	}
	bytes, ok := c.instance.Memory().Read(uint32(data), uint32(length))
	if !ok {
		return "", outside(data)
	}
	return string(bytes), nil
}

func outside(address uint64) error {
	return fmt.Errorf("graphviz names address %d, which is outside of its memory", address)
}
