package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/view"
)

// GraphFormats are the formats of WriteGraph.
var GraphFormats = []string{"text", "dot", "svg"}

// WriteGraph renders objects and their relations: as a tree of text, as Graphviz source or as a drawing.
func WriteGraph(w io.Writer, format string, g model.Graph) error {
	v := view.New(&model.Report{Graph: g})
	switch format {
	case "text":
		_, err := io.WriteString(w, view.Tree(v.Graph))
		return err
	case "dot":
		_, err := io.WriteString(w, drawing.DotSource(v.PictureOf(nil), "volpost", false))
		return err
	case "svg":
		return drawing.WriteDrawing(w, v.PictureOf(nil), "Objects and how they hang together")
	}
	return fmt.Errorf("unknown format %q: one of %s", format, strings.Join(GraphFormats, ", "))
}
