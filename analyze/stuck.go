package analyze

import (
	"fmt"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// stuck are the sentences of a wait without an attach: which pod, where, how long, and what keeps its replacement away.
func stuck(c *reconstruct.Case, r *model.Report, i model.Incident) (headline, why string) {
	node := "unready "
	if i.Causes[0].ID == "node-down" {
		node = "lost "
	}
	pod, where := c.Began.Witness[0].Pod, node+c.From
	headline = fmt.Sprintf("Pod %s is Terminating on %s, and its volume stays attached there", pod, where)
	if captured := r.Bundle.CapturedAt; captured != nil && captured.Basis == model.Observed && !i.Span.To.IsZero() {
		headline = fmt.Sprintf("Pod %s was still down at the collection, after %s: it is Terminating on %s and keeps its volume there",
			pod, words.Seconds(outage(i)), where)
	}
	return headline, toCome(c)
}

// toCome is what keeps a replacement away, and what follows: it is never placed on a node that is not Ready.
func toCome(c *reconstruct.Case) string {
	switch {
	case len(c.NewPods) > 0:
		return fmt.Sprintf("Its replacement %s has no node yet; once it has one, Multi-Attach follows", reconstruct.PodNames(c.NewPods[:1]))
	case c.OutOfService.Known() && upstream.OutOfServiceDetach(c.World.Version) == upstream.Supported:
		return "Its StatefulSet makes no replacement while the pod object exists; the out-of-service taint lets both go"
	}
	return "Its StatefulSet makes no replacement while the pod object exists; deleting it by force leads to Multi-Attach"
}
