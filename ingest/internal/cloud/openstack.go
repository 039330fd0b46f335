package cloud

import (
	"cmp"
	"regexp"

	"github.com/volpost/volpost/model"
)

// novaStates are a server's status (Compute API, server states).
var novaStates = state{"ACTIVE": model.MachineRunning, "SHUTOFF": model.MachineOff, "DELETED": model.MachineOff,
	"SHELVED_OFFLOADED": model.MachineOff}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func isNovaServer(o object) bool {
	return uuid.MatchString(o.text("id")) && o.text("status") != "" && o.at("OS-EXT-STS:vm_state").node != nil
}

// novaServer reads a server. Of one whose host does not answer the status is old, and is not used. updated is when the record was last
// written: the change of its status came no later.
func (r *reader) novaServer(o object) {
	if host := o.text("host_status"); host == "DOWN" || host == "UNKNOWN" {
		return
	}
	m, word := model.Observation{Object: machine(o.text("id")), Node: o.text("name")}, o.text("status")
	var since model.Moment
	if novaStates[word] == model.MachineOff && o.text("OS-EXT-STS:task_state") == "" {
		since = moment(o.text("updated"))
	}
	novaStates.say(r, m, o.at("status"), word, since)
	for _, name := range []string{"volumes_attached", "attached_volumes", "os-extended-volumes:volumes_attached"} {
		for _, v := range o.items(name) {
			if id := v.text("id"); uuid.MatchString(id) {
				r.say(model.DiskAttached, v.at("id"), model.Observation{Object: disk(id), Owner: m.Object, Detail: "attached"})
			}
		}
	}
}

func isCinderVolume(o object) bool {
	whole := o.text("id") != "" && o.text("size") != "" && o.at("bootable").node != nil
	if !whole && o.says("id") {
		return false
	}
	return uuid.MatchString(cinderID(o)) && o.isList("attachments") && o.says("status")
}

// cinderID is a volume's ID, which its attachments have too where only some columns were asked for.
func cinderID(o object) string {
	id := o.text("id")
	for _, a := range o.items("attachments") {
		if a.text("attachment_id") != "" && a.text("server_id") != "" {
			id = cmp.Or(id, a.text("volume_id"))
		}
	}
	return id
}

func (r *reader) cinderVolume(o object) {
	id, word := disk(cinderID(o)), o.text("status")
	for _, a := range o.items("attachments") {
		if server := a.text("server_id"); uuid.MatchString(server) {
			r.say(model.DiskAttached, a.at("server_id"), model.Observation{Object: id, Owner: machine(server), Detail: word})
		}
	}
	if word == "available" && len(o.items("attachments")) == 0 {
		r.say(model.DiskFree, o.at("status"), model.Observation{Object: id, Detail: word})
	}
}
