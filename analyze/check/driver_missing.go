package check

import (
	"fmt"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/volpost/volpost/analyze/reconstruct"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

var driverMissing = Check{
	ID: "driver-missing", Severity: "warning",
	Title:  "A node lacks the CSI driver of a volume that it has to mount",
	Remedy: "Get the driver's node plugin to run on the node and to register.",
	Doc: Doc{
		Means: `The kubelet mounts and unmounts CSI volumes through the node plugin that registered on its node (CSINode, spec.drivers). Without it a pod stays in
ContainerCreating, one that ends cannot be unmounted, and the external-attacher does not know the node.`,
		DecidedBy: "A VolumeAttachment to a node, or a pod with a volume on it, whose driver the node's CSINode does not list; or a node of the bundle without CSINode in a list of all.",
		LeftAlone: "Nodes that no longer exist; volumes of in-tree plugins; drivers that need no attachment and whose volumes no pod on the node uses.",
		References: []string{
			"https://kubernetes-csi.github.io/docs/csi-node-object.html",
			"kubernetes-csi/external-attacher pkg/controller/csi_handler.go getNodeID, 2.2.1–4.13.0",
		},
	},
	Needs: []Need{needCSINodes, needNodes, needVolumes},
	Look:  lookDriverMissing,
}

func lookDriverMissing(w *reconstruct.World, _ []*reconstruct.Case) []Hit {
	have := map[ofDriver]bool{}
	for _, n := range w.CSINodes {
		for _, d := range n.Value().Spec.Drivers {
			have[ofDriver{n.Ref.Name, d.Name}] = true
		}
	}
	var missing []ofDriver
	used := volumesByNode(w)
	for key := range used {
		if _, exists := w.Node(key.node); exists && !have[key] {
			missing = append(missing, key)
		}
	}
	slices.SortFunc(missing, func(a, b ofDriver) int { return strings.Compare(a.node+"|"+a.driver, b.node+"|"+b.driver) })
	var out []Hit
	for _, key := range missing {
		csi, ok := w.CSINode(key.node)
		h := Hit{Objects: []model.Ref{nodeRef(key.node), used[key].ref}}
		registered := "the node has no CSINode object"
		if ok {
			h.Objects, h.Shown = append(h.Objects, csi.Ref), reconstruct.CiteAll(csi, "metadata.name")
			registered = "its CSINode lists no driver"
			if names := driverNames(csi.Value().Spec.Drivers); len(names) > 0 {
				registered = "its CSINode lists " + words.List(names)
				h.Shown = append(h.Shown, reconstruct.CiteAll(csi, "spec.drivers[0].name")...)
			}
		} else if !w.Listed("CSINode", "") {
			continue
		}
		n, _ := w.Node(key.node)
		h.Shown = append(append(h.Shown, reconstruct.CiteAll(n, "metadata.name")...), used[key].cite()...)
		h.Text = fmt.Sprintf("Node %s has or is to have %s of %s, and %s.", key.node, words.Plural(len(used[key].volumes), "volume", "volumes"), key.driver, registered)
		h.Remedy = fmt.Sprintf("Check the node plugin of %s on %s (kubectl get pods -A --field-selector spec.nodeName=%s) and the log of its container node-driver-registrar.", key.driver, key.node, word(key.node))
		out = append(out, h)
	}
	return out
}

func driverNames(list []storagev1.CSINodeDriver) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Name)
	}
	return out
}
