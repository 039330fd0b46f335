package wait

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// controllerPod is how the pods of CSI drivers' controllers are called, with the external-attacher beside the driver or alone.
var controllerPod = regexp.MustCompile(`\bcsi\b.*(?:controller|attacher|provisioner)|(?:controller|attacher)[a-z-]*-csi\b|^trident-controller\b`)

// parted are the parts of a driver's name; the words that many drivers have tell none apart.
var (
	parted = regexp.MustCompile(`[a-z]{3,}`)
	common = []string{"csi", "com", "org", "net", "driver", "storage", "cloud", "aws", "openstack", "gke"}
)

// called is how objects of a driver are called that have no part of its name.
var called = map[string]string{"hetzner": "hcloud", "digitalocean": "csi-do-", "oraclecloud": "csi-oci-"} // for lookup only

// ControllerDown is the row of a pod of the controller of a volume's driver that does not run, or of its workload without a pod that is Ready; nil
// where another of its pods is, or none is shown. Where nothing names the driver it may be that of any: one that runs may be the one.
// Without it no VolumeAttachment is attached or detached, whatever is done about a node.
func ControllerDown(w *facts.World, v *facts.Volume) *model.Observation {
	driver := v.Driver
	if row := facts.Find(w.ByVolume[v], func(o *model.Observation) bool { return o.Attacher != "" }); driver == "" && row != nil {
		driver = row.Attacher
	}
	own := func(kind model.Kind, detail string) *model.Observation {
		return facts.Find(w.ByKind[kind], func(o *model.Observation) bool {
			shown := printed(o) && !w.Outdated(o) && strings.HasPrefix(o.Detail, detail)
			object := cmp.Or(o.Pod, o.Object)
			return shown && controllerPod.MatchString(object.Name) && (driver == "" || ofDriver(object, driver))
		})
	}
	if own(model.PodReady, "") != nil {
		return nil
	}
	return cmp.Or(own(model.PodNotReady, ""), own(model.ObjectShown, model.ShownReady+"0/"))
}

// DownText says of what ControllerDown returned in which state it is.
func DownText(down *model.Observation) string {
	wanted, counted := strings.CutPrefix(down.Detail, model.ShownReady+"0/")
	switch {
	case !counted:
		return fmt.Sprintf("pod %s is in %s", down.Pod, down.Detail)
	case wanted == "0":
		return fmt.Sprintf("%s %s is scaled to 0", down.Object.Kind, down.Object)
	}
	return fmt.Sprintf("%s %s has no Ready pod", down.Object.Kind, down.Object)
}

// DownCommand is what to type first about a workload that ControllerDown returned; "" for a pod, or where the row has no namespace.
func DownCommand(down *model.Observation) string {
	switch o := down.Object; {
	case down.Kind != model.ObjectShown || o.Namespace == "":
		return ""
	case strings.HasSuffix(down.Detail, "/0"):
		return fmt.Sprintf("kubectl scale -n %s %s/%s --replicas=1", o.Namespace, strings.ToLower(o.Kind), o.Name)
	default:
		return fmt.Sprintf("kubectl describe -n %s %s/%s", o.Namespace, strings.ToLower(o.Kind), o.Name)
	}
}

// ofDriver reports that the name or namespace of a pod or workload has a part of the driver's name.
func ofDriver(object model.Ref, driver string) bool {
	return slices.ContainsFunc(parted.FindAllString(driver, -1), func(part string) bool {
		return !slices.Contains(common, part) && strings.Contains(object.String(), cmp.Or(called[part], part))
	})
}
