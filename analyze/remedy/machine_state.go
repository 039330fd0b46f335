package remedy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// providerID is where a Node's machine is, as cloud providers write it into spec.providerID: the scheme, and what follows.
var providerID = regexp.MustCompile(`^([a-z-]+)://(.*)$`)

// machineState is the check that a machine is off, at what knows it: the cloud by the Node's providerID, else its BMC.
// Kubernetes only knows that it no longer hears from it, and nothing of a Node that was deleted.
func machineState(i *Incident) model.Step {
	text := "make sure that the machine of " + i.oldNode() + " is off; Kubernetes not hearing from it proves nothing"
	scheme, rest := i.provider()
	part := strings.Split(strings.Trim(rest, "/"), "/")
	last := part[len(part)-1]
	switch {
	case scheme == "aws":
		return prove(text+" (stopped or terminated)", "aws", "ec2", "describe-instances", "--instance-ids", name(last),
			"--query", "Reservations[].Instances[].State.Name", "--output", "text")
	case scheme == "gce" && len(part) == 3:
		return prove(text+" (TERMINATED)", "gcloud", "compute", "instances", "describe", name(last), "--project", name(part[0]), "--zone",
			name(part[1]), "--format=value(status)")
	case scheme == "azure" && strings.HasPrefix(rest, "/subscriptions/"):
		return azureState(text, rest, part)
	case scheme == "openstack":
		return prove(text+" (SHUTOFF)", "openstack", "server", "show", name(last), "-f", "value", "-c", "status")
	case scheme == "vsphere":
		return prove(text+" (poweredOff)", "govc", "vm.info", within("-vm.uuid=", strings.ToLower(last), ""))
	}
	return i.machineByDriver(text)
}

// power switches a machine, whose cloud the Node's providerID names, by the cloud's own command.
type power struct{ aws, gcloud, az, openstack, govc []string }

var (
	powerOff = power{[]string{"stop-instances", "--force"}, []string{"stop"}, []string{"stop", "--skip-shutdown"}, []string{"stop"},
		[]string{"-off", "-force"}}
	powerOn = power{[]string{"start-instances"}, []string{"start"}, []string{"start"}, []string{"start"}, []string{"-on"}}
)

// switchMachine is the act that switches the old node's machine, with what names it where no command can: the Node, or nothing.
func (i *Incident) switchMachine(p power, text string) []model.Step {
	scheme, rest := i.provider()
	part := strings.Split(strings.Trim(rest, "/"), "/")
	last, scaleSet := part[len(part)-1], strings.Contains(strings.ToLower(rest), "virtualmachinescalesets")
	var words []string
	switch {
	case scheme == "aws":
		words = slices.Concat([]string{"aws", "ec2"}, p.aws, []string{"--instance-ids", name(last)})
	case scheme == "gce" && len(part) == 3:
		words = slices.Concat([]string{"gcloud", "compute", "instances"}, p.gcloud,
			[]string{name(last), "--project", name(part[0]), "--zone", name(part[1])})
	case scheme == "azure" && strings.HasPrefix(rest, "/subscriptions/") && !scaleSet:
		words = slices.Concat([]string{"az", "vm"}, p.az, []string{"--ids", rest})
	case scheme == "openstack":
		words = slices.Concat([]string{"openstack", "server"}, p.openstack, []string{name(last)})
	case scheme == "vsphere":
		words = slices.Concat([]string{"govc", "vm.power"}, p.govc, []string{within("-vm.uuid=", strings.ToLower(last), "")})
	default:
		return []model.Step{whichMachine(i), act(text + " in the cloud's console or by its BMC")}
	}
	return []model.Step{act(text, words...)}
}

// whichMachine is the look at which machine a Node is on, while the Node exists, and else at the machine itself.
func whichMachine(i *Incident) model.Step {
	if i.absent(i.stuck()) {
		return machineState(i)
	}
	return prove("see which machine it is", "kubectl", "get", "node", name(i.node()), "-o", `jsonpath={.spec.providerID}{"\n"}`)
}

// machineByDriver asks for a machine of which only the Node's name is known: the Node for its providerID while it exists, else the cloud
// of the volume's driver, whose machines are named like their nodes; else the BMC.
func (i *Incident) machineByDriver(text string) model.Step {
	node := name(i.node())
	if !i.absent(i.stuck()) && !i.Case.NodeAbsent() { // who reads this can ask only what still exists
		return prove("see which machine "+i.oldNode()+" is, and "+text, "kubectl", "get", "node", node, "-o",
			`jsonpath={.spec.providerID}{"  "}{.status.conditions[?(@.type=="Ready")].status}{"\n"}`)
	}
	switch i.Case.Volume.Driver {
	case "ebs.csi.aws.com":
		return prove(text+" (stopped or terminated)", "aws", "ec2", "describe-instances", "--filters",
			within("Name=private-dns-name,Values=", i.node(), ""), "--query", "Reservations[].Instances[].State.Name", "--output", "text")
	case "pd.csi.storage.gke.io":
		return prove(text+" (TERMINATED, or not listed)", "gcloud", "compute", "instances", "list", within("--filter=name=", i.node(), ""),
			"--format=value(name,status)")
	case "disk.csi.azure.com":
		return prove(text+" (deallocated, stopped, or not listed)", "az", "vm", "list", "--show-details", "--query",
			within("[?name=='", i.node(), "'].powerState"), "--output", "tsv")
	case "cinder.csi.openstack.org":
		return prove(text+" (SHUTOFF)", "openstack", "server", "show", node, "-f", "value", "-c", "status")
	case "csi.vsphere.vmware.com":
		return prove(text+" (poweredOff)", "govc", "vm.info", node)
	}
	return prove(text, "ipmitool", "-I", "lanplus", "-H", within("BMC-OF-", i.node(), ""), "chassis", "power", "status")
}

// azureState asks for a machine of its own, or for one of a scale set.
func azureState(text, id string, part []string) model.Step {
	for n := range part[:len(part)-1] {
		if strings.EqualFold(part[n], "virtualMachineScaleSets") && n+3 < len(part) && len(part) > 3 {
			return prove(text+" (VM deallocated or stopped)", "az", "vmss", "get-instance-view", "--resource-group", name(strings.ToLower(part[3])),
				"--name", name(part[n+1]), "--instance-id", name(part[n+3]), "--query", "statuses[].displayStatus")
		}
	}
	return prove(text+" (VM deallocated or stopped)", "az", "vm", "get-instance-view", "--ids", id, "--query",
		"instanceView.statuses[].displayStatus")
}

// provider is the scheme of the old Node's providerID and what follows; empty where no copy of the Node is in the bundle.
func (i *Incident) provider() (scheme, rest string) {
	if i.Case == nil || i.Case.World == nil {
		return "", ""
	}
	node, ok := i.Case.World.Node(i.Case.From)
	if !ok {
		return "", ""
	}
	if m := providerID.FindStringSubmatch(node.Value().Spec.ProviderID); m != nil {
		return m[1], m[2]
	}
	return "", ""
}
