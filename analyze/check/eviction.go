package check

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// firstEviction says which of some pods of a lost node is evicted first, and when: its toleration counts from the taint. Nothing is
// said without the taint, which the controller withholds while a zone is lost, nor of what was due before the collection.
func firstEviction(w *reconstruct.World, node string, g []pod) (text string, shown []*model.Observation) {
	n, held := w.Node(node)
	end, dated := collected(w)
	if !held || !dated {
		return "", nil
	}
	for i, taint := range n.Value().Spec.Taints {
		if taint.Key != upstream.UnreachableTaint || taint.Effect != corev1.TaintEffectNoExecute || taint.TimeAdded == nil {
			continue
		}
		var first time.Time
		for _, p := range g {
			t := tolerates(p)
			due := taint.TimeAdded.Add(t.shortest)
			if !t.matches || t.unlimited || due.Before(end) || !first.IsZero() && !due.Before(first) {
				continue
			}
			first = due
			text = fmt.Sprintf(" Unless %s is back before, %s is evicted at %s UTC, when its toleration (%s) has run out, and stays Terminating.",
				node, p.Ref, due.UTC().Format("2006-01-02 15:04:05"), words.Duration(t.shortest))
			shown = append(reconstruct.CiteAll(n, fmt.Sprintf("spec.taints[%d].timeAdded", i)), reconstruct.CiteAll(p, fmt.Sprintf("spec.tolerations[%d].tolerationSeconds", t.index))...)
		}
	}
	return text, shown
}
