package wait

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// controllerPod is how the pods of CSI drivers' controllers are called, with the external-attacher beside the driver or alone.
var controllerPod = regexp.MustCompile(`\bcsi\b.*(?:controller|attacher|provisioner)|(?:controller|attacher)[a-z-]*-csi\b`)

// parted are the parts of a driver's name; the words that many drivers have tell none apart.
var (
	parted = regexp.MustCompile(`[a-z]{3,}`)
	common = []string{"csi", "com", "org", "net", "driver", "storage", "cloud", "aws", "openstack", "gke"}
)

// ControllerDown is the row of a pod of the controller of a volume's driver that does not run; nil where another of its pods does, or none is shown.
// Without it no VolumeAttachment is attached or detached, whatever is done about a node.
func ControllerDown(w *facts.World, v *facts.Volume) *model.Observation {
	driver := v.Driver
	if row := facts.Find(w.ByVolume[v], func(o *model.Observation) bool { return o.Attacher != "" }); driver == "" && row != nil {
		driver = row.Attacher
	}
	own := func(o *model.Observation) bool {
		return printed(o) && !w.Outdated(o) && controllerPod.MatchString(o.Pod.Name) && ofDriver(o.Pod, driver)
	}
	if facts.Find(w.ByKind[model.PodReady], own) != nil {
		return nil
	}
	return facts.Find(w.ByKind[model.PodNotReady], own)
}

// ofDriver reports that the name or namespace of a pod has a part of the driver's name.
func ofDriver(pod model.Ref, driver string) bool {
	return slices.ContainsFunc(parted.FindAllString(driver, -1), func(part string) bool {
		return !slices.Contains(common, part) && strings.Contains(pod.String(), part)
	})
}
