package upstream

import (
	"regexp"
	"strings"

	"github.com/volpost/volpost/model/words"
)

// refusal is how one back end refuses an attach, a map or a mount because another machine has the volume. Group h, where the text has it,
// is that machine by the back end's name, which need not be a Node's.
type refusal struct {
	backEnd string
	text    func() *regexp.Regexp
	seen    string // where the wording was seen
}

const (
	// machine is what back ends call what has a volume, and before it whatever is not "this" or "the same".
	machine = `(?:an(?:other)? |the |a |different |other |one |some |wrong )*` +
		`(?:instance|node|server|vm|virtual ?machine|vmi|host|machine|droplet|linode|compute|hypervisor|initiator|sdc|client|worker)s?\b`
	// another is a machine that cannot be the wanted one.
	another = `(?:another|a different|different|other|(?:the |a )?wrong) ` +
		`(?:instance|node|server|vm|virtual ?machine|vmi|host|machine|droplet|linode|compute|hypervisor|initiator|sdc|client|worker|system)s?\b`
	// name is the name that may follow a machine, maybe behind "with id", and with a path before it.
	name = `(?:(?: with)?(?: (?:id|name|uuid)\b)?[ :=(\[{]+["'‘“]?(?:[^\s"'()‘’“”]*/)?(?P<h>[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]))?`
	// holds are the words for having a volume.
	holds = `(?:attached|mounted|published|mapped|exported|staged|assigned|connected|locked|reserved|owned|claimed|exposed|hotplugged|` +
		`in use|used|being used|opened|primary|imported)`
)

// refusals are tried in this order; the words of one back end come before those that many drivers share.
var refusals = []refusal{
	{"Azure", re(`already attached to node\(?(?:[^)\s]*/virtualMachines?/)?(?P<h>[A-Za-z0-9._-]+)\)`), "in-tree; aks-engine issue 3838"},
	{"Azure", re(`\bAcquireDiskLeaseFailed\b|(?i)\bblob \S+ is already in use by another disk belonging to VM '(?P<h>[A-Za-z0-9._-]+)'`),
		"kubernetes issues 40708, 46421"},
	{"Azure", re(`(?i)\balready owned by VM\b[ :]*["'‘“]?(?:[^\s"'()‘’“”]*/)?(?P<h>[A-Za-z0-9._-]*[A-Za-z0-9])?`), "aks-engine issue 1146"},
	{"Compute Engine", re(`(?i)already being used by '(?:[^']*/instances/(?P<h>[A-Za-z0-9._-]+)(?:'|$))?`),
		"kubernetes issue 32492"},
	{"Compute Engine", re(`RESOURCE_IN_USE_BY_ANOTHER_RESOURCE`), "openshift/release issue 7550"},
	{"Compute Engine", re(`\bdisk .{1,200} is being used by\b`), "in-tree"},
	{"EC2", re(`VolumeInUse\b`), "kubernetes issue 45726"},
	{"EC2", re(`desc = Resource already exists$`), "aws-ebs-csi-driver issue 515, before it was fixed"},
	{"Cinder", re(`(?i)status must be '?available'?(?: or '?downloading'?)?(?: to reserve)?[.,]? ` +
		`(?:but (?:the )?current status is|currently in) '?in-use'?`), "kubernetes issues 28527, 44536"},
	{"vSphere", re(`(?i)The resource '(?:volume|[^']*\.vmdk)' is (?:already )?in use|types\.ResourceInUse\)|\bFailed to lock the file\b|` +
		`\bUnable to access file \[?.{1,200}? since it is locked|\b(?:file|disk) (?:\S+ )?is (?:being )?locked or in use\b`),
		"vsphere-csi-driver issues 320, 1175; in-tree: the faults ResourceInUse and FileLocked"},
	{"IBM VPC", re(`(?i)infrastructure operation failed with the message: volume \S+ is in use\b`), "IBM cp4d-deployment issue 96"},
	{"several", re(`(?i)\b(?:already|currently|still) (?:attached|published|mapped) (?:to|on|at) (?:node )?(?P<h>[a-z0-9][a-z0-9._-]*[a-z0-9]),? ` +
		`(?:can(?:no|')?t|could not|unable to|refusing to|must be detached)\b`), "several drivers"},
	{"Longhorn", re(`Node to be attached \S+ is different from previous spec (?P<h>[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])`), "longhorn issue 569"},
	{"Hetzner Cloud", re(`(?i)code = FailedPrecondition desc = [^"]*\bvolume is attached(?:$|[".])`), "hcloud csi-driver issue 41"},
	{"Ceph RBD", re(`(?is)\brbd image \S+ is still being used\b(?:.*?\bwatcher=(?P<h>[0-9a-f.:]*[0-9a-f]):\d+/\d+)?`),
		"rook issues 11201, 11372; kubernetes issue 93385"},
	{"Ceph RBD", re(`(?i)\bimage (?:\S+ )?is locked by other nodes\b`), "in-tree"},
	{"DRBD", re(`(?i)Multiple primaries not allowed by config|/dev/drbd\d+\b[^\n]*(?:Wrong medium type|is write-protected|` +
		`Device or resource busy)|\bmount: [^\n]*/dev/drbd\d+: Wrong medium type`), "LINBIT drbd issue 53, drbd-reactor issue 8"},
	{"ext4", re(`(?i)multi_?mount_protect[^\n]*: Device is already active on another node|\blast update node: (?P<h>[A-Za-z0-9._-]+)`),
		"fs/ext4/mmp.c"},
	{"ZFS", re(`(?i)cannot import [^\n]*: pool (?:was previously|may be) in use from (?:an)?other system`), "zpool import"},
	{"SCSI, NVMe", re(`(?i)\breservation conflict\b`), "SPC-4 persistent reservations, NVMe base specification"},
	{"Portworx", re(`(?i)\bvolume:?(?: \S+)? is attached on:? (?:another node\b|(?:node:? )?(?P<h>[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]))`),
		"stork issue 726"},
	{"OpenEBS", re(`(?i)\bis already mounted at more than one place\b`), "cstor-csi"},
	{"linstor-csi, Portworx", re(`\bstill mounted on (?:node |another |["'])["']?(?P<h>[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])?`), ""},
	{"Unity", re(`(?i)\bhas been published to a different host\b`), "dell/csm issue 443"},
	{"several", re(`(?i)\b(?:in use|used|owned|locked|held|claimed) by ` + machine + name), "several drivers"},
	// FAILED_PRECONDITION of ControllerPublishVolume is a volume published to another node.
	{"several", re(`(?i)\b(?:already|currently|still|exclusively) ` + holds + ` (?:to|on|at|by|from|in) ` + machine + name),
		"longhorn issues 2445, 7313, 10258; hcloud csi-driver issue 41; kubernetes issue 45726; several drivers"},
	{"several", re(`(?i)\b(?:is|be|been|was|are) (?:being )?(?:already |currently |still )?` + holds + ` (?:to|on|at|by|from|in) ` +
		another + name), "csi-digitalocean, Cinder, several drivers"},
	{"several", re(`(?i)\b(?:mounted|in use|locked|held|used|attached|published|connected) (?:to|on|at|by|from) ` + another + name),
		"several drivers"},
	{"CSI specification", re(`code = FailedPrecondition desc = .*\b(?:(?:already|currently|exclusively|is) (?:attached|published) ` +
		`(?:to|at|on)(?: ` + machine + name + `)?|in use)\b`), "ControllerPublishVolume"},
}

// attachLimit is a refusal because of how many volumes a machine has, whose text may speak of attached volumes, too.
var attachLimit = re(`(?i)code = ResourceExhausted|` +
	`\b(?:max|maximum) (?:allowed )?(?:number|count) of (?:\w+[ -]){0,3}?(?:volumes?|disks?|devices?)|` +
	`\bits maximum of \d+ (?:\w+ )?(?:volumes|disks)|\battach(?:ment)? ?limit\b|AttachmentLimitExceeded|too many (?:\w+ )?(?:volumes|disks)|` +
	`\blimit of attached volumes|exceed max volume count|maximum_persistent_disks|\b(?:disks|volumes) count should be less than|` +
	`\bcan(?:not| only) attach (?:more than )?\[?\d+\]? (?:\w+ )?(?:volumes|disks)|\bno (?:more |available |free )+(?:scsi |pci )?slots?\b`)

// notHere is a storage's word that it has not given the volume to the machine that is to mount it.
var notHere = re(`(?i)\bvolume(?: \S+)? (?:has not been|was not|is not|isn't) (?:published|mapped|exported|attached|exposed) (?:to|on) (?:this|the) ` +
	`(?:node|host|instance|machine|server)\b`)

// NotHere reports that the text of a failed mount says that by the storage's records the volume is not attached to the machine that mounts.
func NotHere(text string) bool { return notHere().MatchString(text) }

// AttachLimit reports that a refusal says that the wanted machine has as many volumes as it may have.
func AttachLimit(text string) bool { return attachLimit().MatchString(text) }

// WaitedInVain reports the kubelet's own time-out, which names no reason (volume_manager.go WaitForAttachAndMount, 1.13–1.36).
func WaitedInVain(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "timed out waiting for the condition") || strings.Contains(text, "timeout expired waiting for volumes") ||
		strings.Contains(text, "context deadline exceeded")
}

// inTreeAnswer is the word of a cloud that the controller itself called (legacy-cloud-providers, up to 1.26). What a CSI driver answers passes
// through gRPC, which puts "rpc error" before it.
var inTreeAnswer = re(`Volume\.Attach failed for volume [^:]*: *(?:disk\(/subscriptions/|Attach volume \S+ to instance |azure - cloud provider |` +
	`[Ee]rror attaching EBS volume |googleapi: |GCE \d{3} - |Failed to add disk 'scsi|Unable to access file \[|[Dd]isk [0-9a-f-]{36} (?:path \S* )?is attached to a different instance )`)

// InTreeAnswer reports that the text of a failed attach shows that the volume's plugin is part of Kubernetes and not migrated to CSI.
func InTreeAnswer(text string) bool { return inTreeAnswer().MatchString(text) }

// throttled is the word of a cloud, or of its client, that too many calls were made.
var throttled = re(`(?i)\brate.?limit|throttl|TooManyRequests|RequestLimitExceeded`)

// Throttled reports that an error says that too many calls were made.
func Throttled(text string) bool { return throttled().MatchString(text) }

// awaitsOne is the only volume that a kubelet has not mounted. An Event counts equal texts: each of them was about the same one.
var awaitsOne = re(`\bunmounted volumes=\[[^\s,\]]+\]`)

// AwaitsOne reports that a kubelet waited in vain for one volume alone.
func AwaitsOne(text string) bool { return WaitedInVain(text) && awaitsOne().MatchString(text) }

// BeingDeleted reports that an attach failed because its own VolumeAttachment was being deleted (csi_attacher.go, 1.13–1.36).
func BeingDeleted(text string) bool {
	return strings.Contains(text, "volume attachment is being deleted")
}

// fillers are words that follow where no name does.
var fillers = strings.Fields("and with please but so which that cannot could can or not other first than in is has was for since already status code request")

// holderIn is the machine that a match of a row names.
func (r *refusal) holderIn(text string, at []int) string {
	n := 2 * r.text().SubexpIndex("h")
	if n < 0 || at[n] < 0 {
		return ""
	}
	for _, w := range fillers {
		if w == text[at[n]:at[n+1]] {
			return ""
		}
	}
	return text[at[n]:at[n+1]]
}

// HolderNamed is the machine that the text of a refusal names as the one that has the volume; empty when it names none.
func HolderNamed(text string) string {
	for i := range refusals {
		for _, at := range refusals[i].text().FindAllStringSubmatchIndex(text, -1) {
			if h := refusals[i].holderIn(text, at); h != "" {
				return h
			}
		}
	}
	return ""
}

// inUse are the words of a storage that a volume is in use, without by whom.
var inUse = re(`(?i)\b(?:the resource '[^']*'|(?:volume|disk|image) \S+) is (?:already )?in use(?:[.,"'»)]|$)`)

// OnlyInUse quotes a refusal that says that the volume is in use, and not by which machine: a snapshot, a task of the storage or the wanted
// machine itself can have it. It is "" for any other.
func OnlyInUse(text string) string {
	if HolderNamed(text) != "" {
		return ""
	}
	return strings.TrimRight(inUse().FindString(text), `.,"»)`)
}

// InUseElsewhere reports that the text of a failed attach, map or mount says that another machine than the wanted one has the volume.
func InUseElsewhere(text, wanted string) bool {
	if AttachLimit(text) {
		return false // volumes that are attached to the wanted machine, too many of them
	}
	for i := range refusals {
		at := refusals[i].text().FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		if holder := HolderNamed(text); holder != "" && wanted != "" {
			return !sameMachine(holder, wanted) // the text may name the wanted node after the holder
		}
		if wanted == "" || !strings.Contains(text[at[1]:], wanted) {
			return true
		}
	}
	return false
}

// layers are what every error passes through on its way, and says nothing of it: operations, gRPC, clients of HTTP, of clouds and of arrays.
var layers = re(`(?:rpc error: )?code = (?:Internal|Unknown|Aborted|Unavailable|InvalidArgument) desc = |(?:Attach|Detach|Mount|Map)Volume\.\w+ failed for volume "[^"]*"(?: \(UniqueName: "[^"]*"\))?` +
	`(?: (?:on|from|to) node "[^"]*")? ?: |` +
	`Failed to attach volume "[^"]*" on node "[^"]*" with: |[Cc]ould not detach volume "?[^\s"]+"? from node "?[^\s":]+"?: | \(UniqueName: "[^"]*"\)| pod "[^"]*" \(UID: "[^"]*"\)|` +
	`Bad response statusCode \[\d+\]\. Status \[[^\]]*\]\. Body: \[(?:code=[^,\]]*, )?(?:detail=[^,\]]*, )?(?:message=)?|(?:, code=[^,\]]*)?(?:, detail=[^,\]]*)?\] from \[https?://[^\]]*\]|` +
	`(?:\[?ControllerPublishVolume\]? )?Attach Volume failed with error |failed to attach [0-9a-f-]{36} volume to [0-9a-f-]{36} compute: |` +
	`(?:Bad request with: |Expected HTTP response code \[[^\]]*\] when accessing )\[[A-Z]+ [^\]]*\],? ?(?:but got \d+ instead ?|error message: )?|` +
	`\{"\w+": ?\{(?:"code": ?\d+, ?)?"message": ?"|"(?:, ?"code": ?\d+)?\}\}|"(?:(?:\\r|\s)*\}){2}|` +
	`(?:Attach volume \S+ to instance \S+ failed with )?Retriable: \w+, RetryAfter: \w+, HTTPStatusCode: -?\d+, RawError: (?:\{(?:\\r|\s)*"error": ?\{(?:\\r|\s)*"code": ?"\w+",(?:\\r|\s)*"message": ?")?|` +
	`compute\.\w+#\w+: |Failure (?:sending|responding to) request: StatusCode=\d+ -- Original Error: (?:failed request: )?|` +
	`(?:mount failed: )?(?:exit status \d+ )?Mounting command: .* Output: (?:mount(?:\.\w+)?: )?(?:/\S+: )?|` + // mount-utils mount_linux.go
	`autorest/azure: Service returned an error\. Status=\S+ |Long running operation terminated with status 'Failed': `)

// Unwrapped is an error without the layers that it passed through.
func Unwrapped(text string) string { return layers().ReplaceAllString(text, "") }

// Excerpt cuts an error to a number of letters and keeps the words that decide what it is, also where they stand at its end.
func Excerpt(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	end := 0
	for _, form := range deciding() {
		if at := form().FindStringIndex(text); at != nil {
			end = max(end, at[1])
		}
	}
	if len([]rune(text)) > limit {
		if bare := Unwrapped(text); bare != text {
			return Excerpt(bare, limit)
		}
	}
	before := []rune(text[:end])
	if len(before) <= limit {
		return words.Clip(text, limit)
	}
	head := limit / 3
	tail := string(before[len(before)-(limit-head):])
	if _, whole, ok := strings.Cut(tail, " "); ok {
		tail = whole
	}
	return string(before[:head]) + "… " + tail + words.If(end < len(text), "…")
}

// azureMessage is a code of Azure's, the words after which say what went wrong.
var azureMessage = re(`\b[Cc]ode=\\?"?\w+\\?"?,? [^a-z]{0,12}essage=\\?"[^"]{0,50}`)

// deciding are the forms whose words say what an error is.
func deciding() []func() *regexp.Regexp {
	out := append([]func() *regexp.Regexp{attachLimit, noPV, azureMessage}, instances...)
	for i := range refusals {
		out = append(out, refusals[i].text)
	}
	for i := range cloudShapes {
		out = append(out, cloudShapes[i].text)
	}
	return out
}
