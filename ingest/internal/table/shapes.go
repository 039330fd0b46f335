package table

import (
	"regexp"
	"slices"
	"strings"
)

const (
	namePattern     = `([a-z0-9][a-z0-9.-]*)`
	spacePattern    = `(?:([a-z0-9][a-z0-9-]*) +)?`
	quantityPattern = `(\d+(?:\.\d+)?(?:[EPTGMK]i?|m)?)`
	modesPattern    = `((?:RWO|ROX|RWX|RWOP)(?:,(?:RWO|ROX|RWX|RWOP))*)`
	agoPattern      = `(` + agePattern + `|<unknown>)`
)

// tableKinds are all but the tables of events (columnRow). The name of a CSI volume's VolumeAttachment proves itself anywhere in a line.
var tableKinds = []tableKind{
	{attachmentColumns, attachmentRow, []string{"csi-"},
		regexp.MustCompile(`(?:^|  +)(csi-[0-9a-f]{64}) +([a-z0-9][a-z0-9.-]+) +` + namePattern + ` +` + namePattern +
			`(?: +(true|false)(?: +` + agoPattern + `)?)? *$`),
		[]string{"name", "attacher", "pv", "node", "attached", "age"}, ""},
	// The custom columns that people are told to ask for have no ATTACHER and no AGE, and a grep takes their header away.
	{nil, attachmentRow, []string{"csi-"},
		regexp.MustCompile(`(?:^|  +)(csi-[0-9a-f]{64}) +` + namePattern + ` +` + namePattern + `(?: +(true|false|<none>))? *$`),
		[]string{"name", "pv", "node", "attached"}, ""},
	// A script prints them so, too; a name of another's making is short.
	{read: attachmentRow, hints: []string{"csi-"},
		text:  regexp.MustCompile(`^ *(csi-[a-z0-9.-]*[a-z0-9]) +` + namePattern + ` +` + namePattern + ` +(true|false) *$`),
		cells: []string{"name", "pv", "node", "attached"}},
	// With all of kubectl's columns it may have been shortened, too.
	{read: attachmentRow, hints: []string{"csi-"},
		text: regexp.MustCompile(`^ *(csi-[a-z0-9.-]*[a-z0-9]) +([a-z0-9][a-z0-9-]*\.[a-z0-9.-]+) +` + namePattern + ` +` + namePattern +
			` +(true|false) +` + agoPattern + ` *$`),
		cells: []string{"name", "attacher", "pv", "node", "attached", "age"}},
	// Below the command that asked for them a row needs no such name: a person may have shortened it.
	{read: attachmentRow, hints: []string{"true", "false"}, below: "VolumeAttachment",
		text: regexp.MustCompile(`^ *` + namePattern + ` +([a-z0-9][a-z0-9-]*\.[a-z0-9.-]+) +` + namePattern + ` +` + namePattern +
			` +(true|false)(?: +` + agoPattern + `)? *$`),
		cells: []string{"name", "attacher", "pv", "node", "attached", "age"}},
	{func(c *columns) bool {
		return c.has("name", "status") && !c.has("ready") && (c.has("roles") || c.has("age", "version"))
	}, nodeRow, []string{"Ready"},
		regexp.MustCompile(`^ *` + namePattern + ` +((?:Not)?Ready(?:,[A-Za-z,]+)?) +([a-z0-9,<>.-]+) +` + agoPattern +
			` +(v\d+\.\d+\S*)(?: .*)?$`),
		[]string{"name", "status", "roles", "age", "version"}, ""},
	{func(c *columns) bool { return c.has("name", "capacity", "status", "claim") }, volumeRow, []string{" RW", " ROX"},
		regexp.MustCompile(`^ *` + namePattern + ` +` + quantityPattern + ` +` + modesPattern + ` +(?:Retain|Delete|Recycle) +` +
			`(Bound|Released|Failed|Terminating) +(\S+/\S+)(?: .*)?$`),
		[]string{"name", "capacity", "accessmodes", "status", "claim"}, ""},
	{func(c *columns) bool {
		return c.has("name", "status", "volume") && (c.has("capacity") || c.has("storageclass"))
	}, claimRow, []string{" RW", " ROX"},
		regexp.MustCompile(`^ *` + spacePattern + namePattern + ` +(Bound|Lost|Terminating) +` + namePattern + ` +` + quantityPattern + ` +` +
			modesPattern + `(?: .*)?$`),
		[]string{"namespace", "name", "status", "volume", "capacity", "accessmodes"}, ""},
	{read: claimRow, hints: []string{" Pending "}, below: "PersistentVolumeClaim",
		text: regexp.MustCompile(`^ *` + spacePattern + namePattern + ` +(Pending) +` + namePattern + ` +(?:<unset> +)?` + agePattern +
			`(?: .*)?$`),
		cells: []string{"namespace", "name", "status", "storageclass"}},
	{is: func(c *columns) bool { return c.has("name", "provisioner") }, read: classRow},
	{is: func(c *columns) bool { return c.has("name", "attachrequired") }, read: driverRow},
	{is: func(c *columns) bool { return c.has("name", "state", "robustness") }, read: longhornRow},
	// openstack server list, which frames its cells, and gcloud compute instances list.
	{read: machineRow, hints: []string{"ACTIVE", "SHUTOFF"},
		text:  regexp.MustCompile(`^ *([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})  +([A-Za-z0-9][A-Za-z0-9.-]*)  +(ACTIVE|SHUTOFF)(?:  .*)?$`),
		cells: []string{"id", "name", "status"}},
	{is: func(c *columns) bool { return c.has("name", "zone", "machine_type", "status") }, read: machineRow},
	// linstor node list and linstor resource list, which frame their cells, or part them by bars.
	{read: linstorRow, hints: []string{"SATELLITE", "COMBINED"},
		text:  regexp.MustCompile(`^[ |]*` + namePattern + `[ |]+(?:SATELLITE|COMBINED)[ |]+[0-9a-f.:\[\]]+(?: \(\w+\))?[ |]+([A-Z]\w+)`),
		cells: []string{"node", "state"}},
	{read: linstorRow, hints: linstorStates,
		text: regexp.MustCompile(`^[ |]*` + namePattern + `[ |]+` + namePattern + `[ |]+(?:\d{4,5}|[A-Z]+(?:,[A-Z]+)*)[ |]+(?:(?:InUse|Unused)[ |]+)?` +
			`(?:Ok[ |]+|([A-Z][A-Za-z]+\([a-z0-9,.-]+\))\S*[ |]+)?(` + strings.Join(linstorStates, "|") + `)`),
		cells: []string{"name", "node", "conns", "state"}},
	{func(c *columns) bool { return c.has("name", "ready", "status") }, podRow, []string{"/"},
		regexp.MustCompile(`^ *` + spacePattern + `((?:pod/)?[a-z0-9][a-z0-9.-]*) +(\d+/\d+) +([A-Z][A-Za-z:/0-9]+) +(\d+(?: \(\S+ ago\))?) +` + agoPattern +
			`(?: +(?:[0-9a-f.:]+|<none>) +` + namePattern + `(?: .*)?)?$`),
		[]string{"namespace", "name", "ready", "status", "restarts", "age", "node"}, ""},
	{func(c *columns) bool { return c.has("name", "ready", "age") && !c.any("status", "data") }, workloadRow, []string{"/"},
		regexp.MustCompile(`^ *` + spacePattern + `((?:deployment\.apps/)?[a-z0-9][a-z0-9.-]*) +(\d+/\d+) +(\d+) +(\d+) +` + agoPattern + `(?: .*)?$`),
		[]string{"namespace", "name", "ready", "up-to-date", "available", "age"}, ""},
}

// attachmentColumns recognises kubectl's table of VolumeAttachments, and custom columns that name the node of a volume or attachment.
func attachmentColumns(c *columns) bool {
	if c.has("attacher", "node", "attached") {
		return true
	}
	other := func(name string) bool {
		return !slices.Contains([]string{"name", "pv", "volume", "node", "attached", "age", "created"}, name)
	}
	return c.has("node") && c.any("pv", "volume", "attached") && !slices.ContainsFunc(c.names, other)
}

func shapedCells(s, asked string) (*tableKind, cells, bool) {
	for i := range tableKinds {
		k := &tableKinds[i]
		hinted := func(h string) bool { return strings.Contains(s, h) }
		elsewhere := k.below != "" && k.below != asked
		if k.text == nil || elsewhere || !slices.ContainsFunc(k.hints, hinted) {
			continue
		}
		if m := k.text.FindStringSubmatch(s); m != nil {
			return k, newCells(k.cells, m[1:]), true
		}
	}
	return nil, cells{}, false
}
