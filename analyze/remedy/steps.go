package remedy

import (
	"regexp"
	"slices"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// step is what to do, and the command for it, of an incident.
type step func(*Incident) model.Step

// prove is a step before the remedy that only looks; act is the remedy, after follows it. The first argument of a command is split into words,
// the others are words as they are; what begins with $ is a name of the incident.
func prove(text string, command ...string) step { return ofPart(model.StepProve, text, command) }

func act(text string, command ...string) step { return ofPart(model.StepAct, text, command) }

func after(text string, command ...string) step { return ofPart(model.StepAfter, text, command) }

func ofPart(part model.StepPart, text string, command []string) step {
	if len(command) > 0 {
		command = append(strings.Fields(command[0]), command[1:]...)
	}
	return func(i *Incident) model.Step { return stepOf(i, part, text, filled(command, i.value)) }
}

// steps are some of them for an incident.
func steps(list ...step) func(*Incident) []model.Step {
	return func(i *Incident) []model.Step {
		return facts.Each(list, func(s step) model.Step { return s(i) })
	}
}

// noCommand is added to a step whose command needs a name that is not safe to type.
const noCommand = " (no command is given: a name that it needs is not known, or Kubernetes would refuse it)"

func stepOf(i *Incident, part model.StepPart, text string, words []string) model.Step {
	if text = i.named(text); slices.Contains(words, "") {
		return model.Step{Part: part, Text: text + noCommand}
	}
	return model.Step{Part: part, Text: text, Command: command(words...)}
}

// names are those of an incident that a command may have.
var names = map[string]func(*Incident) string{
	"node": (*Incident).node, "attachment": (*Incident).attachment, "pv": (*Incident).pv,
	"newattachment": func(i *Incident) string { return i.Case.NewAttachmentName().Name },
	"namespace":     func(i *Incident) string { namespace, _ := i.oldPod(); return namespace },
	"pod":           func(i *Incident) string { _, pod := i.oldPod(); return pod },
	"space":         func(i *Incident) string { return i.owner().Namespace },
	"workload":      func(i *Incident) string { return i.owner().Name },
	"kind":          func(i *Incident) string { return strings.ToLower(i.owner().Kind) },
	"newspace":      func(i *Incident) string { return i.newPod().Namespace },
	"newpod":        func(i *Incident) string { return i.newPod().Name },
	"job":           (*Incident).waitingJob,
	"vm":            func(i *Incident) string { return i.Case.LiveMigration().VM.Name },
	"attacherspace": func(i *Incident) string { away, _ := i.scaledAway(); return away.Workload.Namespace },
	"attacher":      func(i *Incident) string { away, _ := i.scaledAway(); return away.Workload.Name },
}

// value is a name of the incident as a command may have it; "" for one that is not known, or that Kubernetes would refuse.
func (i *Incident) value(key string) string {
	if key == "mount" {
		return i.heldPath()
	}
	return name(names[key](i))
}

func (i *Incident) pv() string { return i.Case.Volume.PersistentVolume }

// attachmentsOfNode prints the VolumeAttachments of the old node.
const attachmentsOfNode = `jsonpath={range .items[?(@.spec.nodeName=="$node")]}{.metadata.name}{"\n"}{end}`

// placeholder is a part of a command that is filled in.
var placeholder = regexp.MustCompile(`\$[a-z]+`)

// filled are the words of a command with the values for its placeholders; "" for a word whose value may not stand in a command.
func filled(command []string, value func(key string) string) []string {
	return facts.Each(command, func(word string) string {
		lacking := false
		word = placeholder.ReplaceAllStringFunc(word, func(key string) string {
			v := value(key[1:])
			lacking = lacking || v == ""
			return v
		})
		return words.If(!lacking, word)
	})
}

// allowed are the names that Kubernetes gives objects; any other, such as one with a leading dash, could be an option in a command.
var allowed = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// name is a name of the bundle as a command may have it; "" for one that is not known, or that Kubernetes would refuse.
func name(s string) string {
	if !allowed.MatchString(s) {
		return ""
	}
	return s
}

// command joins words to a line for a POSIX shell. Every word that is not plain is quoted.
func command(words ...string) string {
	out := make([]string, 0, len(words))
	for _, w := range words {
		out = append(out, quote(w))
	}
	return strings.Join(out, " ")
}

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-/:=,@%+"

func quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// comment is a line that a shell leaves alone, whatever the text holds.
func comment(text string) string {
	return "# " + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// commands are the steps as one list to paste, each under its purpose; those for afterwards are comments.
func commands(steps []model.Step) []string {
	out := []string{}
	for _, s := range steps {
		head := map[model.StepPart]string{model.StepProve: "Before: ", model.StepAfter: "After: "}[s.Part]
		out = append(out, comment(head+s.Text))
		switch {
		case s.Command == "":
		case s.Part == model.StepAfter:
			out = append(out, comment(s.Command))
		default:
			out = append(out, s.Command)
		}
	}
	return out
}

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
	{regexp.MustCompile(`^name:ip-(?P<a>\d{1,3})-(?P<b>\d{1,3})-(?P<c>\d{1,3})-(?P<d>\d{1,3})(?:\.|$)`), "stopped or terminated",
		"aws ec2 describe-instances --filters Name=private-ip-address,Values=$a.$b.$c.$d" + ec2State, "", ""},
	{ofScheme("kind"), "exited", "docker inspect --format={{.State.Status}} $name", "", ""},
}

// byDriver are the commands of clouds whose machines are named like their Nodes, by the driver of the volume: for a Node that is not shown.
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

// resourceGroup are the names that Azure gives groups, less those with brackets: that of AKS has underscores.
var resourceGroup = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]*$`)

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
	const text = "make sure that the machine of $old is off; that Kubernetes does not hear from it is no proof"
	if step, ok := cloudState(text, i.providerID()); ok {
		return step(i)
	}
	_, there := i.Case.World.Node(i.Case.From)
	driver := facts.DriverOf(i.Case.World, i.Case.Volume)
	mayBeEC2 := driver == "" || driver == "ebs.csi.aws.com"
	if step, ok := cloudState(text, "name:"+i.Case.From); ok && !there && mayBeEC2 {
		return step(i)
	}
	if c, ok := byDriver[driver]; ok && !there {
		return prove(offAs(text, c.off), c.ask)(i)
	}
	if !i.absent(i.stuck()) && !i.Case.NodeAbsent() { // who reads this can ask only what still exists
		which := "see which machine $old is, and ask its cloud, hypervisor or BMC whether it is off; that Kubernetes does not hear from it is no proof"
		return prove(which, "kubectl describe node $node")(i)
	}
	return prove(text, "ipmitool -I lanplus -H BMC-OF-$node chassis power status")(i)
}

// cloudState asks the cloud of a providerID for the state of its machine; false for one of no cloud with such a command.
func cloudState(text, id string) (step, bool) {
	c, value, ok := cloudOf(id)
	return func(i *Incident) model.Step {
		return stepOf(i, model.StepProve, offAs(text, c.off), filled(strings.Fields(c.ask), value))
	}, ok
}

// offAs is the check with the word by which the answer says that the machine is off.
func offAs(text, word string) string {
	return strings.Replace(text, " is off;", " is off ("+word+");", 1)
}

// switchMachine is the act that switches the old node's machine by a command of its cloud; where there is none, after what names it: the
// Node, while it exists.
func (i *Incident) switchMachine(by func(cloud) string, text string) []model.Step {
	if c, value, ok := cloudOf(i.providerID()); ok && by(c) != "" {
		return []model.Step{stepOf(i, model.StepAct, text, filled(strings.Fields(by(c)), value))}
	}
	which := step(machineState)
	if !i.absent(i.stuck()) {
		which = prove("see which machine it is", "kubectl get node $node -o", `jsonpath={.spec.providerID}{"\n"}`)
	}
	return steps(which, act(text+" in the cloud's console or by its BMC"))(i)
}

func powerOff(c cloud) string { return c.stop }
func powerOn(c cloud) string  { return c.start }

// providerID is that of the old Node; empty where nothing in the bundle shows it.
func (i *Incident) providerID() string {
	if i.Case == nil || i.Case.World == nil {
		return ""
	}
	return i.Case.World.ProviderID(i.Case.From)
}
