package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/analyze/upstream"
	"github.com/volpost/volpost/analyze/wait"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// lookalike is an error with a symptom of Multi-Attach (a pod that does not start, FailedAttachVolume) and another cause.
type lookalike struct {
	Check
	says      string // what it is, after the quoted error
	kinds     []model.Kind
	texts     []string                                    // in lower case; without any, every error of a known volume fits
	worded    func(string) bool                           // tests the error in place of the texts
	manifests bool                                        // what the objects themselves say counts, too: no other check reports it
	perPod    bool                                        // several texts of one pod are one fault
	keeps     bool                                        // it keeps a pod from its volume until somebody repairs it
	unplaced  bool                                        // another machine may have the volume: nothing says that it is not Multi-Attach
	over      func(*facts.World, *model.Observation) bool // it is known to have passed; nil when unknown
}

// lookalikeChecks are the same as checks.
var lookalikeChecks = facts.Each(lookalikes, func(k lookalike) Check {
	k.Severity, k.Look, k.See = cmp.Or(k.Severity, "info"), k.look, cmp.Or(k.See, eventsOf(k.kinds))
	return k.Check
})

// reasons are those of the Events in which an error of a kind is written.
var reasons = map[model.Kind]string{model.AttachFailed: "FailedAttachVolume", model.MountFailed: "FailedMount", model.PodSchedulingFailed: "FailedScheduling"}

// eventsOf is the command that lists the Events of some kinds of errors. An Event of an attach is of its pod: to describe the volume shows none.
func eventsOf(kinds []model.Kind) string {
	list := slices.DeleteFunc(facts.Each(kinds, func(k model.Kind) string { return reasons[k] }), func(r string) bool { return r == "" })
	switch len(list) {
	case 0:
		return ""
	case 1:
		return "kubectl get events -A --field-selector reason=" + list[0]
	default:
		return "kubectl get events -A | grep -e NAME -e " + strings.Join(list, " -e ")
	}
}

// heldElsewhere reports that an error says that the volume is attached elsewhere: that is no look-alike.
func heldElsewhere(o *model.Observation, text string) bool {
	held := upstream.AttachLimit(text) && upstream.HolderNamed(errorOf(o)) != "" // the volume's limit, not the machine's
	return held || containsAny(text, []string{"multi-attach", "waiting for detach"}) || upstream.InUseElsewhere(errorOf(o), o.Node)
}

// attachKinds are the kinds of a refused attach; a VolumeAttachment's own error is of the check attach-error.
var attachKinds = []model.Kind{model.AttachFailed, model.AttacherFailed}

// look gathers the records of one error text, without those of an incident and those in objects, which have checks of their own.
func (k lookalike) look(w *facts.World, s *scene, hit func(Hit)) {
	list := outside(w, s.cases, k.kinds, func(o *model.Observation) bool {
		if kindOf(o) != k.ID || fromObject(o) && !k.manifests {
			return false
		}
		return k.over == nil || !k.over(w, o)
	})
	if len(list) == 0 {
		return
	}
	disputed := disputedVolumes(w)
	list = slices.DeleteFunc(list, func(o *model.Observation) bool { return disputed[w.Volumes.Find(o.Volume).Storage()] })
	for _, g := range grouped(list, func(o *model.Observation) string {
		if k.perPod {
			return o.Pod.String()
		}
		return masked(faultOf(o))
	}) {
		severity := k.severity(s, g)
		verb := words.If(severity != string(model.Info), suffers(w, g))
		hit(Hit{
			Severity: severity, Objects: affected(w, g), Shown: ends(g),
			Text: fmt.Sprintf("%s%s: %s. %s%s%s%s", subject(w, g), verb, strings.TrimRight(shorten(errorOf(g[0])), ". "),
				firstReported(g), words.If(allAttachedSince(w, g), "The attach went through since. "), k.says, words.If(!k.unplaced, " It is not Multi-Attach.")),
		})
	}
}

// firstReported says the largest age that some errors were printed with, as a sentence; "" where none was, or a time dates one.
func firstReported(g []*model.Observation) string {
	var oldest *model.Observation
	for _, o := range g {
		if !o.At.IsZero() && o.At.Basis != model.Assumed {
			return "" // the finding is dated
		}
		if o.Age != nil && (oldest == nil || o.Age.Best > oldest.Age.Best) {
			oldest = o
		}
	}
	if oldest == nil || oldest.Age.Best < 1 {
		return "" // just now
	}
	first := oldest.LastAge != nil && oldest.LastAge.Best < oldest.Age.Best // a lone age can be that of the last of many
	return words.Capital(words.If(first, "first ")+"reported ") + facts.AgePrinted(*oldest.Age) + " before this was printed. "
}

// allAttachedSince reports that all that some errors of attaches tell of went through since.
func allAttachedSince(w *facts.World, g []*model.Observation) bool {
	return !slices.ContainsFunc(g, func(o *model.Observation) bool { return !slices.Contains(attachKinds, o.Kind) || !attachedSince(w, o) })
}

// disputedVolumes are those that another node has or may have: after a failed detach the controller tries to attach all the same.
func disputedVolumes(w *facts.World) map[*facts.Volume]bool {
	out := map[*facts.Volume]bool{}
	for _, kind := range []model.Kind{model.MultiAttach, model.DetachFailed, model.DetachRefusedInUse, model.AttachmentDetachError} {
		for _, o := range w.ByKind[kind] {
			out[w.Volumes.Find(o.Volume).Storage()] = true
		}
	}
	nodes := map[*facts.Volume]string{}
	for _, a := range w.Attachments {
		pv := a.Value().Spec.Source.PersistentVolumeName
		if pv == nil {
			continue
		}
		v := w.Volumes.Find(model.VolumeID{PersistentVolume: *pv}).Storage()
		if n, ok := nodes[v]; ok && n != a.Value().Spec.NodeName {
			out[v] = true
		}
		nodes[v] = a.Value().Spec.NodeName
	}
	delete(out, nil)
	return out
}

// kindOf is the ID of the look-alike that an observation is, or empty. The first that fits wins; a refusal fits what no text explains.
func kindOf(o *model.Observation) string {
	text := strings.ToLower(errorOf(o))
	for _, k := range lookalikes {
		if !slices.Contains(k.kinds, o.Kind) || o.Kind == model.AttacherFailed && !strings.Contains(text, "failed to attach") {
			continue
		}
		if k.fits(o, text) {
			return words.If(!heldElsewhere(o, text) || ofNoVolume(o), k.ID)
		}
	}
	return ""
}

// ofNoVolume reports an attacher's error that names its volume by the storage's handle alone, or only its VolumeAttachment: no incident is
// made of it.
func ofNoVolume(o *model.Observation) bool {
	return o.Kind == model.AttacherFailed && o.Volume.PersistentVolume == "" && o.Volume.UniqueName == ""
}

// fits compares an error with what the look-alike says, its text in lower case.
func (k *lookalike) fits(o *model.Observation, text string) bool {
	if k.worded != nil {
		return k.worded(errorOf(o))
	}
	if len(k.texts) == 0 {
		return (!o.Volume.IsZero() || o.Attachment != "") && len(faultOf(o)) >= minFault
	}
	return containsAny(text, k.texts)
}

// errorOf is the text of an error: what the reader kept of it, or the quoted message of an event.
func errorOf(o *model.Observation) string {
	if o.Kind == model.KubernetesEvent || o.Detail == "" {
		text := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(o.Quote.Text), "message:"))
		if n := len(text); n > 1 && strings.Contains(`'"`, text[:1]) && text[n-1] == text[0] {
			text = text[1 : n-1] // as YAML and JSON quote it
		}
		return text
	}
	return o.Detail
}

// faultOf is an error without the operation and the volume that failed: what follows the last of their names.
func faultOf(o *model.Observation) string {
	text := errorOf(o)
	for _, end := range []string{`" : `, `") : `, `": `} { // the second is of the kubelet's log, which names the pod's UID last, the third a person's
		if _, fault, ok := strings.Cut(text, end); ok {
			return fault
		}
	}
	if strings.HasPrefix(text, "AttachVolume.") || strings.HasPrefix(text, "MountVolume.") {
		return "" // cut off before the error
	}
	return text
}

// minFault is the shortest text that says anything: a pasted line may be cut off.
const minFault = 8

// names are the parts of an error that differ from one volume, node or try to the next.
var names = regexp.MustCompile(`"[^"]*"|[^\s"]*[0-9][^\s"]*`)

// masked is an error without the names in it, so that one fault of many volumes is one finding.
func masked(text string) string {
	return names.ReplaceAllString(strings.Join(strings.Fields(text), " "), "…")
}

// subject names the pods of some records, or else the volumes or the claims.
func subject(w *facts.World, g []*model.Observation) string {
	names := func(of func(*model.Observation) string) []string {
		return withoutRepeats(slices.DeleteFunc(facts.Each(g, of), func(name string) bool { return name == "" }))
	}
	pods := names(func(o *model.Observation) string { return words.If(o.Pod.Name != "", o.Pod.String()) })
	vols := names(func(o *model.Observation) string { return volumeName(w, o) })
	claims := names(func(o *model.Observation) string { return words.If(o.Claim.Name != "", o.Claim.String()) })
	attachments := names(func(o *model.Observation) string { return o.Attachment })
	switch {
	case len(pods) > 0:
		return several("Pod", "pods", pods)
	case len(vols) > 0:
		return volumesText(vols)
	case len(claims) > 0:
		return words.Count(len(claims), "claim") + " (" + words.List(claims) + ")"
	case len(attachments) > 0:
		return several("VolumeAttachment", "VolumeAttachments", attachments)
	}
	return "A pod or volume that is not named"
}

// affected are the pods, volumes, claims and nodes that some records name, and the VolumeAttachment that one looks for.
func affected(w *facts.World, g []*model.Observation) []model.Ref {
	out := []model.Ref{}
	for _, o := range g {
		out = append(out, o.Pod, volumeRef(volumeName(w, o)), o.Claim, nodeRef(o.Node))
		if o.Volume.IsZero() {
			out = append(out, model.Ref{Kind: "VolumeAttachment", Name: o.Attachment})
		}
		if m := attachmentMissing.FindStringSubmatch(errorOf(o)); m != nil {
			out = append(out, model.Ref{Kind: "VolumeAttachment", Name: m[1]})
		}
	}
	return withoutRepeats(slices.DeleteFunc(out, func(r model.Ref) bool { return r.Name == "" || r.Kind == "" }))
}

// resized reports that a claim's file system has grown since an observation, by the claim or by the kubelet's Event.
func resized(w *facts.World, o *model.Observation) bool {
	if o.Claim.Name == "" {
		return false
	}
	if c, ok := w.Claim(o.Claim.Namespace, o.Claim.Name); ok && (o.Claim.UID == "" || o.Claim.UID == c.Ref.UID) {
		return expansion{claim: c}.condition(fileSystemPending) < 0
	}
	return slices.ContainsFunc(w.ClaimEvents(o.Claim), func(e *model.Observation) bool {
		return isEvent(e, "FileSystemResizeSuccessful") && !o.Last.IsZero() && e.Last.At.After(o.Last.At)
	})
}

// placedSince reports that a pod that could not be placed has a node by now, or is gone from a list of all.
func placedSince(w *facts.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return p.Value().Spec.NodeName != ""
	}
	return w.Listed("Pod", o.Pod.Namespace) || w.NewestOf(o.Pod, model.PodScheduled) != nil
}

// foundSince reports that a Secret or ConfigMap of a pod is there by now: its containers have started, or the pod is gone from a list of all. A
// kubelet that starts knows the objects of its pods a moment later (pkg/kubelet/util/manager, "not registered").
func foundSince(w *facts.World, o *model.Observation) bool {
	if strings.HasSuffix(strings.TrimRight(errorOf(o), `. "'`), " not registered") && o.Last.At.Sub(o.At.At) < time.Minute {
		return true
	}
	if _, ok := w.Pod(o.Pod); !ok && w.Listed("Pod", o.Pod.Namespace) {
		return true
	}
	return mountedSince(w, o)
}

var (
	// mountCall begins the error of an operation of a volume's mount; that of the first is of the wait for its attach.
	mountCall = regexp.MustCompile(`^(?:MountVolume\.(?:MountDevice|SetUp)|MapVolume\.\w+) failed for volume "pvc-[^"]*"`)
	// answered is a driver, or a command of the node, that answered with an error; a time-out is none.
	answered = regexp.MustCompile(`rpc error: code = |mount failed|exit status \d`)
	unanswer = regexp.MustCompile(`DeadlineExceeded|deadline exceeded|Aborted desc = (?:pending|an operation with)|Operation already exists`)
)

// mountError reports the error with which the mount or the mapping of a volume failed.
func mountError(text string) bool {
	return mountCall.MatchString(text) && answered.MatchString(text) && !unanswer.MatchString(text)
}

// mountedSince reports that the containers of a pod whose mount failed have started since.
func mountedSince(w *facts.World, o *model.Observation) bool {
	if p, ok := w.Pod(o.Pod); ok {
		return !facts.Creating(p.Value())
	}
	return slices.ContainsFunc(w.OfPod(o.Pod), func(s *model.Observation) bool {
		started := facts.Kinds(model.PodRunning, model.PodReady)(s) || isEvent(s, startReasons...)
		return started && (s.At.IsZero() || s.At.At.After(o.Last.At))
	})
}

// reasonNamed reports that a look-alike says more of an error than its text.
func reasonNamed(o *model.Observation) bool {
	kind := kindOf(o)
	return kind != "" && kind != "not-multi-attach-mount"
}

// pod is the object of the pod that an error names; gone is true when it is not in a list of all.
func (s *scene) pod(of model.Ref) (p pod, here, gone bool) {
	if of.Namespace == "" && of.UID != "" {
		p, here = s.byUID[of.UID]
		return p, here, !here && listedSomewhere(s.w, "Pod")
	}
	p, here = s.w.Pod(of)
	return p, here, !here && of.Namespace != "" && s.w.Listed("Pod", of.Namespace)
}

// severity of some records is that of a fault while a pod waits, and nothing shows that what they tell of has passed.
func (k lookalike) severity(s *scene, g []*model.Observation) string {
	keeps := k.keeps || k.Severity == string(model.Warning)
	if slices.ContainsFunc(g, func(o *model.Observation) bool {
		p, here, _ := s.pod(o.Pod)
		waits := here && wait.WaitsForContainers(p)
		return waits || keeps && !s.passed(o)
	}) {
		return string(model.Warning)
	}
	return string(model.Info)
}

// goesOn are what shows of a pod that what kept it from its volume is over: it started, or is asked to go.
var goesOn = []model.Kind{model.PodReady, model.PodSampledReady, model.PodRunning, model.MountSucceeded, model.PodFinished, model.PodKilling,
	model.PodDeletionRequested, model.PodContainersStopped, model.PodGone, model.ReplicaDeleted}

// startReasons are of Events that the kubelet writes of a container once the volumes of its pod are mounted (pkg/kubelet/events, 1.13–1.36).
var startReasons = []string{"Pulling", "Pulled", "Created", "Started"}

// retried is the longest pause between two tries of an attach or a mount: 2m2s of the kubelet and the controller, 5 min of the attacher
// (goroutinemap/exponentialbackoff; external-attacher --retry-interval-max). A source that goes on for longer without the error shows its end.
const retried = 6 * time.Minute

// passed reports that what an error tells of is over, as far as the pod that it names, its volume, or the rest of its source shows it.
func (s *scene) passed(o *model.Observation) bool {
	if s.silent(o) {
		return true
	}
	if o.Pod.Name == "" {
		return !o.Volume.IsZero() && attachedSince(s.w, o)
	}
	p, here, gone := s.pod(o.Pod)
	if here && o.Kind == model.PodSchedulingFailed {
		return nodeOf(p) != "" || p.Value().DeletionTimestamp != nil
	}
	if here {
		return !wait.WaitsForContainers(p)
	}
	if gone {
		return true
	}
	return slices.ContainsFunc(s.w.OfPod(o.Pod), func(later *model.Observation) bool { return endsComplaint(o, later) }) ||
		slices.Contains(attachKinds, o.Kind) && attachedSince(s.w, o)
}

// silent reports that a log goes on without an error that would have come again.
func (s *scene) silent(o *model.Observation) bool {
	if o.Source.Kind != model.SourceLog || o.Last.IsZero() {
		return false
	}
	n := slices.IndexFunc(s.w.Axis.Inputs, func(in model.Input) bool { return in.Path == o.Input })
	return n >= 0 && s.w.Axis.Inputs[n].To != nil && s.w.Axis.Inputs[n].To.Sub(o.Last.At) > retried
}

// endsComplaint reports that a later statement about a pod shows an error of it to be over. A row of a table is of the collection.
func endsComplaint(o, later *model.Observation) bool {
	scheduled := o.Kind == model.PodSchedulingFailed && later.Kind == model.PodScheduled
	started := isEvent(later, startReasons...)
	if !scheduled && !started && !slices.Contains(goesOn, later.Kind) {
		return false
	}
	return later.At.IsZero() || !o.Last.IsZero() && later.Last.At.After(o.Last.At)
}

// suffers is what an error that has not passed does to its subject, as a sentence about it begins.
func suffers(w *facts.World, g []*model.Observation) string {
	o := g[0]
	pods := withoutRepeats(facts.Each(facts.Where(g, func(o *model.Observation) bool { return o.Pod.Name != "" }),
		func(o *model.Observation) string { return o.Pod.String() }))
	several := len(pods) > 1 || len(pods) == 0 && len(withoutRepeats(facts.Each(g, func(o *model.Observation) string { return volumeName(w, o) }))) > 1
	verbs := map[bool][2]string{
		true:  {" waits for its volume", " wait for their volumes"},
		false: {" cannot be attached", " cannot be attached"},
	}[len(pods) > 0]
	switch o.Kind {
	case model.PodSchedulingFailed:
		verbs = [2]string{" is not scheduled", " are not scheduled"}
	case model.MountFailed:
		verbs = map[bool][2]string{true: {" cannot mount its volumes", " cannot mount their volumes"},
			false: {" cannot be mounted", " cannot be mounted"}}[len(pods) > 0]
	case model.KubernetesEvent:
		return ""
	}
	if several {
		return verbs[1]
	}
	return verbs[0]
}

// attachedSince reports that the volume of an observation was attached after it.
func attachedSince(w *facts.World, o *model.Observation) bool {
	if o.Last.IsZero() {
		return false
	}
	v, later := w.Volumes.Find(o.Volume), facts.After(o.Last.At)
	if facts.First(w.ByVolume[v], later, facts.Kinds(model.AttachSucceeded, model.AttachmentAttached, model.AttacherAttached)) != nil {
		return true
	}
	return o.Attachment != "" && facts.First(w.ByAttach[o.Attachment], later, facts.Kinds(model.AttacherAttached, model.AttachmentAttached)) != nil
}
