package remedy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/model"
)

// providerID is where a Node's machine is, as cloud providers write it into spec.providerID: the scheme, and what follows.
var providerID = regexp.MustCompile(`^([a-z0-9-]+)://(.*)$`)

// machineState is the check that a machine is off, at what knows it: the cloud by the Node's providerID, else its BMC.
// Kubernetes only knows that it no longer hears from it, and nothing of a Node that was deleted.
func machineState(i *Incident) model.Step {
	text := "make sure that the machine of " + i.oldNode() + " is off; that Kubernetes does not hear from it is no proof"
	if step, ok := cloudState(text, i.providerID()); ok {
		return step
	}
	return i.machineByDriver(text)
}

// offAs is the check with the word by which the answer says that the machine is off.
func offAs(text, word string) string {
	return strings.Replace(text, " is off;", " is off ("+word+");", 1)
}

// cloudState asks the cloud of a providerID for the state of its machine; false for one of no cloud with such a command.
func cloudState(text, id string) (model.Step, bool) {
	scheme, rest, part := provider(id)
	last := part[len(part)-1]
	switch {
	case scheme == "aws" && strings.HasPrefix(last, "i-"): // Fargate and hybrid nodes are no instances
		return prove(offAs(text, "stopped or terminated"), "aws", "ec2", "describe-instances", "--instance-ids", name(last),
			"--query", "Reservations[].Instances[].State.Name", "--output", "text"), true
	case scheme == "gce" && len(part) == 3:
		return prove(offAs(text, "TERMINATED"), "gcloud", "compute", "instances", "describe", name(last), "--project", name(part[0]), "--zone",
			name(part[1]), "--format=value(status)"), true
	case scheme == "azure" && strings.HasPrefix(rest, "/subscriptions/"):
		return azureState(text, rest, part), true
	case scheme == "openstack":
		return prove(offAs(text, "SHUTOFF"), slices.Concat(openstack(rest, part), []string{"show", name(last), "-f", "value", "-c", "status"})...), true
	case scheme == "vsphere":
		return prove(offAs(text, "poweredOff"), "govc", "vm.info", within("-vm.uuid=", strings.ToLower(last), "")), true
	case scheme == "ibm" && len(part) > 1:
		return prove(offAs(text, "not deployed"), "ibmcloud", "ks", "worker", "get", "--cluster", name(part[len(part)-2]), "--worker", name(last)), true
	}
	for _, c := range smallClouds {
		if scheme == c.scheme {
			return prove(offAs(text, c.off), slices.Concat(c.ask, []string{name(last)}, c.of)...), true
		}
	}
	return model.Step{}, false
}

// smallClouds are those whose command takes the last part of the providerID, and what it prints of a machine that is off.
var smallClouds = []struct {
	scheme, off string
	ask, of     []string
}{
	{"digitalocean", "off", []string{"doctl", "compute", "droplet", "get"}, []string{"--format", "Status", "--no-header"}},
	{"hcloud", "off", []string{"hcloud", "server", "describe"}, []string{"-o", "format={{.Status}}"}},
	{"linode", "offline", []string{"linode-cli", "linodes", "view"}, []string{"--format", "status", "--text", "--no-headers"}},
	{"equinixmetal", "inactive", []string{"metal", "device", "get", "--id"}, nil},
	{"kind", "exited", []string{"docker", "inspect", "--format={{.State.Status}}"}, nil},
}

// openstack begins a command on a server, in the region that a providerID may have.
func openstack(rest string, part []string) []string {
	if len(part) > 1 && !strings.HasPrefix(rest, "/") {
		return []string{"openstack", "--os-region-name", name(part[0]), "server"}
	}
	return []string{"openstack", "server"}
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
	if words := p.command(i.providerID()); words != nil {
		return []model.Step{act(text, words...)}
	}
	return []model.Step{whichMachine(i), act(text + " in the cloud's console or by its BMC")}
}

// command switches the machine of a providerID; nil for one of no cloud that has such a command.
func (p power) command(id string) []string {
	scheme, rest, part := provider(id)
	last, scaleSet := part[len(part)-1], strings.Contains(strings.ToLower(rest), "virtualmachinescalesets")
	switch {
	case scheme == "aws" && strings.HasPrefix(last, "i-"):
		return slices.Concat([]string{"aws", "ec2"}, p.aws, []string{"--instance-ids", name(last)})
	case scheme == "gce" && len(part) == 3:
		return slices.Concat([]string{"gcloud", "compute", "instances"}, p.gcloud,
			[]string{name(last), "--project", name(part[0]), "--zone", name(part[1])})
	case scheme == "azure" && strings.HasPrefix(rest, "/subscriptions/") && !scaleSet:
		return slices.Concat([]string{"az", "vm"}, p.az, []string{"--ids", rest})
	case scheme == "openstack":
		return slices.Concat(openstack(rest, part), p.openstack, []string{name(last)})
	case scheme == "vsphere":
		return slices.Concat([]string{"govc", "vm.power"}, p.govc, []string{within("-vm.uuid=", strings.ToLower(last), "")})
	}
	return nil
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
		return prove(offAs(text, "stopped or terminated"), "aws", "ec2", "describe-instances", "--filters",
			within("Name=private-dns-name,Values=", i.node(), ""), "--query", "Reservations[].Instances[].State.Name", "--output", "text")
	case "pd.csi.storage.gke.io":
		return prove(offAs(text, "TERMINATED, or not listed"), "gcloud", "compute", "instances", "list", within("--filter=name=", i.node(), ""),
			"--format=value(name,status)")
	case "disk.csi.azure.com":
		return prove(offAs(text, "deallocated, stopped, or not listed"), "az", "vm", "list", "--show-details", "--query",
			within("[?name=='", i.node(), "'].powerState"), "--output", "tsv")
	case "cinder.csi.openstack.org":
		return prove(offAs(text, "SHUTOFF"), "openstack", "server", "show", node, "-f", "value", "-c", "status")
	case "csi.vsphere.vmware.com":
		return prove(offAs(text, "poweredOff"), "govc", "vm.info", node)
	}
	return prove(text, "ipmitool", "-I", "lanplus", "-H", within("BMC-OF-", i.node(), ""), "chassis", "power", "status")
}

// azureState asks for a machine of its own, or for one of a scale set.
func azureState(text, id string, part []string) model.Step {
	for n := range part[:len(part)-1] {
		if strings.EqualFold(part[n], "virtualMachineScaleSets") && n+3 < len(part) && len(part) > 3 {
			return prove(offAs(text, "VM deallocated or stopped"), "az", "vmss", "get-instance-view", "--resource-group", groupName(part[3]),
				"--name", name(part[n+1]), "--instance-id", name(part[n+3]), "--query", "statuses[].displayStatus")
		}
	}
	return prove(offAs(text, "VM deallocated or stopped"), "az", "vm", "get-instance-view", "--ids", id, "--query",
		"instanceView.statuses[].displayStatus")
}

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

// resourceGroup are the names that Azure gives groups, less those with brackets: that of AKS has underscores.
var resourceGroup = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// groupName is a resource group for a command; "" for what may be none.
func groupName(s string) string {
	if !resourceGroup.MatchString(s) {
		return ""
	}
	return strings.ToLower(s)
}

// provider is the scheme of a providerID, what follows, and the parts of that, of which one at least there is.
func provider(id string) (scheme, rest string, part []string) {
	if m := providerID.FindStringSubmatch(id); m != nil {
		scheme, rest = m[1], m[2]
	}
	return scheme, rest, strings.Split(strings.Trim(rest, "/"), "/")
}
