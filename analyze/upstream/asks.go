package upstream

import "regexp"

// question is the command that asks for what a text names.
type question struct {
	names func() *regexp.Regexp
	ask   string
}

func ask(table []question, text string) string {
	for _, a := range table {
		if at := a.names().FindStringSubmatchIndex(text); at != nil {
			return string(a.names().ExpandString(nil, a.ask, text, at))
		}
	}
	return ""
}

// asks are the commands that show which machine has a volume for its storage, by how a driver's errors name the volume, or by the driver
// and its handle with a blank between.
var asks = []question{
	{re(`(?:^|[^\w-])(vol-(?:[0-9a-f]{17}|[0-9a-f]{8}))(?:[^\w-]|$)`),
		"aws ec2 describe-volumes --volume-ids $1 --query 'Volumes[].Attachments[].[InstanceId,State]' --output text"},
	{re(`\bprojects/([a-z0-9-]+)/zones/([a-z0-9-]+)/disks/([a-z0-9-]+)\b`),
		"gcloud compute disks describe $3 --project $1 --zone $2 --format='value(users)'"},
	{re(`(?i)/subscriptions/[0-9a-f-]+/resourceGroups/[\w.-]+/providers/Microsoft\.Compute/disks/[\w.-]+`),
		"az disk show --ids $0 --query '[diskState,managedBy]' --output tsv"},
	{re(`\bfailed to attach ([0-9a-f-]{36}) volume to\b|\bdisk ([0-9a-f-]{36})(?: path \S*)? is attached to a different instance\b|^cinder\.csi\.openstack\.org ((?:pvc-)?[0-9a-f-]{36})$`),
		"openstack volume show $1$2$3 -c status -c attachments"},
	{re(`\bvolume ([a-z0-9-]+) cannot be attached to the node \S+ since it is already attached|^driver\.longhorn\.io ([a-z0-9-]+)$|` +
		`\bvolume ([a-z0-9-]+) failed to attach to node \S+ with attachmentID `),
		"kubectl get volumes.longhorn.io -n longhorn-system $1$2$3 -o custom-columns=STATE:.status.state,NODE:.status.currentNodeID"},
	{re(`\brbd image ([\w.-]+/[\w.-]+)`), "kubectl exec -n rook-ceph deploy/rook-ceph-tools -- rbd status $1"},
	{re(`^csi\.hetzner\.cloud (\d+)$`), "hcloud volume describe $1"},
	{re(`^linstor\.csi\.linbit\.com ([a-z0-9-]+)$|\bResource '(pvc-[0-9a-f-]+)' is still in use\b|` +
		`(?s:\b(?:Node\w+Volume|Mount) failed for (pvc-[0-9a-f-]+): .*/dev/drbd\d)`),
		"linstor resource list --resources $1$2$3"},
	{re(`^csi\.vsphere\.vmware\.com (pvc-[0-9a-f-]+)$`),
		"govc disk.ls -json $$(govc volume.ls -i -n $1) | jq '.objects[].config.consumerId'"},
	{re(`\bfailed to attach (?:cns volume|disk): "([0-9a-f-]{36})"|^csi\.vsphere\.vmware\.com ([0-9a-f-]{36})$`),
		"govc disk.ls -json $1$2 | jq '.objects[].config.consumerId'"}, // the UUID of the machine, which govc vm.info -vm.uuid takes
	{re(`\bUnable to attach volume ([a-z0-9-]+): Volume is attached on another node|^pxd\.portworx\.com (\d+)$`),
		"pxctl volume inspect $1$2"},
}

// AskStorage is the command that shows which machine has a volume for its storage: by the driver and the handle, or the name that its
// provisioner gave it, else by what errors name; "" where none of them does.
func AskStorage(driver, handle string, errors ...string) string {
	for _, text := range append([]string{driver + " " + handle}, errors...) {
		if command := ask(asks, text); command != "" {
			return command
		}
	}
	return ""
}

// machines are the commands that show whether a machine runs, by the identifier that its cloud gave it, or a refusal that names it as the holder.
// The number of an instance of a scale set ends its path, behind the set's name in older ones.
var machines = []question{
	{re(`^i-(?:[0-9a-f]{17}|[0-9a-f]{8})$`),
		"aws ec2 describe-instances --instance-ids $0 --query 'Reservations[].Instances[].State.Name' --output text"},
	{re(`(?i)` + azureHolder + `/resourceGroups/([\w.-]+)/providers/Microsoft\.Compute/virtualMachineScaleSets/([\w.-]+)/virtualMachines/(?:[\w.-]+_)?(\d+)(?:$|[^\w.-])`),
		"az vmss get-instance-view --subscription $1 --resource-group $2 --name $3 --instance-id $4 --query 'statuses[].displayStatus' --output tsv"},
	{re(`(?i)` + azureHolder + `/resourceGroups/([\w.-]+)/providers/Microsoft\.Compute/virtualMachines/([\w.-]*\w)`),
		"az vm get-instance-view --subscription $1 --resource-group $2 --name $3 --query 'instanceView.statuses[].displayStatus' --output tsv"},
	{re(`(?:^|already being used by ['‘])projects/([a-z0-9-]+)/zones/([a-z0-9-]+)/instances/([a-z0-9-]+)`),
		"gcloud compute instances describe $3 --project $1 --zone $2 --format='value(status)'"},
	{re(`\battached to a different instance \(([0-9a-f-]{36})\)`), "openstack server show $1 -f value -c status"},
}

const azureHolder = `(?:^|already attached to node\(|owned by VM:? ?['"‘“]?)/subscriptions/([0-9a-f-]+)`

// AskMachine is the command that shows whether a machine runs, by the identifier that its cloud gave it, or by the refusal that names it; "" where
// that does not tell the cloud.
func AskMachine(id string) string { return ask(machines, id) }
