package text

import (
	"io"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
	"github.com/volpost/volpost/report/internal/view"
)

// Graph writes objects and their relations as a tree.
func Graph(w io.Writer, c *model.Chain) error {
	p := &page{}
	for _, problem := range c.Problems {
		p.wrap("", "", words.Capital(words.OneLine(problem.Message))+".")
	}
	_, err := io.WriteString(w, view.Tree(view.New(&model.Report{Graph: c.Graph}).Graph)+p.String())
	return err
}
