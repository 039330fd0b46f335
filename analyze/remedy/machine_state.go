package remedy

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
)

// cloud is how the machine of a Node is asked for, stopped and started. Words of the commands that begin with $ are parts of what id
// matches; one that a command may not have leaves the step without a command.
type cloud struct {
	id               *regexp.Regexp // of spec.providerID, as the cloud's provider writes it
	off              string         // how the answer says that the machine is off
	ask, stop, start string         // "" where no command is known
}

// ofScheme is the providerID of a cloud of which the last part names the machine.
func ofScheme(scheme string) *regexp.Regexp {
	return regexp.MustCompile(`^` + scheme + `://(?:.*/)?(?P<name>[^/]+)$`)
}

const (
	ec2State = " --query Reservations[].Instances[].State.Name --output text"
	gceNames = " $name --project $project --zone $zone"
)

// clouds, of which the first that matches is meant.
var clouds = []cloud{
	{regexp.MustCompile(`^aws://(?:.*/)?(?P<name>i-[^/]*)$`), "stopped or terminated", // Fargate and hybrid nodes are no instances
		"aws ec2 describe-instances --instance-ids $name" + ec2State,
		"aws ec2 stop-instances --force --instance-ids $name", "aws ec2 start-instances --instance-ids $name"},
	{regexp.MustCompile(`^gce://(?P<project>[^/]+)/(?P<zone>[^/]+)/(?P<name>[^/]+)$`), "TERMINATED",
		"gcloud compute instances describe" + gceNames + " --format=value(status)",
		"gcloud compute instances stop" + gceNames, "gcloud compute instances start" + gceNames},
	{regexp.MustCompile(`(?i)^azure:///subscriptions/[^/]+/resourceGroups/(?P<group>[^/]+)/.*/virtualMachineScaleSets/(?P<set>[^/]+)/[^/]+/(?P<name>[^/]+)`),
		"VM deallocated or stopped",
		"az vmss get-instance-view --resource-group $group --name $set --instance-id $name --query statuses[].displayStatus", "", ""},
	{regexp.MustCompile(`^azure://(?P<path>/subscriptions/.*)$`), "VM deallocated or stopped",
		"az vm get-instance-view --ids $path --query instanceView.statuses[].displayStatus",
		"az vm stop --skip-shutdown --ids $path", "az vm start --ids $path"},
	{regexp.MustCompile(`^openstack://(?P<region>[^/]+)/(?:.*/)?(?P<name>[^/]+)$`), "SHUTOFF",
		"openstack --os-region-name $region server show $name -f value -c status",
		"openstack --os-region-name $region server stop $name", "openstack --os-region-name $region server start $name"},
	{ofScheme("openstack"), "SHUTOFF", "openstack server show $name -f value -c status", "openstack server stop $name", "openstack server start $name"},
	{regexp.MustCompile(`^vsphere://(?P<uuid>[^/]+)$`), "poweredOff", "govc vm.info -vm.uuid=$uuid",
		"govc vm.power -off -force -vm.uuid=$uuid", "govc vm.power -on -vm.uuid=$uuid"},
	{regexp.MustCompile(`^ibm://(?:.*/)?(?P<cluster>[^/]+)/(?P<name>[^/]+)$`), "not deployed",
		"ibmcloud ks worker get --cluster $cluster --worker $name", "", ""},
	{ofScheme("digitalocean"), "off", "doctl compute droplet get $name --format Status --no-header", "", ""},
	{ofScheme("hcloud"), "off", "hcloud server describe $name -o format={{.Status}}", "", ""},
	{ofScheme("linode"), "offline", "linode-cli linodes view $name --format status --text --no-headers", "", ""},
	{ofScheme("equinixmetal"), "inactive", "metal device get --id $name", "", ""},
	{ofScheme("kind"), "exited", "docker inspect --format={{.State.Status}} $name", "", ""},
}

// byDriver are the commands of clouds whose machines are named like their Nodes, by the driver of the volume: for a Node that is gone.
var byDriver = map[string]cloud{
	"ebs.csi.aws.com": {off: "stopped or terminated",
		ask: "aws ec2 describe-instances --filters Name=private-dns-name,Values=$node" + ec2State},
	"pd.csi.storage.gke.io": {off: "TERMINATED, or not listed",
		ask: "gcloud compute instances list --filter=name=$node --format=value(name,status)"},
	"disk.csi.azure.com": {off: "deallocated, stopped, or not listed",
		ask: "az vm list --show-details --query [?name=='$node'].powerState --output tsv"},
	"cinder.csi.openstack.org": {off: "SHUTOFF", ask: "openstack server show $node -f value -c status"},
	"csi.vsphere.vmware.com":   {off: "poweredOff", ask: "govc vm.info $node"},
}

// placeholder is a word of a command that is filled in, and resourceGroup the names that Azure gives groups, less those with brackets: that
// of AKS has underscores.
var (
	placeholder   = regexp.MustCompile(`\$[a-z]+`)
	resourceGroup = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]*$`)
)

// filled are the words of a command with the values for its placeholders; "" for a word whose value may not stand in a command.
func filled(template string, value func(key string) string) []string {
	return facts.Each(strings.Fields(template), func(word string) string {
		lacking := false
		word = placeholder.ReplaceAllStringFunc(word, func(key string) string {
			v := value(key[1:])
			lacking = lacking || v == ""
			return v
		})
		if lacking {
			return ""
		}
		return word
	})
}

// cloudOf is the cloud of a providerID, with what fills its commands; false for one of no cloud with such commands.
func cloudOf(id string) (cloud, func(key string) string, bool) {
	for _, c := range clouds {
		if m := c.id.FindStringSubmatch(id); m != nil {
			return c, func(key string) string {
				v := m[c.id.SubexpIndex(key)]
				switch key {
				case "path":
					return v
				case "group":
					return resourceGroup.FindString(strings.ToLower(v))
				case "uuid":
					v = strings.ToLower(v)
				}
				return name(v)
			}, true
		}
	}
	return cloud{}, nil, false
}

// machineState is the check that a machine is off, at what knows it: the cloud by the Node's providerID, else its BMC.
// Kubernetes only knows that it no longer hears from it, and nothing of a Node that was deleted.
func machineState(i *Incident) model.Step {
	text := "make sure that the machine of " + i.oldNode() + " is off; that Kubernetes does not hear from it is no proof"
	if step, ok := cloudState(text, i.providerID()); ok {
		return step
	}
	node := func(string) string { return name(i.node()) }
	if !i.absent(i.stuck()) && !i.Case.NodeAbsent() { // who reads this can ask only what still exists
		return prove("see which machine "+i.oldNode()+" is, and "+text, "kubectl", "get", "node", name(i.node()), "-o",
			`jsonpath={.spec.providerID}{"  "}{.status.conditions[?(@.type=="Ready")].status}{"\n"}`)
	}
	if c, ok := byDriver[i.Case.Volume.Driver]; ok {
		return prove(offAs(text, c.off), filled(c.ask, node)...)
	}
	return prove(text, filled("ipmitool -I lanplus -H BMC-OF-$node chassis power status", node)...)
}

// cloudState asks the cloud of a providerID for the state of its machine; false for one of no cloud with such a command.
func cloudState(text, id string) (model.Step, bool) {
	c, value, ok := cloudOf(id)
	if !ok {
		return model.Step{}, false
	}
	return prove(offAs(text, c.off), filled(c.ask, value)...), true
}

// offAs is the check with the word by which the answer says that the machine is off.
func offAs(text, word string) string {
	return strings.Replace(text, " is off;", " is off ("+word+");", 1)
}

// switchMachine is the act that switches the old node's machine by a command of its cloud; where there is none, after what names it: the
// Node, while it exists.
func (i *Incident) switchMachine(by func(cloud) string, text string) []model.Step {
	if c, value, ok := cloudOf(i.providerID()); ok && by(c) != "" {
		return []model.Step{act(text, filled(by(c), value)...)}
	}
	which := machineState(i)
	if !i.absent(i.stuck()) {
		which = prove("see which machine it is", "kubectl", "get", "node", name(i.node()), "-o", `jsonpath={.spec.providerID}{"\n"}`)
	}
	return []model.Step{which, act(text + " in the cloud's console or by its BMC")}
}

func powerOff(c cloud) string { return c.stop }
func powerOn(c cloud) string  { return c.start }

// providerID is that of the old Node; empty where no copy of it is in the bundle.
func (i *Incident) providerID() string {
	if i.Case == nil || i.Case.World == nil {
		return ""
	}
	node, ok := i.Case.World.Node(i.Case.From)
	if !ok {
		return ""
	}
	return node.Value().Spec.ProviderID
}
