package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/drawing"
	"github.com/volpost/volpost/report/internal/view"
)

// GraphFormats are the formats of WriteGraph.
func GraphFormats() []string { return []string{"text", "dot", "svg"} }

// WriteGraph renders objects and their relations: as a tree of text, as Graphviz source or as a drawing.
func WriteGraph(w io.Writer, format string, c *model.Chain) error {
	v, p := view.New(&model.Report{Graph: c.Graph}), &page{}
	picture := v.PictureOf(nil)
	for _, problem := range c.Problems {
		p.wrap("", "", words.Capital(words.OneLine(problem.Message))+".")
		picture.Note += " " + words.Capital(problem.Message) + "."
	}
	switch format {
	case "text":
		_, err := io.WriteString(w, view.Tree(v.Graph)+p.String())
		return err
	case "dot":
		_, err := io.WriteString(w, drawing.DotSource(picture, "volpost", false))
		return err
	case "svg":
		return drawing.WriteDrawing(w, picture, "Objects and how they hang together")
	}
	return fmt.Errorf("unknown format %q: one of %s", format, strings.Join(GraphFormats(), ", "))
}
