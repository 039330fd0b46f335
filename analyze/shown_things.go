package analyze

import (
	"slices"
	"strconv"
	"strings"

	"github.com/volpost/volpost/analyze/facts"
	"github.com/volpost/volpost/model"
	"github.com/volpost/volpost/model/words"
)

// kindWords are the kinds that a sentence calls otherwise.
var kindWords = map[string]string{ // for lookup only
	"Pod": "pod", "Node": "node", "PersistentVolumeClaim": "claim", "PersistentVolume": "volume",
}

func kindWord(kind string) string {
	if word, ok := kindWords[kind]; ok {
		return word
	}
	return kind
}

// fineStates are states that things are in when all is well; of a thing that fields describe nothing is amiss.
var fineStates = []string{"", "Bound", "Available", "Running", "Succeeded", "Completed", "Active"}

// thingSights are all else that an input shows: things in the states that rows, answers and outputs tell, objects that nothing else
// tells of, mounts, how full volumes are, and alerting rules. What the list has already is left out.
func thingSights(w *facts.World, list []sight) []sight {
	var out []sight
	add := func(s sight) {
		if s.name == "" || placeholder(s.name) || slices.Contains(out, s) {
			return
		}
		same := func(o sight) bool { return o.kind == s.kind && o.name == s.name }
		if s.where != "" || !slices.ContainsFunc(list, same) {
			out = append(out, s)
		}
	}
	for _, o := range w.ByKind[model.ObjectShown] {
		if o.Object.Name != "" {
			add(shownThing(o))
		}
	}
	for _, s := range slices.Concat(claimSights(w), mountSights(w, list), alertSights(w), setupSights(w), ruleSights(w)) {
		add(s)
	}
	return out
}

// shownThing is a thing as a row, an answer or an output shows it. An act on it is told as one.
func shownThing(o *model.Observation) sight {
	s := sight{kind: kindWord(o.Object.Kind), name: o.Object.String() + words.If(o.Object.Kind == model.LinstorResource, " on "+o.Node)}
	if strings.Contains(o.Detail, "=") {
		s.name, s.state = s.name+":", o.Detail
	} else if o.Detail != "" && strings.ToLower(o.Detail) == o.Detail {
		s.where, s.amiss = " was "+o.Detail, true
	} else {
		s.state, s.amiss = o.Detail, !slices.Contains(fineStates, o.Detail)
	}
	return s
}

// claimSights are the claims and volumes of the bundle that are not bound.
func claimSights(w *facts.World) []sight {
	var out []sight
	for _, c := range w.Claims {
		if phase := string(c.Value().Status.Phase); phase != "" && phase != "Bound" {
			out = append(out, sight{kind: "claim", name: c.Ref.String(), state: phase, amiss: true})
		}
	}
	for _, v := range w.PVs {
		if phase := string(v.Value().Status.Phase); phase != "" && phase != "Bound" {
			out = append(out, sight{kind: "volume", name: v.Ref.Name, state: phase, amiss: !slices.Contains(fineStates, phase)})
		}
	}
	return out
}

// mountSights are volumes of mount tables, and how full others are.
func mountSights(w *facts.World, list []sight) []sight {
	var out []sight
	known := func(name string) bool {
		return slices.ContainsFunc(list, func(s sight) bool { return s.kind == "volume" && s.name == name })
	}
	for _, o := range w.ByKind[model.VolumeMounted] {
		if name := o.Volume.PersistentVolume; name != "" && !known(name) {
			out = append(out, sight{kind: "volume", name: name, state: "mounted"})
		} else if name == "" && o.Attacher != "" {
			out = append(out, sight{kind: "a volume of driver", name: o.Attacher, state: "mounted"})
		}
	}
	for _, o := range w.ByKind[model.ResizePending] {
		s := sight{kind: "claim", name: o.Claim.String(), where: " waits for its file system to be enlarged", amiss: true}
		switch {
		case o.Claim.Name != "":
		case o.Volume.PersistentVolume != "":
			s.kind, s.name = "volume", o.Volume.PersistentVolume
		default:
			s.kind, s.name = o.Object.Kind, o.Object.Name
		}
		if strings.Contains(o.Detail, ", its file system has ") {
			s.where = " is larger than its file system (" + o.Detail + ")"
		}
		out = append(out, s)
	}
	for _, o := range w.ByKind[model.VolumeUsage] {
		thing := fullThing(o)
		out = append(out, sight{kind: thing, name: " ", state: "full to " + o.Detail})
	}
	return out
}

// setupSights are classes, drivers and workloads of the bundle, which say how a cluster is set up and nothing of what happened.
func setupSights(w *facts.World) []sight {
	var out []sight
	for _, c := range w.Classes {
		out = append(out, sight{kind: "StorageClass", name: c.Ref.Name + ":", state: "provisioner=" + c.Value().Provisioner})
	}
	for _, d := range w.Snapshot.CSIDrivers {
		if need := d.Value().Spec.AttachRequired; need != nil {
			out = append(out, sight{kind: "CSIDriver", name: d.Ref.Name + ":", state: "attachRequired=" + strconv.FormatBool(*need)})
		}
	}
	for _, s := range w.Snapshot.StatefulSets {
		out = append(out, sight{kind: "StatefulSet", name: s.Ref.String()})
	}
	for _, d := range w.Snapshot.Deployments {
		out = append(out, sight{kind: "Deployment", name: d.Ref.String()})
	}
	return out
}

// alertSights are the alerts that a server had, with the objects that their labels name.
func alertSights(w *facts.World) []sight {
	var out []sight
	for _, a := range w.Snapshot.ActiveAlerts {
		labels := model.Labels(a.Labels)
		s := sight{kind: "alert", name: labels.Get("alertname"), state: a.State, amiss: a.State == "firing"}
		var about []string
		for _, l := range alertLabels {
			if value := labels.Get(l.label); value != "" {
				if namespace := labels.Get("namespace"); l.namespaced && namespace != "" {
					value = namespace + "/" + value
				}
				about = append(about, l.word+" "+value)
			}
		}
		s.where = words.If(len(about) > 0, " for "+strings.Join(about, ", "))
		out = append(out, s)
	}
	return out
}

// alertLabels are the labels by which an alert names objects.
var alertLabels = []struct {
	label, word string
	namespaced  bool
}{
	{"pod", "pod", true}, {"persistentvolumeclaim", "claim", true}, {"volumeattachment", "VolumeAttachment", false},
	{"volumename", "volume", false}, {"persistentvolume", "volume", false}, {"node", "node", false},
}

// ruleSights are the alerting rules of the bundle by name.
func ruleSights(w *facts.World) []sight {
	var names []string
	gather := func(groups []model.RuleGroup) {
		for _, g := range groups {
			for _, rule := range g.Rules {
				if rule.Alert != "" && !slices.Contains(names, rule.Alert) {
					names = append(names, rule.Alert)
				}
			}
		}
	}
	for _, o := range model.Newest(w.Snapshot.PrometheusRules) {
		gather(o.Value())
	}
	for _, f := range w.Snapshot.RuleFiles {
		gather(f.Groups)
	}
	if len(names) == 0 {
		return nil
	}
	if len(names) > shownMost {
		return []sight{{kind: words.Count(len(names), "alerting rule"), name: "such as", where: " " + words.List(names[:shownNamed])}}
	}
	return []sight{{kind: words.Count(len(names), "alerting rule") + ":", name: words.List(names)}}
}

// lastTold is the newest thing that a log tells of a volume or a VolumeAttachment, where nothing shows a state; "" where none does.
func lastTold(w *facts.World) string {
	var newest *model.Observation
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		about := o.Attachment != "" || !o.Volume.IsZero()
		if !about || o.Source.Kind != model.SourceLog || o.Kind == model.KubernetesEvent {
			continue
		}
		if newest == nil || !o.At.At.Before(newest.At.At) {
			newest = o
		}
	}
	if newest == nil {
		return ""
	}
	text := sentence(newest)
	if names := joined("; ", text, onlyNamed(w)); wordCount(names) <= headlineWords {
		return names
	}
	if wordCount(text) > headlineWords {
		return fewWords(text)
	}
	return text
}

// onlyNamed is what the statements of an input name where none tells a state: the first few, by kind.
func onlyNamed(w *facts.World) string {
	var out []string
	for i := range w.Axis.Observations {
		o := &w.Axis.Observations[i]
		for _, r := range []model.Ref{{Kind: "VolumeAttachment", Name: o.Attachment}, {Kind: "PersistentVolume", Name: o.Volume.PersistentVolume},
			o.Pod, o.Claim, {Kind: "Node", Name: o.Node}, o.Object} {
			if r.Name == "" || r.Kind == "" || placeholder(r.Name) {
				continue
			}
			if text := kindWord(r.Kind) + " " + r.String(); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		if len(out) >= shownNamed {
			break
		}
	}
	return words.If(len(out) > 0, "what was read names "+words.List(out[:min(len(out), shownNamed)]))
}
