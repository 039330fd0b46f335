package table

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/volpost/volpost/model"
)

// nodeLines are what people print on a node: mount, with a label or without, /proc/mounts, findmnt by default and by columns, df, lsblk, and
// what ls shows of a directory of the kubelet and of a link by the id of a disk.
var nodeLines = [...]struct {
	hint   string // that each has
	text   *regexp.Regexp
	read   func(*reader, cells) []model.Observation
	pasted bool // a log may have such a line, too
}{
	{" /", regexp.MustCompile(`^ *\S+ on (?P<place>/\S*) type (?P<type>\S+) \([a-z][^()]*\)(?: \[[^\]]*\])?$`), (*reader).mountedAt, false},
	{" /", regexp.MustCompile(`^ *\S+ (?P<place>/\S*) (?P<type>\S+) (?:rw|ro)(?:,\S+)? \d+ \d+$`), (*reader).mountedAt, false},
	{" /", regexp.MustCompile(`^ *(?:/dev/|\S+:)\S+ +(?P<place>/\S*) +(?:` + diskTypes + `) +(?:\S+ +)?(?:rw|ro)(?:,\S+)?$`), (*reader).mountedAt, false},
	{" ", regexp.MustCompile(tree + `(?P<place>/\S*) +\S+ +(?:` + diskTypes + `) +(?:rw|ro)(?:,\S+)?$`), (*reader).mountedAt, false},
	{"% ", regexp.MustCompile(`^ *(?P<device>/dev/\S+|\S+:/\S*) +(?P<size>\S+) +\S+ +\S+ +(?P<used>\d{1,3})% +(?P<place>/\S*)$`),
		(*reader).filled, false},
	{":", regexp.MustCompile(tree + `(?P<device>\S+) +\d+:\d+ +\d +(?P<size>\S+) +\d +(?:disk|part|lvm|crypt|mpath)(?: +(?P<place>/\S*))?$`),
		(*reader).disk, false},
	{"~csi/", regexp.MustCompile(`^/\S*/pods/(?P<uid>[0-9a-f-]{32,36})/volumes/kubernetes\.io~csi/(?P<volume>[^/\s]+)(?:/mount)?/?:$`),
		(*reader).listed, true},
	{" -> ", regexp.MustCompile(`^l\S+ +\d+ .* (?P<id>(?:nvme|scsi|virtio|google|wwn|ata|dm)-[^\s/]+) -> (?:\.\./)+(?P<device>[a-z][a-z0-9-]+)$`),
		(*reader).listed, true},
}

// usageHeader is what df has above its rows, where -i asks for inodes.
var usageHeader = regexp.MustCompile(`^ *Filesystem .*(?:Use%|Capacity) +Mounted on$`)

// tree are the lines by which findmnt and lsblk show what is below another.
const tree = "^[ ├└─|`-]*"

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

// mounted takes such a line. Those of other file systems are records that say nothing.
func (r *reader) mounted(l line) bool {
	if strings.HasSuffix(l.text, "Mounted on") && usageHeader.MatchString(l.text) {
		r.commit()
		r.inodes = strings.Contains(l.text, "IUse%")
		return true
	}
	for _, n := range &nodeLines {
		if n.pasted && r.hint.Verbatim || !strings.Contains(l.text, n.hint) {
			continue
		}
		if m := n.text.FindStringSubmatch(l.text); m != nil {
			return r.tell(l, n.read(r, newCells(n.text.SubexpNames(), m))...)
		}
	}
	return false
}

// ofContainer are places that the runtime mounts into each container, and its own file system.
var ofContainer = regexp.MustCompile(`^/(?:$|etc/|dev/|proc/|sys/|run/secrets)`)

func (r *reader) mountedAt(c cells) []model.Observation {
	o, ok := mountAt(c.get("place"))
	if !ok || c.get("type") == "tmpfs" { // drivers without a PersistentVolume, such as those of secrets, mount memory
		return nil
	}
	return []model.Observation{o}
}

// filled reads how full a volume is: one whose place the kubelet made, or one at a place in the pod in which df ran. Where the disk below, by
// lsblk further up, is larger by far, it was grown, and its file system was not.
func (r *reader) filled(c cells) (out []model.Observation) {
	place, what := c.get("place"), "bytes"
	if r.inodes {
		what = "inodes"
	}
	mount, ok := mountAt(place)
	usage := mount
	usage.Kind, usage.Detail = model.VolumeUsage, c.get("used")+"% of its "+what
	if ok {
		out = append(out, mount, usage)
	} else if r.command.verb == "exec" && r.command.name != "" && !ofContainer.MatchString(place) {
		usage.Pod = model.PodRef(r.namespace(), r.command.name, "")
		usage.Object = usage.Pod
		usage.Detail += " at " + place
		out = append(out, usage)
	}
	name := strings.TrimPrefix(strings.TrimPrefix(c.get("device"), "/dev/"), "mapper/")
	disk, size := r.disks[name], strings.TrimSuffix(c.get("size"), "i")
	if has := sizeOf(size); has == 0 || sizeOf(disk) < 1.5*has {
		return out
	}
	grown := model.Observation{Kind: model.ResizePending, Volume: mount.Volume, Detail: "the disk has " + disk + ", its file system has " + size}
	if grown.Volume.PersistentVolume == "" {
		grown.Object = model.Ref{Kind: "disk", Name: name}
	}
	return append(out, grown)
}

// disk reads a disk and its size. Where it is mounted says more.
func (r *reader) disk(c cells) []model.Observation {
	name, size := c.get("device"), c.get("size")
	if len(r.disks) < maxDisks {
		if r.disks == nil {
			r.disks = map[string]string{}
		}
		r.disks[name] = size
	}
	if c.get("place") != "" {
		return r.mountedAt(c)
	}
	return []model.Observation{shown("disk", name, "size="+size)}
}

// maxDisks bounds the disks of one node that are remembered.
const maxDisks = 4096

// listed reads what ls shows.
func (r *reader) listed(c cells) []model.Observation {
	if volume := c.get("volume"); volume != "" {
		return []model.Observation{shown("PersistentVolume", volume, "pod-uid="+c.get("uid"))}
	}
	return []model.Observation{shown("disk", c.get("id"), "device=/dev/"+c.get("device"))}
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

// sizeText is a size with a letter of 1024.
var sizeText = regexp.MustCompile(`^([0-9.]+)([KMGTP])$`)

// sizeOf is such a size in bytes; 0 for any other text.
func sizeOf(s string) float64 {
	m := sizeText.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0
	}
	return n * math.Pow(1024, float64(1+strings.Index("KMGTP", m[2])))
}
