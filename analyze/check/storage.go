package check

import (
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// storageSays is what the states of a storage's things mean, by kind; with a state only that one is a fault. A degraded volume serves.
var storageSays = map[string]struct{ state, text, remedy string }{ // for lookup only
	model.LonghornVolume: {model.StorageFaulted,
		"Longhorn shows volume $volume as faulted: no replica of it can serve. Nothing attaches it before one can.",
		"Bring a node with a replica of it back, or salvage one in Longhorn. This shows where they are: " +
			"kubectl get replicas.longhorn.io -n longhorn-system -l longhornvolume=$volume"},
	model.LinstorNode: {"",
		"LINSTOR shows its satellite $states. What has a volume there in use keeps it, and its replicas there are not current.",
		"See whether the machine of $node runs, and then its satellite. To ask for it anew: linstor node reconnect $node"},
	model.LinstorResource: {"",
		"LINSTOR shows volume $volume $states.",
		"See the connection between the nodes. Discard the data of neither side before it is known which is newer: " +
			"linstor resource list --resources $volume"},
}

// lookRowsStorage finds what the tables of a storage show amiss.
func lookRowsStorage(w *facts.World, _ *scene, hit func(Hit)) {
	amiss := facts.Where(w.ByKind[model.ObjectShown], func(o *model.Observation) bool {
		says, ok := storageSays[o.Object.Kind]
		return ok && (says.state == "" || says.state == o.Detail)
	})
	for _, g := range grouped(amiss, func(o *model.Observation) string { return o.Object.Kind + " " + o.Object.Name }) {
		o := g[0]
		states := facts.Each(g, func(o *model.Observation) string { return "on node " + o.Node + " as " + o.Detail })
		fill := strings.NewReplacer("$volume", o.Volume.PersistentVolume, "$node", o.Node, "$states", strings.Join(states, ", "))
		says := storageSays[o.Object.Kind]
		hit(Hit{
			Objects: affected(w, slices.Concat(g, w.ByVolume[w.Volumes.Find(o.Volume)])), Shown: g,
			Text: fill.Replace(says.text), Remedy: fill.Replace(says.remedy),
		})
	}
}
