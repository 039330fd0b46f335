package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

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
		if !slices.Contains(k.kinds, o.Kind) || o.Kind == model.AttacherFailed && !upstream.OfAttach(text) {
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
		out = append(out, o.Pod, volumeNamed(w, o), o.Claim, nodeNamed(w, o))
		if o.Volume.IsZero() {
			out = append(out, model.Ref{Kind: "VolumeAttachment", Name: o.Attachment})
		}
		if m := attachmentMissing.FindStringSubmatch(errorOf(o)); m != nil {
			out = append(out, model.Ref{Kind: "VolumeAttachment", Name: m[1]})
		}
	}
	return withoutRepeats(slices.DeleteFunc(out, func(r model.Ref) bool { return r.Name == "" || r.Kind == "" }))
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

// reasonNamed reports that a look-alike says more of an error than its text.
func reasonNamed(o *model.Observation) bool { return Repair(o) != "" }

// Repair is what to do about an error that is known as something else than Multi-Attach, as a clause; "" where its text alone tells.
func Repair(o *model.Observation) string {
	kind := kindOf(o)
	n := slices.IndexFunc(lookalikes, func(k lookalike) bool { return k.ID == kind && kind != "not-multi-attach-mount" })
	if n < 0 {
		return ""
	}
	repair := lookalikes[n].Remedy
	return strings.ToLower(repair[:1]) + strings.TrimSuffix(repair[1:], ".")
}

// severity of some records is that of a fault while a pod waits, and nothing shows that what they tell of has passed.
func (k lookalike) severity(s *scene, g []*model.Observation) string {
	keeps := k.keeps || k.Severity == string(model.Warning)
	if slices.ContainsFunc(g, func(o *model.Observation) bool {
		p, here, _ := s.pod(o.Pod)
		waits := here && wait.WaitsForContainers(p)
		stays := keeps || o.Kind == model.MountFailed && o.Last.At.Sub(o.At.At) >= upstream.PodMountTimeout // also what passes by itself
		return waits || stays && !s.passed(o)
	}) {
		return string(model.Warning)
	}
	return string(model.Info)
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
