package advice

import (
	"fmt"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// compared is how a replica of the same loss fared that was treated differently; nil without one, or where nobody treated either.
func (c *chooser) compared() *model.Compared {
	s, ok := c.i.Case.LostTogether()
	n, acted := c.first()
	if !ok || !acted || !c.i.Case.Attached.Known() {
		return nil
	}
	own := c.acts[n]
	if own.Remedy != nil && *own.Remedy == "out-of-service-taint" && s.Tainted.Known() {
		return nil // both were treated alike
	}
	text := fmt.Sprintf("At the same time %s was lost with %s; it had its volume again at %s.",
		s.Pod.Name, s.Node, model.TimeOfDay(s.Moved.At))
	if s.Tainted.Known() {
		text = fmt.Sprintf("At the same time %s was lost with %s, which was tainted out-of-service: it had its volume %s later.", s.Pod.Name,
			s.Node, words.Whole(s.Moved.At.Sub(s.Tainted.At).Seconds()))
	}
	text += fmt.Sprintf(" %s at %s: it had its volume %s later.", words.Capital(own.What), model.TimeOfDay(own.At.At),
		words.Whole(c.i.Case.Attached.At.Sub(own.At.At).Seconds()))
	evidence := append(c.l.Observations(append(s.Moved.Witness, s.Tainted.Witness...)), own.Evidence...)
	return &model.Compared{Text: text, Evidence: evidence}
}
