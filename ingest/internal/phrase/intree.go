package phrase

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/ingest/internal/logline"
	"github.com/volpost/volpost/model"
)

// inTreeRows are the attachers of the clouds that were in the controller itself (pkg/volume/*/attacher.go, up to 1.26). They name the disk as
// the cloud does.
var inTreeRows = newTable(controllerManager, []row{
	{text: "Attach volume <unique> to instance <node> failed with <detail>", kind: model.AttachFailed, read: ofCloud("azure-disk")},
	{text: "failed to detach azure disk <unique>, err <detail>", kind: model.DetachFailed, read: ofCloud("azure-disk")},
	{text: "Error attaching volume <unique> to node <node>: <detail>", kind: model.AttachFailed, read: ofCloud("aws-ebs")},
	{text: "Error attaching volume <unique>: <detail>", kind: model.AttachFailed, read: ofCloud("aws-ebs")},
	{text: "Error attaching PD <unique> to node <node>: <detail>", kind: model.AttachFailed, read: ofCloud("gce-pd")},
	{text: "Error detaching PD <unique> from node <node>: <detail>", kind: model.DetachFailed, read: ofCloud("gce-pd")},
})

// dynamicVolume is a PersistentVolume in the name of the disk that an in-tree provisioner made for it.
var dynamicVolume = regexp.MustCompile(`-dynamic-(pvc-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.vhd)?$`)

// ofCloud completes the names of a cloud: the disk to a unique name, the instance's path to the name of its node.
func ofCloud(plugin string) func(*logline.Record, *model.Observation) bool {
	return func(_ *logline.Record, o *model.Observation) bool {
		disk := o.Volume.UniqueName
		if m := dynamicVolume.FindStringSubmatch(disk); m != nil {
			o.Volume.PersistentVolume = m[1]
		}
		o.Volume.UniqueName = "kubernetes.io/" + plugin + "/" + disk
		o.Node = strings.ToLower(o.Node[strings.LastIndexByte(o.Node, '/')+1:])
		return !strings.ContainsAny(disk, " \"")
	}
}
