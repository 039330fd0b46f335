package analyze

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
)

// stuck is the sentence of a wait that has not come to an attach: which pod on which node, since when, what keeps its replacement
// away, and what comes of the act that suggests itself.
func stuck(c *reconstruct.Case, i model.Incident) string {
	node := "unready "
	if i.Causes[0].ID == "node-down" {
		node = "lost "
	}
	return fmt.Sprintf("Pod %s is Terminating on %s%s since %s: %s", c.Began.Witness[0].Pod, node, c.From, since(i.MultiAttach.Began), toCome(c))
}

// toCome is what keeps a replacement away, and what comes then. A pod that is made has to go to another node: nothing is placed on
// one that is not Ready.
func toCome(c *reconstruct.Case) string {
	switch {
	case len(c.NewPods) > 0:
		return fmt.Sprintf("its volume stays attached there, and its replacement %s has no node yet; once it has one, Multi-Attach follows", reconstruct.PodNames(c.NewPods[:1]))
	case c.OutOfService.Known() && upstream.OutOfServiceDetach(c.World.Version) == upstream.Supported:
		return "its volume is still attached there, and its StatefulSet makes no replacement while the object exists; the out-of-service taint lets both go"
	}
	return "its volume stays attached, its StatefulSet makes no replacement while the object exists; deleting it by force leads to Multi-Attach"
}
