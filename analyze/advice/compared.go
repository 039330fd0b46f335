package advice

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
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
	name := c.i.Case.OldPods[0].Name
	if own.Remedy != nil && *own.Remedy == "out-of-service-taint" && s.Tainted.Known() {
		return nil // both were treated alike
	}
	later := func(from, to reconstruct.Instant) string { return words.Whole(to.At.Sub(from.At).Seconds()) + " later" }
	text := fmt.Sprintf("%s, lost at the same time with %s, had its volume again at %s", s.Pod.Name, s.Node, model.TimeOfDay(s.Moved.At))
	if s.Tainted.Known() {
		text = fmt.Sprintf("%s, lost at the same time, was tainted out-of-service (%s) and had its volume %s", s.Pod.Name, s.Node,
			later(s.Tainted, s.Moved))
	}
	text += fmt.Sprintf("; for %s %s at %s, and it had its volume %s.", name, own.What, model.TimeOfDay(own.At.At),
		words.Whole(c.i.Case.Attached.At.Sub(own.At.At).Seconds())+" later")
	evidence := append(c.l.Observations(append(s.Moved.Witness, s.Tainted.Witness...)), own.Evidence...)
	return &model.Compared{Text: text, Evidence: evidence}
}
