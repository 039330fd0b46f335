package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/volpost/volpost/model"
)

// tableKind is a table that is read: how its header is recognised, or a row without it, as of a grep, and what one row says.
type tableKind struct {
	// is recognises the header by columns that no other table has together; nil for rows whose header is lost, or another's.
	is func(c *columns) bool
	// read makes the statements of a row. It returns false when the cells cannot be those of such a table.
	read  func(r *row) bool
	hints []string       // of which a row holds one in any case
	text  *regexp.Regexp // a row, by cells that no other table has in that order
	cells []string       // the groups of text
	below string         // the kind that the command above has to have asked for; empty where the cells alone prove the row
}

type row struct {
	cells
	at        line
	path      string
	namespace string // of the command
	out       []model.Observation
	aged      []model.Aged
}

// kindOf is what a table with a header is; nil for one that is not read.
func kindOf(c *columns) *tableKind {
	if i := slices.IndexFunc(tableKinds, func(k tableKind) bool { return k.is != nil && k.is(c) }); i >= 0 {
		return &tableKinds[i]
	}
	return nil
}

// eventTable reports whether a header is that of a table of events.
func eventTable(c *columns) bool {
	kubectl := c.has("reason", "message") && c.any("type", "object", "lastseen", "firstseen", "kind")
	return kubectl || c.has("type", "message", "involvedobject") // of Lens
}

// headerWords is a header: only capitals, or the words of a describer's table of events, or of the consoles Rancher and Lens.
var headerWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Z%][A-Z0-9()%./_-]*(?: [A-Z0-9()%./_-]+)*|Type|Reason|Age|From|Message|First ?Seen|Last ?Seen|Count` +
		`|SubObjectPath|SubobjectPath|Namespace|(?:Involved )?Object|Subobject|Source|Name|Updated)$`)
})

// flatHeader is a describer's header of events of which a web page left one blank in each gap.
var flatHeader = regexp.MustCompile(`^ *Type Reason Age From Message$`)

// flat takes every word for a column. No row fits the places; the rows are recognised by their shape.
func flat(s string) []chunk {
	var out []chunk
	for i, word := range strings.Fields(s) {
		out = append(out, chunk{text: word, column: i})
	}
	return out
}

// maxColumns is more than any table of kubectl has.
const maxColumns = 32

// header reads a header of at least three columns.
func header(s string) (columns, bool) {
	first := strings.TrimLeft(s, " ")
	if len(first) == 0 || first[0] < 'A' || first[0] > 'Z' {
		return columns{}, false
	}
	if !strings.Contains(first, "  ") && !strings.HasPrefix(first, "Type Reason") {
		return flatTable(first)
	}
	parts := chunks(s)
	if len(parts) == 1 && flatHeader.MatchString(s) {
		parts = flat(s)
	}
	if len(parts) < 3 || len(parts) > maxColumns || slices.ContainsFunc(parts, func(p chunk) bool { return !headerWord().MatchString(p.text) }) {
		return columns{}, false
	}
	c := newColumns(parts)
	if !eventTable(&c) && kindOf(&c) == nil {
		if narrow := newColumns(headerWords(s)); eventTable(&narrow) || kindOf(&narrow) != nil {
			narrow.narrow = true
			return narrow, true
		}
	}
	return c, true
}

// headerWords are the columns of a header that one blank parts, as k9s prints it.
func headerWords(s string) (out []chunk) {
	for _, at := range twoWords.FindAllStringIndex(s, maxColumns) {
		out = append(out, chunk{text: s[at[0]:at[1]], column: at[0]})
	}
	return out
}

// twoWords are the columns of kubectl whose names hold a blank, and restarted is a cell that does.
var (
	twoWords  = regexp.MustCompile(`\b(ACCESS|RECLAIM|NOMINATED|READINESS|LAST|FIRST) (MODES|POLICY|NODE|GATES|SEEN)\b|\S+`)
	restarted = regexp.MustCompile(` (\d+) \((\S+) ago\) `)
)

// flatTable reads the header of a table of kubectl of which a web page left one blank in each gap.
func flatTable(s string) (columns, bool) {
	if !strings.HasPrefix(s, "NAME ") && !strings.HasPrefix(s, "NAMESPACE NAME ") || strings.ToUpper(s) != s {
		return columns{}, false
	}
	parts := headerWords(s)
	if len(parts) < 3 || len(parts) > maxColumns {
		return columns{}, false
	}
	c := newColumns(parts)
	c.flat = true
	return c, kindOf(&c) != nil
}

func (r *row) say(o model.Observation) bool {
	r.out = append(r.out, r.at.says(o, r.path))
	return true
}

// born says when the row's object was created: kubectl shows its age, custom columns the instant itself.
func (r *row) born(o *model.Observation) {
	text := r.get("age", "created", "creationtimestamp")
	o.At = instant(text)
	o.Last = o.At
	o.Age = parseAge(text)
	o.LastAge = o.Age
	r.age(o.Object)
}

// age keeps how old the row's object was, which shows when the table was printed if something else dates the object.
func (r *row) age(object model.Ref) {
	if age := parseAge(r.get("age")); age != nil {
		r.aged = append(r.aged, model.Aged{Object: object, Age: *age, Input: r.path,
			Source: model.Source{Kind: model.SourceText, Path: r.path, Line: r.at.number}, Quote: r.at.quote()})
	}
}

// elided is the name of a VolumeAttachment of which a person left the end out.
var elided = regexp.MustCompile(`^csi-[0-9a-f]*(?:\.\.\.|…)$`)

// attachmentRow reads a row of VolumeAttachments, of kubectl's own columns or of custom ones. PV is blank for an inline volume.
func attachmentRow(r *row) bool {
	name, node, volume, attached := r.get("name"), r.get("node"), r.get("pv", "volume"), r.get("attached")
	if volume != "" && elided.MatchString(name) {
		name = ""
	}
	if name == "" && volume == "" || !nameText(cmp.Or(name, volume)) || !nameText(cmp.Or(volume, name)) {
		return false
	}
	placed := r.columns.has("node") // else it is the answer about one field
	if placed && !nameText(node) || !slices.Contains([]string{"true", "false", ""}, attached) {
		return false
	}
	o := model.Observation{Attachment: name, Attacher: r.get("attacher"), Node: node, Volume: model.VolumeID{PersistentVolume: volume}}
	if name != "" {
		o.Object = model.Ref{Kind: "VolumeAttachment", Name: name}
	}
	if created := o; placed {
		created.Kind = model.AttachmentCreated
		r.born(&created)
		r.say(created)
	}
	if o.Kind = attachedKinds[attached]; o.Kind != "" {
		r.say(o)
	}
	if asked := instant(r.get("deletiontimestamp")); !asked.IsZero() {
		o.Kind, o.At, o.Last = model.AttachmentDeletionRequested, asked, asked
		r.say(o)
	}
	r.failed(o, model.AttachmentAttachError, "attacherror")
	r.failed(o, model.AttachmentDetachError, "detacherror")
	return len(r.out) > 0
}

// failed says the error of an attachment that a column has, with its time.
func (r *row) failed(o model.Observation, kind model.Kind, column string) {
	if o.Detail = r.get(column); o.Detail != "" {
		o.Kind, o.At = kind, instant(r.get(column+"time"))
		o.Last = o.At
		r.say(o)
	}
}

// attachedKinds are what the ATTACHED of a VolumeAttachment says.
var attachedKinds = map[string]model.Kind{"true": model.AttachmentAttached, "false": model.AttachmentPending}

// nodeRow reads the STATUS of a node, Ready or not, and perhaps cordoned, or its Ready condition.
func nodeRow(r *row) bool {
	name, condition := r.get("name"), r.get("condition")
	status, marks, _ := strings.Cut(r.get("status"), ",")
	kind, detail := readiness(cmp.Or(condition, status))
	if !nameText(name) || kind == "" {
		return false
	}
	o := model.Observation{Object: model.Ref{Kind: "Node", Name: name}, Node: name}
	r.age(o.Object)
	if condition != "" || status != "Unknown" { // kubectl's word for a Node that has no condition yet
		o.Kind, o.Detail = kind, detail
		r.say(o)
	}
	o.Detail = ""
	if strings.Contains(marks, "SchedulingDisabled") {
		o.Kind = model.NodeCordoned
		r.say(o)
	}
	if version := r.get("version"); kubeletVersion.MatchString(version) {
		o.Kind, o.Component, o.Detail = model.ProcessVersion, kubelet, version
		r.say(o)
	}
	return true
}

// readiness is what the Ready condition of a node says, or the word that kubectl get prints for it, in which False and Unknown look alike.
func readiness(status string) (kind model.Kind, detail string) {
	switch status {
	case "True", "Ready":
		return model.NodeReady, ""
	case "False", "Unknown":
		return model.NodeNotReady, status
	case "NotReady":
		return model.NodeNotReady, ""
	}
	return "", ""
}

// kubelet is the component whose version a list of nodes shows.
const kubelet = "kubelet"

var kubeletVersion = regexp.MustCompile(`^v1\.\d+\.\d+\S*$`)

// restartCount is the RESTARTS of a pod of which a container has restarted, since 1.23 with the time of the last.
var restartCount = regexp.MustCompile(`^[1-9]\d*`)

var readyText = regexp.MustCompile(`^(\d+)/(\d+)$`)

// podRow reads a pod. Where its phase stands alone, that is all that is known of its state.
func podRow(r *row) bool {
	name, status, ready := r.get("name"), r.get("status"), readyText.FindStringSubmatch(r.get("ready"))
	if !nameText(name) || ready == nil && r.columns.has("ready") {
		return false
	}
	o := model.Observation{Pod: model.PodRef(cmp.Or(r.get("namespace"), r.namespace), name, "")}
	o.Object = o.Pod
	created := o // where it went was decided later
	created.Kind = model.PodCreated
	if r.born(&created); created.Age != nil || !created.At.IsZero() {
		r.say(created)
	}
	if o.Node = validName(r.get("node")); o.Node != "" {
		o.Kind = model.PodScheduled
		r.say(o)
	}
	if r.columns.has("claims") {
		r.uses(o.Pod)
	}
	if n := restartCount.FindString(r.get("restarts")); n != "" {
		r.say(model.Observation{Kind: model.ObjectShown, Object: o.Pod, Pod: o.Pod, Detail: "restarts=" + n})
	}
	if ready == nil {
		o = model.Observation{Kind: model.ObjectShown, Object: o.Pod, Detail: status}
	} else {
		o.Kind, o.Detail = podStatus(status, ready[1] == ready[2])
	}
	if status != "" && o.Kind != "" {
		r.say(o)
	}
	return ready != nil || len(r.out) > 0
}

// workloadRow reads how many of the pods that a Deployment or, without its columns, a StatefulSet wants are Ready.
func workloadRow(r *row) bool {
	object := model.Ref{Kind: "StatefulSet", Namespace: cmp.Or(validName(r.get("namespace")), r.namespace), Name: r.get("name")}
	if r.columns.has("up-to-date") {
		object.Kind = "Deployment"
	}
	if !nameText(object.Name) || !readyText.MatchString(r.get("ready")) {
		return false
	}
	return r.say(model.Observation{Kind: model.ObjectShown, Object: object, Detail: model.ShownReady + r.get("ready")})
}

// uses says which claims a pod uses: one that has none names no volume that Kubernetes attaches for it.
func (r *row) uses(pod model.Ref) {
	claims := strings.FieldsFunc(r.get("claims"), func(c rune) bool { return c == ',' })
	if slices.ContainsFunc(claims, func(c string) bool { return !nameText(c) }) {
		return
	}
	o := model.Observation{Kind: model.PodUses, Object: pod, Pod: pod}
	for _, name := range claims {
		o.Claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: pod.Namespace, Name: name}
		r.say(o)
	}
	if len(claims) == 0 {
		r.say(o)
	}
}

// notReady are the states of pods of which not all containers run; Running where the column READY says so.
var notReady = []string{"Running", "ContainerCreating", "PodInitializing", "Pending", "CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull", "Error",
	"OOMKilled", "CreateContainerConfigError"}

// podStatus is what the STATUS of a pod says, by the printer of kubectl (pkg/printers/internalversion printPod, 1.13–1.36).
func podStatus(status string, ready bool) (kind model.Kind, detail string) {
	switch {
	case status == "Terminating":
		return model.PodDeletionRequested, ""
	case status == "Unknown": // it is being deleted, and its node was lost
		return model.PodDeletionRequested, "NodeLost"
	case status == "Evicted":
		return model.PodFinished, "Failed/Evicted"
	case status == "Completed":
		return model.PodFinished, "Succeeded"
	case status == "Running" && ready:
		return model.PodReady, ""
	case slices.Contains(notReady, status) || strings.HasPrefix(status, "Init:"):
		return model.PodNotReady, status
	}
	return "", ""
}

// volumePhases are the states of a PersistentVolume.
var volumePhases = []string{"Available", "Bound", "Released", "Failed", "Pending", "Terminating", ""}

func volumeRow(r *row) bool {
	name, status, claim := r.get("name"), r.get("status"), claimRef(r.get("claim"))
	if n := r.get("claimname"); nameText(n) {
		claim = model.Ref{Kind: "PersistentVolumeClaim", Namespace: r.get("claimnamespace"), Name: n}
	}
	access := accessModes(r.get("accessmodes"))
	if unphased := r.columns.has("accessmodes") || !slices.Contains(volumePhases, status); !nameText(name) || access == nil && unphased {
		return false
	}
	volume := model.Ref{Kind: "PersistentVolume", Name: name}
	r.age(volume)
	return r.say(bound(volume, claim, name, status, access...))
}

func claimRow(r *row) bool {
	name, status := r.get("name"), r.get("status")
	if !nameText(name) || !slices.Contains([]string{"Bound", "Pending", "Lost", "Terminating", ""}, status) {
		return false
	}
	claim := model.Ref{Kind: "PersistentVolumeClaim", Namespace: cmp.Or(r.get("namespace"), r.namespace), Name: name}
	r.age(claim)
	return r.say(bound(claim, claim, validName(r.get("volume")), status, accessModes(r.get("accessmodes"))...))
}
