package table

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// handAct is a command, other than those of kubectl, with which people take a volume from a machine, or stop one: its first words, the name of
// what it is about, and what it does there.
type handAct struct {
	kind string
	form *regexp.Regexp
}

var handActs = sync.OnceValue(func() []handAct {
	const name, global = `['"]?([A-Za-z0-9][\w.-]*)`, `(?:--\S+ +(?:[^\s-]\S* +)?)*?`
	form := func(s string) *regexp.Regexp { // options for all commands may stand before the service
		return regexp.MustCompile(strings.NewReplacer("aws ", "aws "+global, "gcloud ", "gcloud "+global, "az ", "az "+global, "openstack ", "openstack "+global).Replace(s))
	}
	return []handAct{
		{"Disk", form(`(aws ec2 detach-volume|gcloud compute instances detach-disk|az vm disk detach) (?:.* )?(?:--volume-id|--disk|--name|-n)[ =]` + name)},
		{"Disk", form(`(openstack server remove volume|nova volume-detach) +\S+ +` + name)},
		{"Disk", form(`(doctl compute volume-action detach|hcloud volume detach) +` + name)},
		{"Machine", form(`(aws ec2 (?:stop|reboot|terminate)-instances|az vm (?:stop|restart|deallocate)) (?:.* )?(?:--instance-ids|--name|-n)[ =]` + name)},
		{"Machine", form(`(gcloud compute instances (?:stop|reset|delete)|openstack server (?:stop|reboot|delete)) +(?:--hard +)?` + name)},
		{"Node", form(`(ssh) +(?:[\w.-]+@)?([a-z0-9][a-z0-9.-]*) +['"]?((?:sudo +)?(?:reboot|poweroff|shutdown|systemctl restart kubelet))\b`)},
	}
})

// handWords are words of which each of these commands has one: most lines have none, and are not asked further.
var handWords = []string{"detach", "remove volume", "instances", "vm ", "server ", "ssh "}

// byHand is the object and the short form of such a command, behind a prompt or bare, where that counts; empty for another.
func byHand(s string, bare bool) (of model.Ref, did string) {
	hinted := slices.ContainsFunc(handWords, func(w string) bool { return strings.Contains(s, w) })
	if !hinted || strings.Contains(s, "--dry-run") {
		return of, ""
	}
	for _, h := range handActs() {
		at := h.form.FindStringSubmatchIndex(s)
		if at == nil || !isPrompt(s[:at[0]]) || at[0] == 0 && !bare {
			continue
		}
		did = s[at[2]:at[3]] + " " + s[at[4]:at[5]]
		if len(at) > 6 {
			did += " " + s[at[6]:at[7]]
		}
		return model.Ref{Kind: h.kind, Name: s[at[4]:at[5]]}, did + words.If(strings.Contains(s, " --force"), " --force")
	}
	return of, ""
}
