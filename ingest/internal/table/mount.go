package table

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

// mountRows are a row as mount prints it, with a label or without, as /proc/mounts has it, as findmnt has it by default and by columns, and
// as df and lsblk have it, each with the groups of the place and of the type.
var mountRows = [...]struct {
	form        *regexp.Regexp
	place, kind int
}{
	{regexp.MustCompile(`^ *(\S+) on (/\S*) type (\S+) \(([a-z][^()]*)\)(?: \[[^\]]*\])?$`), 2, 3},
	{regexp.MustCompile(`^ *(\S+) (/\S*) (\S+) ((?:rw|ro)(?:,\S+)?) \d+ \d+$`), 2, 3},
	{regexp.MustCompile(`^ *(?:/dev/|\S+:)\S+ +(/\S*) +(` + diskTypes + `) +(?:\S+ +)?(?:rw|ro)(?:,\S+)?$`), 1, 2},
	{regexp.MustCompile(`^[ ├└─|` + "`" + `-]*(/\S*) +\S+ +(` + diskTypes + `) +(?:rw|ro)(?:,\S+)?$`), 1, 2},
	{usageRow, 3, 1},
	{regexp.MustCompile(`^[ ├└─|` + "`" + `-]*\S+ +\d+:\d+ +\d +\S+ +\d +(disk|part|lvm|crypt|mpath) +(/\S*)$`), 2, 1},
}

// usageRow is a row of df: a device, how full it is, and its place; usageHeader is what stands above, where -i asks for inodes.
var (
	usageRow    = regexp.MustCompile(`^ *(/dev/\S+|\S+:/\S*) +\S+ +\S+ +\S+ +(\d{1,3})% +(/\S*)$`)
	usageHeader = regexp.MustCompile(`^ *Filesystem .*(?:Use%|Capacity) +Mounted on$`)
)

// diskTypes are the file systems of volumes that one node mounts.
const diskTypes = `ext[234]|xfs|btrfs|zfs`

// Where the kubelet mounts a CSI volume below its root directory (pkg/volume/csi csi_mounter.go and csi_attacher.go, 1.13–1.36).
var (
	// podMount is that of one pod: its UID and the PersistentVolume.
	podMount = regexp.MustCompile(`/pods/([0-9a-f-]{32,36})/volumes/kubernetes\.io~csi/([^/]+)/mount$`)
	// globalMount is the one that all pods of the node share: the driver and the SHA-256 of the handle, since 1.24.
	globalMount = regexp.MustCompile(`/plugins/kubernetes\.io/csi/([^/]+)/([0-9a-f]{64})/globalmount$`)
	// oldGlobalMount is the same up to 1.23: the PersistentVolume.
	oldGlobalMount = regexp.MustCompile(`/plugins/kubernetes\.io/csi/pv/([^/]+)/globalmount$`)
)

// mounted takes a row of a mount table. Those of other file systems are records that say nothing.
func (r *reader) mounted(l line) bool {
	if usageHeader.MatchString(l.text) {
		r.commit()
		r.inodes = strings.Contains(l.text, "IUse%")
		return true
	}
	if r.placed(l) || r.disk(l) {
		return true
	}
	if !strings.Contains(l.text, " /") {
		return false
	}
	for _, kind := range mountRows {
		m := kind.form.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		var out []model.Observation
		if o, ok := mountAt(m[kind.place]); ok && m[kind.kind] != "tmpfs" { // drivers without a PersistentVolume, such as those of secrets, mount memory
			out = append(out, o)
		}
		return r.tell(l, append(append(out, r.usage(l)...), r.grown(l)...)...)
	}
	return false
}

// ofContainer are places that the runtime mounts into each container, and its own file system.
var ofContainer = regexp.MustCompile(`^/(?:$|etc/|dev/|proc/|sys/|run/secrets)`)

// usage is how full a volume is: one whose place the kubelet made, or one at a place in the pod in which df ran.
func (r *reader) usage(l line) []model.Observation {
	m := usageRow.FindStringSubmatch(l.text)
	if m == nil {
		return nil
	}
	o, ok := mountAt(m[3])
	if ok {
		o.Kind = model.VolumeUsage
	} else if r.command.verb == "exec" && r.command.name != "" && !ofContainer.MatchString(m[3]) {
		o = model.Observation{Kind: model.VolumeUsage, Pod: model.PodRef(r.namespace(), r.command.name, "")}
		o.Object = o.Pod
	} else {
		return nil
	}
	o.Detail = m[2] + "% of its bytes"
	if r.inodes {
		o.Detail = m[2] + "% of its inodes"
	}
	if !ok {
		o.Detail += " at " + m[3]
	}
	return []model.Observation{o}
}

// mountAt is what the place of a mount says. The table says neither when it was taken nor of which node it is.
func mountAt(place string) (model.Observation, bool) {
	o := model.Observation{Kind: model.VolumeMounted}
	if m := podMount.FindStringSubmatch(place); m != nil && nameText(m[2]) {
		o.Pod, o.Volume.PersistentVolume = model.PodRef("", "", m[1]), m[2]
		return o, true
	}
	if m := globalMount.FindStringSubmatch(place); m != nil && nameText(m[1]) {
		o.Attacher, o.Detail = m[1], m[2]
		return o, true
	}
	if m := oldGlobalMount.FindStringSubmatch(place); m != nil && nameText(m[1]) {
		o.Volume.PersistentVolume = m[1]
		return o, true
	}
	return model.Observation{}, false
}

// What ls shows on a node: a directory of the kubelet, and a link by the id of a disk.
var (
	listedPlace = regexp.MustCompile(`^/\S*/pods/([0-9a-f-]{32,36})/volumes/kubernetes\.io~csi/([^/\s]+)(?:/mount)?/?:$`)
	listedDisk  = regexp.MustCompile(`^l\S+ +\d+ .* ((?:nvme|scsi|virtio|google|wwn|ata|dm)-[^\s/]+) -> (?:\.\./)+([a-z][a-z0-9-]+)$`)
)

// placed takes such a line.
func (r *reader) placed(l line) bool {
	if r.hint.Verbatim || !strings.HasSuffix(l.text, ":") && !strings.Contains(l.text, " -> ") {
		return false
	}
	if m := listedPlace.FindStringSubmatch(l.text); m != nil && nameText(m[2]) {
		return r.tell(l, shown("PersistentVolume", m[2], "pod-uid="+m[1]))
	}
	m := listedDisk.FindStringSubmatch(l.text)
	return m != nil && r.tell(l, shown("disk", m[1], "device=/dev/"+m[2]))
}

// diskRow is a row of lsblk, and sizedRow one of df by its device and size.
var (
	diskRow  = regexp.MustCompile("^[ ├└─|`-]*([a-z][a-z0-9-]*) +\\d+:\\d+ +\\d +([0-9.]+[KMGTP]) +\\d +(?:disk|part|lvm|crypt|mpath)(?: +(/\\S*))?$")
	sizedRow = regexp.MustCompile(`^ */dev/(?:mapper/)?([a-z][a-z0-9-]*) +([0-9.]+[KMGTP])i? +\S+ +\S+ +\d{1,3}% +(/\S*)$`)
)

// disk takes a row of lsblk without a mount, which names a disk and its size.
func (r *reader) disk(l line) bool {
	m := diskRow.FindStringSubmatch(l.text)
	if m == nil {
		return false
	}
	if len(r.disks) < maxDisks {
		if r.disks == nil {
			r.disks = map[string]string{}
		}
		r.disks[m[1]] = m[2]
	}
	if m[3] != "" {
		return false // its mount says more
	}
	return r.tell(l, shown("disk", m[1], "size="+m[2]))
}

// maxDisks bounds the disks of one node that are remembered.
const maxDisks = 4096

// grown says of a row of df that the disk below, by lsblk further up, is larger by far: it was grown, and its file system was not.
func (r *reader) grown(l line) []model.Observation {
	m := sizedRow.FindStringSubmatch(l.text)
	if m == nil || r.disks[m[1]] == "" || sizeOf(r.disks[m[1]]) < 1.5*sizeOf(m[2]) {
		return nil
	}
	o, _ := mountAt(m[3])
	if o = (model.Observation{Kind: model.ResizePending, Volume: o.Volume}); o.Volume.PersistentVolume == "" {
		o.Object = model.Ref{Kind: "disk", Name: m[1]}
	}
	o.Detail = "the disk has " + r.disks[m[1]] + ", its file system has " + m[2]
	return []model.Observation{o}
}

// sizeOf is a size with a letter of 1024, in bytes.
func sizeOf(s string) float64 {
	n, err := strconv.ParseFloat(s[:len(s)-1], 64)
	if err != nil {
		return 0
	}
	for range strings.IndexByte("KMGTP", s[len(s)-1]) + 1 {
		n *= 1024
	}
	return n
}
