package cloud

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model"
)

// azureStates are power states (az vm get-instance-view: instanceView.statuses; az vm show -d: powerState).
var azureStates = state{"running": model.MachineRunning, "stopped": model.MachineOff, "deallocated": model.MachineOff}

var (
	azureMachine = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.Compute/` +
		`(?:virtualMachineScaleSets/[^/]+/)?virtualMachines/[^/]+$`)
	azureVolume = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\.Compute/disks/[^/]+$`)
)

// isAzureVM is a virtual machine with a power state, or with its disks.
func isAzureVM(o object) bool {
	shown := o.isList("instanceView", "statuses") || o.says("powerState") || o.isList("storageProfile", "dataDisks")
	return shown && azureMachine.MatchString(o.text("id"))
}

func (r *reader) azureVM(o object) {
	id := o.text("id")
	m := model.Observation{Object: machine(id), Node: strings.ToLower(o.text("osProfile", "computerName"))}
	if m.Node == "" {
		m.Node = o.text("name")
	}
	if word, ok := strings.CutPrefix(o.text("powerState"), "VM "); ok {
		azureStates.say(r, m, o.at("powerState"), word, model.Moment{})
	}
	for _, s := range o.items("instanceView", "statuses") {
		if word, ok := strings.CutPrefix(s.text("code"), "PowerState/"); ok {
			azureStates.say(r, m, s.at("code"), word, moment(s.text("time")))
		}
	}
	for _, d := range o.items("storageProfile", "dataDisks") {
		if disks := d.at("managedDisk", "id"); azureVolume.MatchString(d.text("managedDisk", "id")) {
			r.say(model.DiskAttached, disks, model.Observation{Object: disk(disks.node.Value), Owner: machine(id), Detail: "attached"})
		}
	}
}

func isAzureDisk(o object) bool {
	return azureVolume.MatchString(o.text("id")) && o.text("diskState") != ""
}

// azureDisk reads a disk. Reserved is a disk of a machine that is deallocated: it has the disk still.
func (r *reader) azureDisk(o object) {
	id, word := disk(o.text("id")), o.text("diskState")
	holders := o.items("managedByExtended")
	if by := o.at("managedBy"); o.text("managedBy") != "" {
		holders = append([]object{by}, holders...)
	}
	seen := map[string]bool{}
	for _, h := range holders {
		if name := strings.ToLower(h.node.Value); azureMachine.MatchString(h.node.Value) && !seen[name] {
			seen[name] = true
			r.say(model.DiskAttached, h, model.Observation{Object: id, Owner: machine(h.node.Value), Detail: strings.ToLower(word)})
		}
	}
	if len(holders) == 0 && word == "Unattached" {
		r.say(model.DiskFree, o.at("diskState"), model.Observation{Object: id, Detail: "unattached"})
	}
}
